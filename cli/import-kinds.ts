import {
  type ImportedProduct,
  importProductRows,
  productRowKeys,
  readProductRow,
} from '../src/catalog/products.ts';
import {
  customerRowKeys,
  importCustomerRows,
  type NewCustomerRow,
  readCustomerRow,
} from '../src/customers/customers.ts';
import type { Context, Origin } from '../src/database/context.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { ImportOutcome } from '../src/kernel/import-outcome.ts';
import type { CellKind } from './cell-values.ts';

export interface ImportField {
  readonly kind: CellKind;
  /** Its name in an option of the product, where it is one of an option. */
  readonly optionName?: string;
  /** What stands in a cell of it is not repeated when it is refused. */
  readonly isPersonal?: true;
}

/** What the columns of a file may be called, or be mapped to. */
export type ImportFields = Readonly<Record<string, ImportField>>;

const text = { kind: 'text' } as const;
const measure = { kind: 'measure' } as const;

/** One row is one option; rows of one product follow each other and say the same of it. */
const productFields: ImportFields = {
  name: text,
  brandName: text,
  category: text,
  subCategories: { kind: 'list' },
  description: text,
  unit: text,
  strainType: text,
  photos: { kind: 'list' },
  thcAmount: measure,
  thcAmountEach: measure,
  thcAmountRangeLow: measure,
  thcAmountRangeHigh: measure,
  thcUnit: text,
  cbdAmount: measure,
  cbdAmountEach: measure,
  cbdAmountRangeLow: measure,
  cbdAmountRangeHigh: measure,
  cbdUnit: text,
  optionName: { kind: 'text', optionName: 'name' },
  amount: { kind: 'measure', optionName: 'amount' },
  price: { kind: 'whole', optionName: 'price' },
  salesPrice: { kind: 'whole', optionName: 'salesPrice' },
  content: { kind: 'measure', optionName: 'content' },
  upc: { kind: 'text', optionName: 'upc' },
};

const personal = { kind: 'text', isPersonal: true } as const;

const customerFields: ImportFields = {
  firstName: personal,
  lastName: personal,
  email: personal,
  phone: personal,
  birthday: personal,
  sex: personal,
  zip: personal,
  licenseExpiry: personal,
  medicalExpiration: personal,
  marketingOptIn: { kind: 'flag', isPersonal: true },
  taxExempt: { kind: 'flag', isPersonal: true },
  joinedAt: { kind: 'moment', isPersonal: true },
};

/** What can be imported, each by its slice's own rules. */
export interface ImportKind<Row> {
  readonly noun: string;
  readonly fields: ImportFields;
  /** Fields by which rows belong together; none: every row stands for itself. */
  readonly groupedBy: readonly string[];
  /** Lists that a request must have and that a file may leave out. */
  readonly emptyLists: readonly string[];
  read(body: unknown): Row;
  keysOf(row: Row): readonly string[];
  write(
    context: Context,
    origin: Origin,
    organization: OrganizationId,
    rows: readonly Row[],
    options: { readonly isTrial: boolean },
  ): Promise<ImportOutcome[]>;
}

export const productImport: ImportKind<ImportedProduct> = {
  noun: 'products',
  fields: productFields,
  groupedBy: ['name', 'brandName', 'category'],
  emptyLists: ['subCategories', 'photos'],
  read: readProductRow,
  keysOf: productRowKeys,
  write: importProductRows,
};

export const customerImport: ImportKind<NewCustomerRow> = {
  noun: 'customers',
  fields: customerFields,
  groupedBy: [],
  emptyLists: [],
  read: readCustomerRow,
  keysOf: customerRowKeys,
  write: importCustomerRows,
};
