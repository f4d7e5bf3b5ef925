import { cents, type ExportProfile, rule } from './profile-rules.ts';
import type { SentMapping, SentRule } from './sent-mapping.ts';
import {
  closingProfiles,
  discountProfiles,
  packageProfiles,
  stateProfiles,
  vendorProfiles,
} from './stock-profiles.ts';
import { plainHeading } from './table-heading.ts';

const birthday = rule('birthday', 'any-date');
const medicalExpiration = rule('medicalExpiration', 'any-date');
const joinedAt = rule('joinedAt', 'any-moment');
const emailOptIn = rule('emailOptIn', 'consent');
const smsOptIn = rule('smsOptIn', 'consent');
/** A name in one cell. */
const fullName: readonly SentRule[] = [
  { field: 'firstName', convert: 'first-name' },
  { field: 'lastName', convert: 'last-name' },
];
const isReturned: readonly SentRule[] = [
  {
    field: 'isReturn',
    values: { sale: 'false', return: 'true', refund: 'true', returned: 'true' },
  },
];

const customerProfiles: readonly ExportProfile[] = [
  {
    name: 'customers-with-card-numbers',
    kind: 'customers',
    knownBy: ['customerId', 'mmjidNumber', 'cellPhone'],
    columns: {
      customerId: 'formerId',
      firstName: 'firstName',
      lastName: 'lastName',
      // The later column wins where it says something: the mobile phone before the other.
      phone: 'phone',
      cellPhone: 'phone',
      emailAddress: 'email',
      dateOfBirth: birthday,
      mmjidNumber: 'patientNumber',
      mmjidExpirationDate: medicalExpiration,
      postalCode: 'zip',
      loyaltyBalance: 'points',
      creationDate: joinedAt,
    },
    leaveOut: [{ column: 'mergedIntoCustomerId', unless: ['', '0'] }],
  },
  {
    name: 'customers-with-rewards',
    kind: 'customers',
    knownBy: ['customer_id', 'rewards_balance', 'opt_out'],
    columns: {
      customer_id: 'formerId',
      first_name: 'firstName',
      last_name: 'lastName',
      email: 'email',
      phone: 'phone',
      birthday,
      drivers_license_expiration: rule('licenseExpiry', 'any-date'),
      state_medical_id: 'patientNumber',
      permit_expiration: medicalExpiration,
      rewards_balance: 'points',
      // Not to have said no is no consent.
      opt_out: [{ field: 'optedOut', convert: 'yes-no' }],
      signup_date: joinedAt,
    },
    leaveOut: [{ column: 'merged_into_customer_id', unless: [''] }],
  },
  {
    name: 'customers-with-consents',
    kind: 'customers',
    knownBy: ['birthDate', 'loyaltyPoints', 'consentsToPromotionalSMS'],
    columns: {
      id: 'formerId',
      name: fullName,
      email: 'email',
      phone: 'phone',
      birthDate: birthday,
      zip: 'zip',
      medId: 'patientNumber',
      medIdExpiration: medicalExpiration,
      loyaltyPoints: 'points',
      consentsToPromotionalEmail: emailOptIn,
      consentsToPromotionalSMS: smsOptIn,
    },
  },
  {
    name: 'members',
    kind: 'customers',
    knownBy: ['primaryPhone', 'textOptIn', 'emailOptIn'],
    columns: {
      id: 'formerId',
      firstName: 'firstName',
      lastName: 'lastName',
      email: 'email',
      primaryPhone: 'phone',
      dob: birthday,
      loyaltyPoints: 'points',
      emailOptIn,
      textOptIn: smsOptIn,
      startDate: joinedAt,
    },
  },
  {
    name: 'patients-and-customers',
    kind: 'customers',
    knownBy: ['Customer ID', 'Is Medical', 'Last Purchase Date'],
    columns: {
      'Customer ID': 'formerId',
      'First Name': 'firstName',
      'Last Name': 'lastName',
      'Phone Number': 'phone',
      Email: 'email',
      'Date of Birth': birthday,
      Zip: 'zip',
    },
  },
  {
    name: 'online-shop-customers',
    kind: 'customers',
    knownBy: ['Customer ID', 'Accepts Email Marketing', 'Total Orders'],
    columns: {
      'Customer ID': rule('formerId', 'without-quote'),
      'First Name': 'firstName',
      'Last Name': 'lastName',
      Email: 'email',
      'Default Address Phone': rule('phone', 'without-quote'),
      Phone: rule('phone', 'without-quote'),
      'Default Address Zip': rule('zip', 'without-quote'),
      'Accepts Email Marketing': emailOptIn,
      'Accepts SMS Marketing': smsOptIn,
    },
  },
  {
    name: 'card-till-customers',
    kind: 'customers',
    knownBy: ['Email Address', 'Email Subscription Status'],
    columns: {
      'Reference ID': 'formerId',
      'First Name': 'firstName',
      'Last Name': 'lastName',
      'Email Address': 'email',
      'Phone Number': rule('phone', 'without-quote'),
      Birthday: birthday,
      'Email Subscription Status': emailOptIn,
    },
  },
];

