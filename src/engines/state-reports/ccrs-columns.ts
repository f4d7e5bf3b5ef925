/*
 * The files of Washington's CCRS, as its templates and its upload guide describe them: headings in their order, and what each field has
 * to be. What a rule says is shown to the shop.
 */

/** The files that a retailer sends, in the order in which they have to arrive. */
export const ccrsFileTypes = [
  ...(['Strain', 'Area', 'Product', 'Inventory'] as const),
  ...(['InventoryTransfer', 'InventoryAdjustment', 'Sale'] as const),
] as const;
export type CcrsFileType = (typeof ccrsFileTypes)[number];

/** Which files go together; the next ones wait for the state's mails, because they name what these bring. */
export const ccrsSteps: Readonly<Record<CcrsFileType, 1 | 2 | 3>> = {
  ...{ Strain: 1, Area: 1, Product: 1, Inventory: 2 },
  ...{ InventoryTransfer: 3, InventoryAdjustment: 3, Sale: 3 },
};

/** A row by its headings; a heading that is absent is an empty field. */
export type CcrsRow = Readonly<Record<string, string>>;

/** What a field has to be; null: it is. */
type FieldRule = (value: string, row: CcrsRow) => string | null;

export interface CcrsColumn {
  readonly name: string;
  readonly rule: FieldRule;
}

