import {
  exportedProduct,
  type ImportedProduct,
  importProductRows,
  productRowKeys,
  readProductRow,
} from '../catalog/products.ts';
import type { ImportFields, ImportKind } from './import-kind.ts';

const text = { kind: 'text' } as const;
const potency = { kind: 'potency' } as const;

/** One row is one option; the rows of one product agree about it. */
const productFields = {
  name: text,
  brandName: text,
  category: text,
  subCategories: { kind: 'list' },
  description: text,
  unit: text,
  strainType: text,
  photos: { kind: 'list' },
  photoAltTexts: { kind: 'texts' },
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
  sku: { kind: 'code' },
  terpenes: { kind: 'terpenes' },
  effects: { kind: 'list' },
  flavours: { kind: 'list' },
  labResults: { kind: 'lab-results' },
  optionName: { kind: 'text', optionName: 'name' },
  amount: { kind: 'measure', optionName: 'amount' },
  price: { kind: 'cents', optionName: 'price', zero: 'not-sold' },
  salesPrice: { kind: 'cents', optionName: 'salesPrice', zero: 'none' },
  content: { kind: 'measure', optionName: 'content' },
  upc: { kind: 'code', optionName: 'upc' },
  optionPhotos: { kind: 'list', optionName: 'photos' },
  optionPhotoAltTexts: { kind: 'texts', optionName: 'photoAltTexts' },
} as const satisfies ImportFields;

export type ProductField = keyof typeof productFields;

/** The fields that a column can fill. */
export const productFieldNames = Object.keys(productFields) as ProductField[];

/** Products, each of one row or several. */
export const productImport: ImportKind<ImportedProduct> = {
  noun: 'products',
  fields: productFields,
  groupedBy: ['name', 'brandName', 'category'],
  emptyLists: ['subCategories', 'photos'],
  ofExport: exportedProduct,
  loadChange: async () => (await import('./markdown-of.ts')).withMarkdown,
  read: readProductRow,
  keysOf: productRowKeys,
  write: importProductRows,
};
