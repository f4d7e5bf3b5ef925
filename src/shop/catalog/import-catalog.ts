import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  type InventoryType,
  insertBrands,
  insertCategories,
  insertOptions,
  insertProducts,
  insertProductTags,
  insertSubCategories,
  insertTags,
  type StrainType,
} from './catalog-queries.ts';
import { noPotency } from './option-potency.ts';
import { detailColumns, readDetails } from './product-details.ts';
import { insertNewPhotos, newPhotos } from './product-photos.ts';

interface CatalogImport {
  /** In display order. */
  readonly categories: readonly { readonly name: string; readonly cannabisType: CannabisType }[];
  readonly subCategoryNames: readonly string[];
  readonly brands: readonly { readonly name: string; readonly description: string | null }[];
  readonly tags: readonly { readonly name: string; readonly description: string | null }[];
  readonly products: readonly ImportedProduct[];
}

interface Amounts {
  readonly unit: '%' | 'mg';
  readonly amount: string | null;
  readonly amountEach: string | null;
  readonly low: string | null;
  readonly high: string | null;
}

/** A photo whose picture is here. */
interface StoredPhoto {
  readonly location: string;
  readonly altText: string | null;
}

interface ImportedProduct {
  readonly name: string;
  readonly description: string;
  readonly unit: 'gram' | 'item';
  readonly strainType: StrainType;
  /** Null: without a brand. */
  readonly brandName: string | null;
  readonly categoryName: string;
  readonly subCategoryNames: readonly string[];
  readonly tagNames: readonly string[];
  readonly inventoryType: InventoryType;
  readonly isActive: boolean;
  readonly isFeatured: boolean;
  /** Grams, of a product that is sold by weight. */
  readonly weightTolerance?: string;
  readonly thc: Amounts | null;
  readonly cbd: Amounts | null;
  /** Strain, terpenes and the like; default: none. */
  readonly details?: Parameters<typeof readDetails>[0];
  readonly photos: readonly StoredPhoto[];
  readonly movingAverageCostPerUnit: string | null;
  readonly options: readonly {
    readonly name: string | null;
    readonly amount: string;
    readonly priceCents: number;
    readonly salesPriceCents: number | null;
    readonly upc: string | null;
    readonly content: string | null;
    /** Default: what the product says. */
    readonly thcPercent?: string | null;
    readonly movingAverageCostPerUnit: string | null;
    /** Default: none of its own. */
    readonly photos?: readonly StoredPhoto[];
  }[];
}

export interface ImportedIds {
  /** By name. */
  readonly categoryIds: ReadonlyMap<string, number>;
  readonly brandIds: ReadonlyMap<string, number>;
  /** In the order of the products, and of the options within each. */
  readonly products: readonly { readonly id: number; readonly optionIds: readonly number[] }[];
}

/**
 * Imports a whole catalog into an empty organization: all or nothing. Names must be unique and every reference must
 * match an entry of the import.
 */