/** A day of the state's files, `MM/DD/YYYY`, of an ISO day. */
export function ccrsDay(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

/** An ISO day of a day of the state's files; null: it is none. */
function isoDayOf(text: string): string | null {
  const [, month, date, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const day = `${year}-${month}-${date}`;
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : day;
}

const decimalText = /^\d{1,10}(\.\d{1,4})?$/;
const moneyText = /^\d{1,9}\.\d{2}$/;

const text =
  (max: number): FieldRule =>
  (value) => {
    if (value.trim() === '') return 'must not be empty.';
    return value.length > max ? `must have at most ${max} characters, and has ${value.length}.` : null;
  };
const optionalText =
  (max: number): FieldRule =>
  (value) =>
    value === '' ? null : text(max)(value, {});
const oneOf =
  (values: readonly string[]): FieldRule =>
  (value) =>
    values.includes(value) ? null : `must be one of: ${values.join(', ')}.`;
const flag = oneOf(['TRUE', 'FALSE']);
const empty: FieldRule = (value) => (value === '' ? null : 'must be empty for a shop.');
const amount: FieldRule = (value) =>
  decimalText.test(value) ? null : 'must be a number without a sign, with at most four decimals.';
const amountAboveZero: FieldRule = (value, row) =>
  amount(value, row) ?? (Number(value) > 0 ? null : 'must be above zero.');
const money: FieldRule = (value) =>
  moneyText.test(value) ? null : 'must be dollars with two decimals, without a sign.';
const day: FieldRule = (value) => (isoDayOf(value) === null ? 'must be a day, MM/DD/YYYY.' : null);
const license: FieldRule = (value) => (/^\d{6}$/.test(value) ? null : 'must have six digits.');

const changes = (row: CcrsRow) => row.Operation === 'Update' || row.Operation === 'Delete';
const updatedBy: FieldRule = (value, row) =>
  changes(row) ? text(35)(value, row) : optionalText(35)(value, row);
const updatedOn: FieldRule = (value, row) => {
  if (value === '' && !changes(row)) return null;
  const [created, updated] = [isoDayOf(row.CreatedDate ?? ''), isoDayOf(value)];
  if (updated === null) return 'must be a day, MM/DD/YYYY.';
  return created !== null && updated < created ? 'must not be before CreatedDate.' : null;
};

const made: readonly CcrsColumn[] = [
  { name: 'CreatedBy', rule: text(35) },
  { name: 'CreatedDate', rule: day },
];
const changed: readonly CcrsColumn[] = [
  ...made,
  { name: 'UpdatedBy', rule: updatedBy },
  { name: 'UpdatedDate', rule: updatedOn },
  { name: 'Operation', rule: oneOf(['Insert', 'Update', 'Delete']) },
];
const own: CcrsColumn = { name: 'LicenseNumber', rule: license };
const external = (name = 'ExternalIdentifier'): CcrsColumn => ({ name, rule: text(100) });

/** What the state calls goods, by category. */
export const ccrsTypes: Readonly<Record<string, readonly string[]>> = {
  PropagationMaterial: ['Clones', 'Plant', 'Seed'],
  HarvestedMaterial: [
    ...[
      'Flower Lot',
      'Flower Unlotted',
      'Other Material Lot',
      'Other Material Unlotted',
      'Wet Flower',
      'Waste',
    ],
  ],
  IntermediateProduct: [
    ...['Cannabis Mix', 'CBD', 'Food Grade Solvent Concentrate', 'Infused Cooking Medium', 'Waste'],
  ],
  EndProduct: [
    ...[
      'Cannabis Mix Infused',
      'Cannabis Mix Packaged',
      'Capsule',
      'CO2 Concentrate',
      'Concentrate for Inhalation',
    ],
    ...['Ethanol Concentrate', 'Hydrocarbon Concentrate', 'Liquid Edible', 'Non-Solvent Based Concentrate'],
    ...['Sample Jar', 'Solid Edible', 'Suppository', 'Tincture', 'Topical Ointment', 'Transdermal'],
    ...['Usable Cannabis', 'Waste'],
  ],
};

/** The types of which the state wants the weight of a unit. */
const weighed = ['Usable Cannabis', 'Cannabis Mix Packaged'];
/** Names that the state takes for no strain. */
const noStrains = ['unknown', 'thc', 'other'];
/** The state's reasons of an adjustment. */
export const ccrsReasons = ['Destruction', 'Reconciliation', 'Lost', 'Seizure', 'Theft', 'Other'] as const;

/** The headings of each file with their rules. */
export const ccrsColumns: Readonly<Record<CcrsFileType, readonly CcrsColumn[]>> = {
  Strain: [
    own,
    {
      name: 'Strain',
      rule: (value, row) =>
        text(100)(value, row) ??
        (noStrains.includes(value.toLowerCase()) ? 'must be a name, and not Unknown, THC or Other.' : null),
    },
    { name: 'StrainType', rule: oneOf(['Indica', 'Sativa', 'Hybrid']) },
    ...made,
  ],
  Area: [own, { name: 'Area', rule: text(75) }, { name: 'IsQuarantine', rule: flag }, external(), ...changed],
  Product: [
    own,
    { name: 'InventoryCategory', rule: oneOf(Object.keys(ccrsTypes)) },
    {
      name: 'InventoryType',
      rule: (value, row) => oneOf(ccrsTypes[row.InventoryCategory ?? ''] ?? [])(value, row),
    },
    { name: 'Name', rule: text(75) },
    { name: 'Description', rule: optionalText(250) },
    {
      name: 'UnitWeightGrams',
      rule: (value, row) =>
        weighed.includes(row.InventoryType ?? '') ? amountAboveZero(value, row) : amount(value, row),
    },
    external(),
    ...changed,
  ],
  Inventory: [
    own,
    { name: 'Strain', rule: text(100) },
    { name: 'Area', rule: text(75) },
    { name: 'Product', rule: text(75) },
    { name: 'InitialQuantity', rule: amount },
    {
      name: 'QuantityOnHand',
      rule: (value, row) =>
        amount(value, row) ??
        (Number(value) > Number(row.InitialQuantity) ? 'must not be above InitialQuantity.' : null),
    },
    { name: 'TotalCost', rule: amountAboveZero },
    { name: 'IsMedical', rule: flag },
    external(),
    ...changed,
  ],
  InventoryTransfer: [
    { name: 'FromLicenseNumber', rule: text(10) },
    { name: 'ToLicenseNumber', rule: license },
    external('FromInventoryExternalIdentifier'),
    external('ToInventoryExternalIdentifier'),
    { name: 'Quantity', rule: amountAboveZero },
    { name: 'TransferDate', rule: day },
    external(),
    ...changed,
  ],
  InventoryAdjustment: [
    own,
    external('InventoryExternalIdentifier'),
    { name: 'AdjustmentReason', rule: oneOf(ccrsReasons) },
    {
      name: 'AdjustmentDetail',
      rule: (value, row) =>
        (['Other', 'Theft'].includes(row.AdjustmentReason ?? '') ? text(250) : optionalText(250))(value, row),
    },
    { name: 'Quantity', rule: amountAboveZero },
    { name: 'AdjustmentDate', rule: day },
    external(),
    ...changed,
  ],
  Sale: [
    own,
    { name: 'SoldToLicenseNumber', rule: empty },
    external('InventoryExternalIdentifier'),
    { name: 'PlantExternalIdentifier', rule: empty },
    { name: 'SaleType', rule: oneOf(['RecreationalRetail', 'RecreationalMedical']) },
    { name: 'SaleDate', rule: day },
    { name: 'Quantity', rule: amountAboveZero },
    { name: 'UnitPrice', rule: money },
    { name: 'Discount', rule: money },
    { name: 'RetailSalesTax', rule: money },
    {
      name: 'CannabisExciseTax',
      rule: (value, row) =>
        money(value, row) ??
        (Number(value) === 0 && row.SaleType !== 'RecreationalMedical' && isPriced(row)
          ? 'must not be 0: only medical sales are free of the excise tax.'
          : null),
    },
    external('SaleExternalIdentifier'),
    external('SaleDetailExternalIdentifier'),
    ...changed,
  ],
};

/** Whether something was paid. Of goods that were given away there is no tax. */
function isPriced({ Quantity = '0', UnitPrice = '0', Discount = '0' }: CcrsRow): boolean {
  return Math.round(Number(Quantity) * Number(UnitPrice) * 100) > Math.round(Number(Discount) * 100);
}

/** The fields that tell the rows of a file apart. */
export const ccrsKeys: Readonly<Record<CcrsFileType, string>> = {
  ...{ Strain: 'Strain', Area: 'ExternalIdentifier', Product: 'ExternalIdentifier' },
  ...{ Inventory: 'ExternalIdentifier', InventoryTransfer: 'ExternalIdentifier' },
  ...{ InventoryAdjustment: 'ExternalIdentifier', Sale: 'SaleDetailExternalIdentifier' },
};
