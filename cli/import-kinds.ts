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
  /** The name in a product's option, if it is an option's field. */
  readonly optionName?: string;
  /** Cell content of this field is not repeated in error messages. */
  readonly isPersonal?: true;
}

/** The possible names of a file's columns, and targets of a mapping. */
export type ImportFields = Readonly<Record<string, ImportField>>;

const text = { kind: 'text' } as const;
const potency = { kind: 'potency' } as const;

/** One row is one option; the rows of one product agree about it. */
const productFields: ImportFields = {
  name: text,
  brandName: text,
  category: text,
  subCategories: { kind: 'list' },
  description: text,
  unit: text,
  strainType: text,
  photos: { kind: 'list' },
  thcAmount: potency,
  thcAmountEach: potency,
  thcAmountRangeLow: potency,
  thcAmountRangeHigh: potency,
  thcUnit: text,
  cbdAmount: potency,
  cbdAmountEach: potency,
  cbdAmountRangeLow: potency,
  cbdAmountRangeHigh: potency,
  cbdUnit: text,
  strain: text,
  sku: text,
  terpenes: { kind: 'terpenes' },
  effects: { kind: 'list' },
  flavours: { kind: 'list' },
  labResults: { kind: 'lab-results' },
  optionName: { kind: 'text', optionName: 'name' },
  amount: { kind: 'measure', optionName: 'amount' },
  price: { kind: 'cents', optionName: 'price' },
  salesPrice: { kind: 'cents', optionName: 'salesPrice' },
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

/** The kinds of imports, each with the rules of its slice. */
export interface ImportKind<Row> {
  readonly noun: string;
  readonly fields: ImportFields;
  /** The fields that group rows; empty: every row is its own item. */
  readonly groupedBy: readonly string[];
  /** Lists that requests require and files may omit. */
  readonly emptyLists: readonly string[];
  /** Loads the change that bodies get before they are read. */
  loadChange(): Promise<(body: unknown) => unknown>;
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
  loadChange: async () => (await import('./markdown-of.ts')).withMarkdown,
  read: readProductRow,
  keysOf: productRowKeys,
  write: importProductRows,
};

export const customerImport: ImportKind<NewCustomerRow> = {
  noun: 'customers',
  fields: customerFields,
  groupedBy: [],
  emptyLists: [],
  loadChange: async () => (body) => body,
  read: readCustomerRow,
  keysOf: customerRowKeys,
  write: importCustomerRows,
};