export async function importCatalog(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  catalog: CatalogImport,
): Promise<ImportedIds> {
  const nowMs = context.clock.now();
  const stamps = { createdAt: isoTimestamp(nowMs), updatedAt: isoTimestamp(nowMs) };
  const named = async (names: readonly string[]): Promise<Map<string, number>> => {
    const ids = await context.ids.take(names.length);
    return new Map(names.map((name, index) => [name, ids[index]!]));
  };
  const categoryIds = await named(catalog.categories.map((category) => category.name));
  const subCategoryIds = await named(catalog.subCategoryNames);
  const brandIds = await named(catalog.brands.map((brand) => brand.name));
  const tagIds = await named(catalog.tags.map((tag) => tag.name));
  const productIds = await context.ids.take(catalog.products.length);
  const products = await Promise.all(
    catalog.products.map(async (product, index) => ({
      product,
      id: productIds[index]!,
      optionIds: await context.ids.take(product.options.length),
      photoIds: await context.ids.take(photosOf(product).length),
    })),
  );

  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertCategories(
        catalog.categories.map((category, displayOrder) => ({
          ...category,
          id: categoryIds.get(category.name)!,
          displayOrder,
          ...stamps,
        })),
      ),
      ...insertSubCategories(
        catalog.subCategoryNames.map((name) => ({ id: subCategoryIds.get(name)!, name, ...stamps })),
      ),
      ...insertBrands(
        catalog.brands.map(({ name, description }) => ({
          id: brandIds.get(name)!,
          name,
          description,
          ...stamps,
        })),
      ),
      ...insertTags(catalog.tags.map((tag) => ({ ...tag, id: tagIds.get(tag.name)!, ...stamps }))),
      ...insertProducts(
        products.map(({ product, id }) => ({
          ...productColumns(product),
          id,
          brandId: product.brandName === null ? null : brandIds.get(product.brandName)!,
          categoryId: categoryIds.get(product.categoryName)!,
          subCategoryIds: product.subCategoryNames.map((name) => subCategoryIds.get(name)!),
          ...stamps,
        })),
      ),
      ...insertOptions(products.flatMap(optionRows).map((option) => ({ ...option, ...stamps }))),
      ...insertNewPhotos(products.flatMap(photoRows)),
      ...insertProductTags(
        products.flatMap(({ product, id }) =>
          product.tagNames.map((name) => ({ tagId: tagIds.get(name)!, productId: id })),
        ),
      ),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'catalog.imported',
      subjectType: 'organization',
      subjectId: organization,
      payload: { products: products.length },
    });
  });
  return { categoryIds, brandIds, products: products.map(({ id, optionIds }) => ({ id, optionIds })) };
}

interface IdentifiedProduct {
  readonly product: ImportedProduct;
  readonly id: number;
  readonly optionIds: readonly number[];
  readonly photoIds: readonly number[];
}

function optionRows({ product, id, optionIds }: IdentifiedProduct) {
  return product.options.map(({ photos: _, ...option }, position) => ({
    ...noPotency,
    ...option,
    id: optionIds[position]!,
    productId: id,
    position,
  }));
}

/** All photos of a product, its own first. */
function photosOf({ photos, options }: ImportedProduct): readonly StoredPhoto[] {
  return [...photos, ...options.flatMap((option) => option.photos ?? [])];
}

function photoRows({ product, id: productId, optionIds, photoIds }: IdentifiedProduct) {
  const free = [...photoIds];
  const rowsOf = (photos: readonly StoredPhoto[], optionId: number | null) => {
    const wanted = photos.map(({ location: url, altText }) => ({ url, altText }));
    return newPhotos(wanted, free.splice(0, photos.length), { productId, optionId });
  };
  return [
    ...rowsOf(product.photos, null),
    ...product.options.flatMap(({ photos = [] }, position) => rowsOf(photos, optionIds[position]!)),
  ];
}

/** The columns of a product that refer to no other row. */
function productColumns(product: ImportedProduct) {
  const { name, description, unit, strainType, inventoryType, isActive, isFeatured, thc, cbd } = product;
  return {
    name,
    description,
    unit,
    strainType,
    inventoryType,
    isActive,
    isFeatured,
    isCompliant: true,
    weightTolerance: product.weightTolerance ?? null,
    thcAmount: thc?.amount ?? null,
    thcAmountEach: thc?.amountEach ?? null,
    thcAmountRangeLow: thc?.low ?? null,
    thcAmountRangeHigh: thc?.high ?? null,
    thcUnit: thc?.unit ?? null,
    cbdAmount: cbd?.amount ?? null,
    cbdAmountEach: cbd?.amountEach ?? null,
    cbdAmountRangeLow: cbd?.low ?? null,
    cbdAmountRangeHigh: cbd?.high ?? null,
    cbdUnit: cbd?.unit ?? null,
    ...detailColumns(readDetails(product.details ?? {})),
    movingAverageCostPerUnit: product.movingAverageCostPerUnit,
  };
}
