import {
  type CategoryRow,
  optionView,
  type ProductRow,
  productView,
  selectBrands,
  selectCategories,
  selectOptions,
  selectPhotos,
  selectProducts,
  selectSubCategories,
} from '../catalog/products.ts';
import type { Context } from '../database/context.ts';
import { digestOf } from '../database/statement.ts';
import {
  maxQuantity,
  selectLocations,
  selectOrderTypeLocations,
  selectStockLevels,
} from '../inventory/stock.ts';
import { type Decimal, zero } from '../kernel/decimal.ts';
import { groupBy } from '../kernel/group-by.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { catalogProduct, levelsOf, shelfFields, stockKey } from './catalog-product.ts';
import type { MenuSource } from './menu-cache.ts';

export type MenuType = 'delivery' | 'pickup' | 'in-store';

/** The source rows of both pages. */
function catalogReads({ clock }: Context, activeOnly: boolean) {
  return [
    selectProducts({ activeOnly }),
    selectOptions({}),
    selectBrands({}),
    selectCategories({}),
    selectSubCategories({}),
    selectPhotos({}),
    selectStockLevels({ at: isoTimestamp(clock.now()) }),
    selectLocations({}),
    selectOrderTypeLocations({}),
  ] as const;
}

/** Read on one snapshot, with the digest if requested: never a mix of old and new. */
async function readCatalog(
  context: Context,
  organization: OrganizationId,
  activeOnly: boolean,
  withDigest: boolean,
) {
  const reads = catalogReads(context, activeOnly);
  const [
    products,
    options,
    brands,
    categories,
    subCategories,
    photos,
    levels,
    locations,
    typeLocations,
    ...digests
  ] = await context.database.read(organization, ...reads, ...(withDigest ? reads.map(digestOf) : []));
  return {
    digest: withDigest ? joinDigests(digests) : undefined,
    products,
    optionsOf: groupBy(options, (row) => row.product_id),
    brands: new Map(brands.map((row) => [row.id, row])),
    categories,
    categoryOf: new Map(categories.map((row) => [row.id, row])),
    subCategories: new Map(subCategories.map((row) => [row.id, row])),
    photosOf: groupBy(photos, (row) => row.product_id),
    levelsOf: groupBy(levels, (row) => stockKey(row.product_id, row.product_option_id)),
    locations,
    typeLocations,
  };
}

type Catalog = Awaited<ReturnType<typeof readCatalog>>;

/** A page of the catalog, by its renderer. */
function catalogPage(
  context: Context,
  organization: OrganizationId,
  activeOnly: boolean,
  textOf: (catalog: Catalog) => string,
): MenuSource {
  return {
    digest: async () => {
      const digests = catalogReads(context, activeOnly).map(digestOf);
      return joinDigests(await context.database.read(organization, ...digests));
    },
    render: async (withDigest) => {
      const catalog = await readCatalog(context, organization, activeOnly, withDigest);
      return { text: textOf(catalog), digest: catalog.digest };
    },
  };
}

function joinDigests(digests: readonly (readonly { readonly digest: string }[])[]): string {
  return digests.map(([row]) => row!.digest).join('');
}

/** `GET menu` (D17): active products with the quantities that can be bought now for one order type. */
export function menuSource(
  context: Context,
  organization: OrganizationId,
  type: MenuType,
  photoUrl: (location: string) => string,
): MenuSource {
  return catalogPage(context, organization, true, (catalog) => renderMenu(catalog, type, photoUrl));
}

/** `GET products/all` (D17): every product with its stock by location and its cost. */
export function allProductsSource(
  context: Context,
  organization: OrganizationId,
  photoUrl: (location: string) => string,
): MenuSource {
  return catalogPage(context, organization, false, (catalog) => renderAllProducts(catalog, photoUrl));
}

function renderMenu(catalog: Catalog, type: MenuType, photoUrl: (location: string) => string): string {
  const drawn = new Set(
    catalog.typeLocations.filter((row) => row.order_type === type).map((row) => row.inventory_location_id),
  );
  const data = catalog.products.map((product) => {
    const options = (catalog.optionsOf.get(product.id) ?? []).map((option) => ({
      ...optionView(option, product.unit),
      productId: product.id,
      maxQuantity: maxQuantity(
        { inventoryType: product.inventory_type, amount: option.amount },
        levelsOf(catalog.levelsOf, product, option)
          .filter((level) => drawn.has(level.inventory_location_id))
          .reduce<Decimal>((sum, level) => sum.plus(level.sellable), zero),
      ),
    }));
    return {
      ...productFields(product, catalog),
      inStock: options.some((option) => option.maxQuantity === null || option.maxQuantity > 0),
      ...shelfFields(product, catalog.photosOf.get(product.id) ?? [], photoUrl),
      options,
    };
  });
  return JSON.stringify({ data, meta: { categories: catalog.categories.map(menuCategory) } });
}

function renderAllProducts(catalog: Catalog, photoUrl: (location: string) => string): string {
  const data = catalog.products.map((product) =>
    catalogProduct(productFields(product, catalog), product, {
      options: catalog.optionsOf.get(product.id) ?? [],
      photos: catalog.photosOf.get(product.id) ?? [],
      levelsOf: catalog.levelsOf,
      photoUrl,
    }),
  );
  return JSON.stringify({
    data,
    meta: { categories: catalog.categories.map(menuCategory), inventoryLocations: catalog.locations },
  });
}

function productFields(product: ProductRow, catalog: Catalog) {
  return productView({
    ...product,
    brand: product.brand_id === null ? null : catalog.brands.get(product.brand_id)!,
    category: catalog.categoryOf.get(product.primary_category_id)!,
    subCategoryOf: catalog.subCategories,
  });
}

function menuCategory(row: CategoryRow) {
  return { id: row.id, name: row.name, order: row.display_order, cannabisType: row.cannabis_type };
}