const salesProfiles: readonly ExportProfile[] = [
  {
    name: 'ticket-lines',
    kind: 'sales',
    knownBy: ['Ticket ID', 'Ticket Line ID', 'Date Closed', 'Gross Sales'],
    columns: {
      'Ticket ID': 'number',
      'Date Closed': rule('soldAt', 'local-moment'),
      'Time Closed': rule('soldTime', 'clock-time'),
      'Customer ID': 'customerId',
      Email: 'customerEmail',
      Type: isReturned,
      'Ticket Line ID': 'lineId',
      'Product Name': 'productName',
      Brand: 'brandName',
      'Product Type': 'category',
      'External ID': 'sku',
      'State Tracking ID': 'tag',
      Qty: 'quantity',
      Size: 'size',
      'Gross Sales': cents('gross'),
      Discounts: cents('discount'),
      'Net Sales': cents('net'),
      Taxes: cents('tax'),
    },
    // The summary row at the end, and artefacts of returns.
    leaveOut: [
      { column: 'Ticket ID', when: [''] },
      { column: 'Ticket Line ID', when: [''] },
    ],
  },
  {
    name: 'receipt-lines',
    kind: 'sales',
    knownBy: ['Receipt ID', 'Pre-Discount, Pre-Tax Total', 'Completed At'],
    columns: {
      'Receipt ID': 'number',
      'Completed At': rule('soldAt', 'local-moment'),
      'Customer ID': 'customerId',
      Product: 'productName',
      Brand: 'brandName',
      'Variant Type': 'category',
      'Quantity Sold': 'quantity',
      'Pre-Discount, Pre-Tax Total': cents('gross'),
      Discounts: cents('discount'),
      'Post-Discount, Pre-Tax Total': cents('net'),
      Taxes: cents('tax'),
      // The total of the receipt stands in each of its lines; that of the line is net and tax.
    },
    leaveOut: [{ column: 'Receipt ID', when: ['', 'total'] }],
  },
  {
    name: 'transaction-lines',
    kind: 'sales',
    knownBy: ['Trans No.', 'Trans Type', 'Retail Value', 'Quantity Sold'],
    columns: {
      'Trans No.': 'number',
      Date: rule('soldAt', 'local-moment'),
      'Member ID': 'customerId',
      'Trans Type': isReturned,
      'Product SKU': 'sku',
      'Product Name': 'productName',
      'Brand Name': 'brandName',
      'Product Category': 'category',
      'METRC Tag': 'tag',
      'Quantity Sold': 'quantity',
      'Retail Value': cents('gross'),
      'Total Discount': cents('discount'),
      'Final Subtotal': cents('net'),
      'Total Tax': cents('tax'),
    },
    leaveOut: [
      { column: 'Trans No.', when: [''] },
      {
        column: 'Trans Status',
        when: ['canceled', 'cancelled', 'void', 'voided', 'deleted', 'hold', 'inprogress'],
      },
      { column: 'Trans Type', unless: ['sale', 'refund', 'return'] },
    ],
  },
];

