import type { InventoryType, insertOptions, insertProducts } from './catalog-queries.ts';
import { readNames, type SentNames } from './name-references.ts';
import { checkPotency, type OptionContent, type Potency, readName } from './product-content.ts';
import { detailColumns, type ProductDetails, readDetails } from './product-details.ts';
import {
  type NewPhoto,
  newPhotos,
  readPhotos,
  refuseUnreachable,
  type WantedPhoto,
} from './product-photos.ts';
import type { CreateProductRequest } from './product-schemas.ts';

/** Builds new products (D43), for single requests and imports. Pure. */

export interface NewProduct {
  readonly request: CreateProductRequest;
  readonly names: SentNames;
  readonly photos: readonly WantedPhoto[];
  /** The photos of each option, in their order; undefined: the request says nothing about them. */
  readonly optionPhotos: readonly (readonly WantedPhoto[] | undefined)[];
  readonly potency: Potency;
  readonly details: ProductDetails;
  /** What only staff set, of a product that another shop had; absent: as of any new product. */
  readonly kept?: KeptSettings;
}

interface KeptSettings {
  readonly inventoryType: InventoryType;
  readonly isActive: boolean;
  readonly isFeatured: boolean;
  readonly isCompliant: boolean;
  readonly weightTolerance?: string | null | undefined;
}

/** A new product is on no menu. */
const newSettings: KeptSettings = {
  inventoryType: 'option',
  isActive: false,
  isFeatured: false,
  isCompliant: true,
};

/** A parsed request. Fails with INVALID_PARAMS and MISSING_PARAMS. */
export function readNewProduct(request: CreateProductRequest): NewProduct {
  const names = readNames({ ...request, brandName: request.brandName ?? null });
  const photos = readPhotos(request.photos);
  const optionPhotos = request.options.map((option, index) =>
    option.photos === undefined ? undefined : readPhotos(option.photos, `options[${index}].photos`),
  );
  for (const photo of [...photos, ...optionPhotos.flatMap((wanted) => wanted ?? [])])
    refuseUnreachable(photo);
  const potency = {
    thcAmount: request.thcAmount ?? null,
    thcAmountEach: request.thcAmountEach ?? null,
    thcAmountRangeLow: request.thcAmountRangeLow ?? null,
    thcAmountRangeHigh: request.thcAmountRangeHigh ?? null,
    thcUnit: request.thcUnit ?? null,
    cbdAmount: request.cbdAmount ?? null,
    cbdAmountEach: request.cbdAmountEach ?? null,
    cbdAmountRangeLow: request.cbdAmountRangeLow ?? null,
    cbdAmountRangeHigh: request.cbdAmountRangeHigh ?? null,
    cbdUnit: request.cbdUnit ?? null,
  };
  checkPotency(potency, request);
  const name = readName(request.name, 'name');
  const details = readDetails(request);
  return { request: { ...request, name }, names, photos, optionPhotos, potency, details };
}

/** How many photos a new product has with its options. */
export function photoCount({ photos, optionPhotos }: Pick<NewProduct, 'photos' | 'optionPhotos'>): number {
  return optionPhotos.reduce((sum, ofOption) => sum + (ofOption?.length ?? 0), photos.length);
}

interface NewProductIds {
  readonly id: number;
  readonly optionIds: readonly number[];
  /** As many as `photoCount`. */
  readonly photoIds: readonly number[];
}

/** The ids of its names, and the time of creation. */
interface NewProductPlace {
  readonly brandId: number | null;
  readonly categoryId: number;
  readonly subCategoryIds: readonly number[];
  readonly createdAt: string;
}

type RowOf<Insert extends (rows: readonly never[]) => unknown> = Parameters<Insert>[0][number];

/** The rows of a new product. */
interface NewProductRows {
  readonly product: RowOf<typeof insertProducts>;
  readonly options: readonly RowOf<typeof insertOptions>[];
  readonly photos: readonly NewPhoto[];
}

/** Builds the rows of a new product. */
export function newProductRows(
  { request, potency, details, photos, optionPhotos, kept = newSettings }: NewProduct,
  options: readonly OptionContent[],
  { id, optionIds, photoIds }: NewProductIds,
  { createdAt, ...place }: NewProductPlace,
): NewProductRows {
  const stamps = { createdAt, updatedAt: createdAt };
  const free = [...photoIds];
  return {
    product: {
      ...potency,
      ...detailColumns(details),
      ...stamps,
      ...place,
      id,
      name: request.name,
      description: request.description ?? '',
      unit: request.unit,
      strainType: request.strainType,
      ...kept,
      weightTolerance: kept.weightTolerance ?? null,
      movingAverageCostPerUnit: null,
    },
    options: options.map((option, position) => ({
      ...option,
      ...stamps,
      id: optionIds[position]!,
      productId: id,
      position,
      movingAverageCostPerUnit: null,
    })),
    photos: [
      ...newPhotos(photos, free.splice(0, photos.length), { productId: id, optionId: null }),
      ...optionPhotos.flatMap((wanted = [], index) =>
        newPhotos(wanted, free.splice(0, wanted.length), { productId: id, optionId: optionIds[index]! }),
      ),
    ],
  };
}
