import { optionLabel } from './option-label.ts';
import { potencyFields } from './option-potency.ts';

/** A product of an export as what an import takes: the two are one format. Pure. */

type Values = Readonly<Record<string, unknown>>;

/** The fields that an export has in the form of a request. */
const sameFields = [
  ...[
    'name',
    'description',
    'unit',
    'strainType',
    'strain',
    'sku',
    'terpenes',
    'effects',
    'flavours',
    'labResults',
  ],
  ...['thcAmount', 'thcAmountEach', 'thcAmountRangeLow', 'thcAmountRangeHigh', 'thcUnit'],
  ...['cbdAmount', 'cbdAmountEach', 'cbdAmountRangeLow', 'cbdAmountRangeHigh', 'cbdUnit'],
] as const;

/**
 * The body of a new product for a product as the staff's list and an export have it, with what only staff set under `exported`.
 * Null: it is none; a text: why it is left out.
 */
export function exportedProduct(values: Values): Values | string | null {
  const { primaryCategory, brand, options, subCategories, inventoryType } = values;
  if (!isValues(primaryCategory) || !Array.isArray(options) || inventoryType === undefined) return null;
  if (typeof values.deletedAt === 'string') return 'is a product that was deleted, and was left out';
  return {
    ...Object.fromEntries(sameFields.flatMap((field) => (field in values ? [[field, values[field]]] : []))),
    category: primaryCategory.name,
    brandName: isValues(brand) ? brand.name : null,
    subCategories: (Array.isArray(subCategories) ? subCategories : []).map((one) =>
      isValues(one) ? one.name : one,
    ),
    photos: photosOf(values.photos, values.photoAltTexts),
    options: options.map((option: unknown) => (isValues(option) ? optionOf(option, values.unit) : option)),
    exported: {
      cannabisType: primaryCategory.cannabisType,
      brandDescription: isValues(brand) ? (brand.description ?? null) : null,
      inventoryType,
      isActive: values.isActive,
      isFeatured: values.isFeatured,
      isCompliant: values.isCompliant,
      weightTolerance: values.weightTolerance ?? null,
    },
  };
}

function optionOf(
  { name, amount, price, salesPrice, content, upc, photos, ...option }: Values,
  unit: unknown,
): Values {
  const isLabel =
    (unit === 'gram' || unit === 'item') &&
    typeof amount === 'number' &&
    name === optionLabel(null, String(amount), unit);
  return {
    ...{ name: isLabel ? null : name, amount, price, salesPrice, content, upc },
    ...Object.fromEntries(
      potencyFields.flatMap((field) => (field in option ? [[field, option[field]]] : [])),
    ),
    photos: (Array.isArray(photos) ? photos : []).map((photo: unknown) =>
      isValues(photo) ? { url: photo.fullPath, altText: photo.altText ?? null } : photo,
    ),
  };
}

function photosOf(photos: unknown, altTexts: unknown): readonly unknown[] {
  const texts = Array.isArray(altTexts) ? altTexts : [];
  return (Array.isArray(photos) ? photos : []).map((url: unknown, at) => ({
    url,
    altText: texts[at] ?? null,
  }));
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