const itemOfCategory: readonly SentRule[] = [
  { field: 'category' },
  {
    field: 'unit',
    values: { flower: 'gram', flowers: 'gram', bud: 'gram', 'flower - packaged': 'gram' },
    otherwise: 'item',
  },
];
const sizeRules: readonly SentRule[] = [
  { field: 'optionName' },
  { field: 'amount', blank: '1' },
  { field: 'content' },
];

const productProfiles: readonly ExportProfile[] = [
  {
    name: 'inventory-valuation',
    kind: 'products',
    knownBy: ['Product Type', 'Packed & Ready', 'Potential Gross Sales'],
    columns: {
      'Product Name': 'name',
      Brand: 'brandName',
      'Product Type': itemOfCategory,
      Classification: [{ field: 'strainType', blank: 'none' }],
      Size: sizeRules,
      'External ID': 'sku',
      'Unit Price': rule('price', 'dollars-to-cents'),
    },
  },
  {
    name: 'company-products',
    kind: 'products',
    knownBy: ['Unit Sale Price', 'Weight Per Unit', 'Cannabis Type'],
    columns: {
      Item: 'name',
      Brand: 'brandName',
      Category: itemOfCategory,
      'Cannabis Type': [{ field: 'strainType', blank: 'none' }],
      'Weight Per Unit': sizeRules,
      SKU: 'sku',
      'Unit Price': rule('price', 'dollars-to-cents'),
      'Unit Sale Price': rule('salesPrice', 'dollars-to-cents'),
    },
  },
  {
    name: 'product-sheet',
    kind: 'products',
    knownBy: ['Product Name', 'Inventory Type', 'Package Size', 'UOM'],
    columns: {
      'Product Name': 'name',
      Brand: 'brandName',
      Category: itemOfCategory,
      Type: [{ field: 'strainType', blank: 'none' }],
      'Package Size': sizeRules,
      Price: rule('price', 'dollars-to-cents'),
      Description: 'description',
    },
  },
];

export const exportProfiles: readonly ExportProfile[] = [
  ...customerProfiles,
  ...salesProfiles,
  ...productProfiles,
  ...packageProfiles,
  ...vendorProfiles,
  ...discountProfiles,
  ...closingProfiles,
  ...stateProfiles,
];

/** The profile of a file with these headings: of those that fit, the one that is known by most. */
export function profileOf(kind: string, headings: readonly string[]): ExportProfile | undefined {
  const plain = new Set(headings.map(plainHeading));
  return exportProfiles
    .filter(
      (profile) => profile.kind === kind && profile.knownBy.every((name) => plain.has(plainHeading(name))),
    )
    .toSorted((one, other) => other.knownBy.length - one.knownBy.length)[0];
}

/** The mapping of a profile for a file: of the columns that the file has, by their names in it. */
export function mappingOfProfile(profile: ExportProfile, headings: readonly string[]): SentMapping {
  const nameOf = new Map(headings.map((name) => [plainHeading(name), name]));
  return {
    preset: 'flat-variants',
    columns: Object.fromEntries(
      Object.entries(profile.columns).flatMap(([column, rules]) => {
        const name = nameOf.get(plainHeading(column));
        return name === undefined ? [] : [[name, rules]];
      }),
    ),
    ...(profile.leaveOut !== undefined && { leaveOut: profile.leaveOut }),
  };
}

/** The plain names of all columns that profiles use, by which the line of headings is found. */
export const profileHeadings: readonly string[] = [
  ...new Set(
    exportProfiles.flatMap(({ columns, knownBy }) => [...Object.keys(columns), ...knownBy].map(plainHeading)),
  ),
];

/** What a column of a field usually is, by the exports that are known: dollars, a date as tills write it, or just its text. */
export function usualRules(kind: string, field: string): string | readonly SentRule[] {
  const known = exportProfiles
    .filter((profile) => profile.kind === kind)
    .flatMap(({ columns }) => Object.values(columns))
    .find((rules) => (typeof rules === 'string' ? rules : rules[0]!.field) === field);
  return known ?? field;
}
