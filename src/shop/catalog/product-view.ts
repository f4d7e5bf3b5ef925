import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type {
  BrandRow,
  CategoryRow,
  OptionRow,
  ProductRow,
  ShownPhotoRow,
  SubCategoryRow,
} from './catalog-queries.ts';
import { optionLabel } from './option-label.ts';
import { type PhotoRow, selectPhotosOfProducts } from './product-photo-queries.ts';
import { photoSizes } from './product-photo-sizes.ts';
import { photosByOwner } from './product-photos.ts';
import {
  type JoinedBrand,
  type ShownProductRow,
  selectOptionsOfProducts,
  selectShownProducts,
  selectSubCategoriesOfProducts,
} from './product-queries.ts';

/** Products as responses show them, for all callers. */

type ProductOf = Omit<ProductRow, 'moving_average_cost_per_unit'>;

interface ProductRelations {
  /** Null: without a brand. */
  readonly brand: BrandRow | null;
  readonly category: Omit<CategoryRow, 'display_order'>;
  readonly subCategoryOf: ReadonlyMap<number, SubCategoryRow>;
}

/**
 * The fields of a product in every response; photos and options differ. The row and what belongs to it are given apart: one object
 * of all of them would be a copy of fifty fields for each product of a page, which took half of its time.
 */
export function productView(product: ProductOf, { brand, category, subCategoryOf }: ProductRelations) {
  return {
    id: product.id,
    organizationId: product.organization_id,
    name: product.name,
    description: product.description,
    unit: product.unit,
    strainType: product.strain_type,
    brand: brand && brandView(brand),
    subCategories: product.sub_category_ids.flatMap((id) => {
      const subCategory = subCategoryOf.get(id);
      return subCategory === undefined ? [] : [subCategoryView(subCategory)];
    }),
    primaryCategory: categoryView(category),
    inventoryType: product.inventory_type,
    isActive: product.is_active,
    isFeatured: product.is_featured,
    isCompliant: product.is_compliant,
    weightTolerance: textOrNull(product.weight_tolerance),
    thcAmount: textOrNull(product.thc_amount),
    thcAmountEach: textOrNull(product.thc_amount_each),
    thcAmountRangeLow: textOrNull(product.thc_amount_range_low),
    thcAmountRangeHigh: textOrNull(product.thc_amount_range_high),
    thcUnit: product.thc_unit,
    cbdAmount: textOrNull(product.cbd_amount),
    cbdAmountEach: textOrNull(product.cbd_amount_each),
    cbdAmountRangeLow: textOrNull(product.cbd_amount_range_low),
    cbdAmountRangeHigh: textOrNull(product.cbd_amount_range_high),
    cbdUnit: product.cbd_unit,
    strain: product.strain,
    sku: product.sku,
    terpenes: product.terpenes,
    effects: product.effects,
    flavours: product.flavours,
    labResults: product.lab_results,
    createdAt: isoTimestamp(product.created_at),
    updatedAt: isoTimestamp(product.updated_at),
  };
}

/** An option as responses show it: with a label if it has no name. */
export function optionView(option: OptionRow, unit: ProductRow['unit']) {
  return {
    id: option.id,
    name: optionLabel(option.name, option.amount, unit),
    amount: Number(option.amount),
    price: option.price_cents,
    salesPrice: option.sales_price_cents,
    upc: option.upc,
    content: textOrNull(option.content),
    thcPercent: textOrNull(option.thc_percent),
    thcMg: textOrNull(option.thc_mg),
    cbdPercent: textOrNull(option.cbd_percent),
    cbdMg: textOrNull(option.cbd_mg),
    createdAt: isoTimestamp(option.created_at),
    updatedAt: isoTimestamp(option.updated_at),
  };
}

/** Photos with their sizes, as the menu shows them (D17a, D68). */
export function photosView(photos: readonly ShownPhotoRow[], photoUrl: (location: string) => string) {
  return photos.map((photo) => ({
    id: photo.id,
    fullPath: photoUrl(photo.location),
    altText: photo.alt_text,
    sizes: photoSizes(photo.location).map(({ width, location }) => ({ width, fullPath: photoUrl(location) })),
  }));
}

/** A brand as responses show it. */
export function brandView(brand: BrandRow) {
  return {
    id: brand.id,
    name: brand.name,
    createdAt: isoTimestamp(brand.created_at),
    updatedAt: isoTimestamp(brand.updated_at),
    description: brand.description,
  };
}

/** The brand of a product that was read with it. */
export function joinedBrand(row: JoinedBrand): BrandRow | null {
  const { brand_id: id, brand_name: name, brand_created_at, brand_updated_at } = row;
  if (id === null || name === null || brand_created_at === null || brand_updated_at === null) return null;
  return {
    id,
    name,
    description: row.brand_description,
    created_at: brand_created_at,
    updated_at: brand_updated_at,
  };
}

/** A sub-category as products show it. */
function subCategoryView(row: SubCategoryRow) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

/** A category as responses show it. */
export function categoryView(row: Omit<CategoryRow, 'display_order'>) {
  return {
    id: row.id,
    name: row.name,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    cannabisType: row.cannabis_type,
  };
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : canonicalDecimalText(text);
}

/** The statements that read whole products; `showProducts` combines their rows. */
export function productStatements(ids: readonly number[]) {
  return [
    selectShownProducts({ ids }),
    selectOptionsOfProducts({ productIds: ids }),
    selectPhotosOfProducts({ productIds: ids }),
    selectSubCategoriesOfProducts({ productIds: ids }),
  ] as const;
}

/** Sends the changes of a product together with the read of its new state: one round trip. */
export async function writeAndRead(
  tx: TenantTransaction,
  id: number,
  ...writes: readonly (BoundStatement<unknown> | null)[]
): Promise<ProductRows> {
  const replies = await tx.run(...writes, ...productStatements([id]));
  // The list's length is unknown to the types; the last four results are those of productStatements.
  return replies.slice(writes.length) as unknown as ProductRows;
}

export type ProductRows = readonly [ShownProductRow[], OptionRow[], PhotoRow[], SubCategoryRow[]];

/** The fields of a product that was read with its brand and category. */
export function shownProductView(row: ShownProductRow, subCategoryOf: ReadonlyMap<number, SubCategoryRow>) {
  return productView(row, {
    brand: joinedBrand(row),
    category: {
      id: row.primary_category_id,
      name: row.category_name,
      cannabis_type: row.category_cannabis_type,
      created_at: row.category_created_at,
      updated_at: row.category_updated_at,
    },
    subCategoryOf,
  });
}

/** Whole products, in the order of the ids; `photoUrl` returns the public address of a stored photo. */
export function showProducts(
  ids: readonly number[],
  [products, options, photos, subCategories]: ProductRows,
  photoUrl: (location: string) => string,
) {
  const rowOf = new Map(products.map((row) => [row.id, row]));
  const optionsOf = groupBy(options, (row) => row.product_id);
  const { ofProduct, ofOption } = photosByOwner(photos);
  const subCategoryOf = new Map(subCategories.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return [];
    return [
      Object.assign(shownProductView(row, subCategoryOf), {
        deletedAt: row.deleted_at === null ? null : isoTimestamp(row.deleted_at),
        photos: (ofProduct.get(id) ?? []).map(({ location }) => photoUrl(location)),
        photoAltTexts: (ofProduct.get(id) ?? []).map((photo) => photo.alt_text),
        options: (optionsOf.get(id) ?? []).map((option) =>
          Object.assign(optionView(option, row.unit), {
            photos: photosView(ofOption.get(option.id) ?? [], photoUrl),
          }),
        ),
      }),
    ];
  });
}
