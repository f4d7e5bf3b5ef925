import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Mapping = Schema['MoveMapping'];
type Rule = Mapping['columns'][number]['rules'][number];
export type MoveField = Rule['field'];
type Meaning = Schema['MoveFileLook']['meanings'][number];

/** What a column can mean. */
export const moveFieldWords: Readonly<Record<MoveField, string>> = {
  amount: t`Amount`,
  birthday: t`Birthday`,
  brandName: t`Brand`,
  category: t`Category`,
  cbdAmount: 'CBD',
  cbdAmountEach: t`CBD of each piece`,
  cbdAmountRangeHigh: t`CBD, at most`,
  cbdAmountRangeLow: t`CBD, at least`,
  cbdUnit: t`Unit of the CBD`,
  city: t`City`,
  code: t`Code`,
  content: t`What counts for limits`,
  credit: t`Store credit`,
  customerEmail: t`Email of the customer`,
  customerId: t`Number of the customer in the previous system`,
  day: t`Day`,
  description: t`Description`,
  discount: t`Discount`,
  effects: t`Effects`,
  email: t`Email`,
  emailOptIn: t`Agrees to emails`,
  expirationDate: t`Expires on`,
  firstName: t`First name`,
  flavours: t`Flavors`,
  formerId: t`Number in the previous system`,
  gross: t`Before discounts`,
  isReturn: t`Whether it came back`,
  joinedAt: t`Customer since`,
  labResults: t`Lab results`,
  lastName: t`Last name`,
  licenseExpiry: t`License expires on`,
  lineId: t`Number of the line`,
  location: t`Place`,
  marketingOptIn: t`Agrees to marketing`,
  marketingOptInAt: t`When they agreed to marketing`,
  medicalExpiration: t`Medical card expires on`,
  name: t`Name`,
  net: t`After discounts, before taxes`,
  notes: t`Notes`,
  number: t`Number of the ticket`,
  optedOut: t`Refuses marketing`,
  optionName: t`Option name`,
  optionPhotoAltTexts: t`Alternative texts of the option's photos`,
  optionPhotos: t`Photos of the option`,
  packed: t`Packed for orders`,
  patientNumber: t`Patient number`,
  patientState: t`State of the medical card`,
  phone: t`Phone`,
  photoAltTexts: t`Alternative texts of the photos`,
  photos: t`Photos`,
  points: t`Points`,
  postalCode: t`ZIP code`,
  price: t`Price`,
  productName: t`Product name`,
  quantity: t`Quantity`,
  refundOf: t`Number of the ticket that it gives back`,
  reserved: t`Reserved`,
  residence: t`State of residence`,
  role: t`Role`,
  sales: t`Number of sales`,
  salesPrice: t`Sale price`,
  sellerPermitNumber: t`Seller's permit`,
  sex: t`Sex`,
  size: t`Size`,
  sku: 'SKU',
  smsOptIn: t`Agrees to text messages`,
  soldAt: t`Sold on`,
  soldTime: t`Sold at`,
  state: t`State`,
  strain: t`Strain`,
  strainType: t`Strain type`,
  street1: t`Street`,
  street2: t`Street, second line`,
  subCategories: t`Sub-categories`,
  tag: t`Tag of the state`,
  tax: t`Taxes`,
  taxExempt: t`Pays no taxes`,
  terpenes: t`Terpenes`,
  thcAmount: 'THC',
  thcAmountEach: t`THC of each piece`,
  thcAmountRangeHigh: t`THC, at most`,
  thcAmountRangeLow: t`THC, at least`,
  thcUnit: t`Unit of the THC`,
  till: t`Previous system`,
  unit: t`Unit`,
  unitCost: t`Cost of one`,
  upc: 'UPC',
  uses: t`Uses`,
  zip: t`ZIP code`,
};

/** The field that a column means first; null: it is not used. */
export function fieldOf({ columns }: Mapping, column: string): string | null {
  return columns.find((entry) => entry.column === column)?.rules[0]?.field ?? null;
}

/** The mapping with another meaning of a column, by the rules that such columns usually have; the order of the others stays. */
export function withField(
  mapping: Mapping,
  column: string,
  field: string | null,
  meanings: readonly Meaning[],
): Mapping {
  const rules = meanings.find((meaning) => meaning.field === field)?.rules;
  const others = mapping.columns.filter((entry) => entry.column !== column);
  if (rules === undefined) return { ...mapping, columns: others };
  const isThere = others.length < mapping.columns.length;
  const columns = isThere
    ? mapping.columns.map((entry) => (entry.column === column ? { column, rules: [...rules] } : entry))
    : [...others, { column, rules: [...rules] }];
  return { ...mapping, columns };
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The mapping of a file with the columns of this service: each means the field of its name. */
export function ownMapping({ columns, meanings }: Schema['MoveFileLook']): Mapping {
  const found = columns.flatMap(({ name }) => {
    const own = meanings.find(({ field }) => plain(field) === plain(name));
    return own === undefined ? [] : [{ column: name, rules: [{ field: own.field }] }];
  });
  return { preset: 'flat-variants', columns: found, constants: [] };
}
