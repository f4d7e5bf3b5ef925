import type { ImportedProduct } from '../catalog/import-product-rows.ts';
import { exportedProduct, importProductRows, productRowKeys, readProductRow } from '../catalog/products.ts';
import type { ImportFields, ImportKind } from './import-kind.ts';

const text = { kind: 'text' } as const;
const potency = { kind: 'potency', mayBeNothing: true } as const;
/** A text that products may lack. */
const further = { kind: 'text', mayBeNothing: true } as const;

/** One row is one option; the rows of one product agree about it. */
const productFields = {
  name: text,
  brandName: further,
  category: text,
  subCategories: { kind: 'list', mayBeNothing: true },
  description: further,
  unit: text,
  strainType: text,
  photos: { kind: 'list', mayBeNothing: true },
  photoAltTexts: { kind: 'texts', mayBeNothing: true },
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
  strain: further,
  sku: { kind: 'code' },
  terpenes: { kind: 'terpenes', mayBeNothing: true },
  effects: { kind: 'list', mayBeNothing: true },
  flavours: { kind: 'list', mayBeNothing: true },
  labResults: { kind: 'lab-results', mayBeNothing: true },
  optionName: { ...further, optionName: 'name' },
  amount: { kind: 'measure', mayBeNothing: true, optionName: 'amount' },
  price: { kind: 'cents', optionName: 'price', zero: 'not-sold' },
  salesPrice: { kind: 'cents', optionName: 'salesPrice', zero: 'none' },
  content: { kind: 'measure', mayBeNothing: true, optionName: 'content' },
  upc: { kind: 'code', optionName: 'upc' },
  optionPhotos: { kind: 'list', mayBeNothing: true, optionName: 'photos' },
  optionPhotoAltTexts: { kind: 'texts', mayBeNothing: true, optionName: 'photoAltTexts' },
} as const satisfies ImportFields;

export type ProductField = keyof typeof productFields;

/** The fields that a column can fill. */
export const productFieldNames = Object.keys(productFields) as ProductField[];

/** Products, each of one row or several. */
export const productImport: ImportKind<ImportedProduct> = {
  noun: 'products',
  fields: productFields,
  groupedBy: ['name', 'brandName', 'category'],
  equalRowsAreOne: true,
  emptyLists: ['subCategories', 'photos'],
  ofExport: exportedProduct,
  loadChange: async () => (await import('./markdown-of.ts')).withMarkdown,
  read: readProductRow,
  keysOf: productRowKeys,
  write: importProductRows,
};
