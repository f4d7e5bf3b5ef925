import { type Decimal, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { digestOf } from '../../platform/statements/statement.ts';
import { specialPriceStatements } from '../carts/carts.ts';
import type { SpecialPriceRows } from '../carts/special-prices.ts';
import {
  type CategoryRow,
  optionView,
  type ProductRow,
  photosByOwner,
  photosView,
  productView,
  selectBrands,
  selectCategories,
  selectOptions,
  selectPhotos,
  selectProducts,
  selectSubCategories,
  selectTags,
} from '../catalog/products.ts';
import {
  maxQuantity,
  selectLocations,
  selectOrderTypeLocations,
  selectStockLevels,
} from '../inventory/stock.ts';
import { catalogProduct, levelsOf, shelfFields, stockKey } from './catalog-product.ts';
import type { MenuSource, RenderedMenu } from './menu-cache.ts';
import { type MenuItem, type NamedThing, searchTextOf, versionOf } from './menu-items.ts';
import { type MenuType, menuSpecials, menuSpecialsInForce, shownPrices } from './menu-specials.ts';

/** The source rows of both pages; the menu of active products also shows special prices and is searched by tags. */
function catalogReads({ clock }: Context, activeOnly: boolean) {
  const [organization, offered] = specialPriceStatements(clock.now());
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
    activeOnly ? selectTags({}) : null,
    activeOnly ? organization : null,
    activeOnly ? offered : null,
  ] as const;
}

function digestsOf(reads: ReturnType<typeof catalogReads>) {
  return reads.filter((read) => read !== null).map(digestOf);
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
    tags,
    organizations,
    offered,
    ...digests
  ] = await context.database.read(organization, ...reads, ...(withDigest ? digestsOf(reads) : []));
  return {
    digest: withDigest ? joinDigests(digests) : undefined,
    products,
    optionsOf: groupBy(options, (row) => row.product_id),
    brands: new Map(brands.map((row) => [row.id, row])),
    categories,
    categoryOf: new Map(categories.map((row) => [row.id, row])),
    subCategories: new Map(subCategories.map((row) => [row.id, row])),
    photosOf: photosByOwner(photos),
    levelsOf: groupBy(levels, (row) => stockKey(row.product_id, row.product_option_id)),
    locations,
    typeLocations,
    tagsOf: tagsByProduct(tags),
    specialRows: [organizations, offered] as const,
  };
}

type Catalog = Awaited<ReturnType<typeof readCatalog>>;

function joinDigests(digests: readonly (readonly { readonly digest: string }[])[]): string {
  return digests.map(([row]) => row!.digest).join('');
}

/** `GET menu` (D17, D68): active products with special prices and the quantities that can be bought now for one order type. */
export function menuSource(
  context: Context,
  organization: OrganizationId,
  type: MenuType,
  photoUrl: (location: string) => string,
): MenuSource {
  // Special prices also change with the time and the law, without a change of rows.
  const inForce = (rows: SpecialPriceRows) => menuSpecialsInForce(context, type, rows);
  return {
    digest: async () => {
      const [organizations, offered, ...digests] = await context.database.read(
        organization,
        ...specialPriceStatements(context.clock.now()),
        ...digestsOf(catalogReads(context, true)),
      );
      return joinDigests(digests) + inForce([organizations, offered]);
    },
    render: async (withDigest) => {
      const catalog = await readCatalog(context, organization, true, withDigest);
      const { digest, specialRows } = catalog;
      const specials = menuSpecials(context, type, catalog);
      return {
        ...renderMenu(catalog, type, specials, photoUrl),
        digest: digest && digest + inForce(specialRows),
      };
    },
  };
}

/** `GET products/all` (D17): every product with its stock by location and its cost. */
export function allProductsSource(
  context: Context,
  organization: OrganizationId,
  photoUrl: (location: string) => string,
): MenuSource {
  return {
    digest: async () =>
      joinDigests(await context.database.read(organization, ...digestsOf(catalogReads(context, false)))),
    render: async (withDigest) => {
      const catalog = await readCatalog(context, organization, false, withDigest);
      return { bytes: Buffer.from(renderAllProducts(catalog, photoUrl)), digest: catalog.digest };
    },
  };
}

function renderMenu(
  catalog: Catalog,
  type: MenuType,
  specials: ReturnType<typeof menuSpecials>,
  photoUrl: (location: string) => string,
): Omit<RenderedMenu, 'digest'> {
  const drawn = new Set(
    catalog.typeLocations.filter((row) => row.order_type === type).map((row) => row.inventory_location_id),
  );
  const { photosOf } = catalog;
  const rendered = catalog.products.map((product) => {
    const options = (catalog.optionsOf.get(product.id) ?? []).map((option) => {
      const view = optionView(option, product.unit);
      return {
        ...view,
        ...shownPrices(view, specials.get(option.id)),
        photos: photosView(photosOf.ofOption.get(option.id) ?? [], photoUrl),
        productId: product.id,
        maxQuantity: maxQuantity(
          { inventoryType: product.inventory_type, amount: option.amount },
          levelsOf(catalog.levelsOf, product, option)
            .filter((level) => drawn.has(level.inventory_location_id))
            .reduce<Decimal>((sum, level) => sum.plus(level.sellable), zero),
        ),
      };
    });
    const tags = catalog.tagsOf.get(product.id) ?? [];
    const shown = {
      ...productFields(product, catalog),
      tags,
      inStock: options.some((option) => option.maxQuantity === null || option.maxQuantity > 0),
      ...shelfFields(product, photosOf.ofProduct.get(product.id) ?? [], photoUrl),
      options,
    };
    return { text: JSON.stringify(shown), item: menuItem(shown, product) };
  });
  const categories = JSON.stringify(catalog.categories.map(menuCategory));
  const texts = rendered.map(({ text }) => text);
  const data = texts.join(',');
  const version = versionOf([data, categories]);
  const head = '{"data":[';
  const meta = `],"meta":{"categories":${categories},"total":${texts.length},"version":"${version}"}}`;
  const bytes = Buffer.from(head + data + meta);
  let start = head.length;
  const items = rendered.map(({ text, item }): MenuItem => {
    const end = start + Buffer.byteLength(text);
    const own = { ...item, bytes: bytes.subarray(start, end) };
    start = end + 1;
    return own;
  });
  return { bytes, menu: { version, categories, items } };
}

function tagsByProduct(tags: readonly { id: number; name: string; product_ids: number[] | null }[]) {
  const tagsOf = new Map<number, NamedThing[]>();
  for (const { id, name, product_ids: productIds } of tags) {
    for (const productId of productIds ?? []) {
      const known = tagsOf.get(productId);
      if (known === undefined) tagsOf.set(productId, [{ id, name }]);
      else known.push({ id, name });
    }
  }
  return tagsOf;
}

type ShownOption = ReturnType<typeof optionView> & ReturnType<typeof shownPrices>;
type ShownProduct = ReturnType<typeof productFields> & {
  readonly tags: readonly NamedThing[];
  readonly inStock: boolean;
  readonly options: readonly ShownOption[];
};

/** What queries of the menu ask of a product (D68). */
function menuItem(product: ShownProduct, { created_at: createdAtMs }: ProductRow): Omit<MenuItem, 'bytes'> {
  const { brand, primaryCategory, subCategories, tags, options } = product;
  return {
    id: product.id,
    name: product.name,
    createdAtMs,
    category: primaryCategory,
    brand,
    strainType: product.strainType,
    tags,
    prices: options.map(({ displayPrice }) => displayPrice),
    isOnSale: options.some((option) => option.specialPrice !== null || option.salesPrice !== null),
    inStock: product.inStock,
    searchText: searchTextOf([
      product.name,
      brand?.name ?? '',
      product.strainType,
      primaryCategory.name,
      ...subCategories.map(({ name }) => name),
      ...tags.map(({ name }) => name),
      ...options.flatMap(({ name, upc }) => [name, upc ?? '']),
    ]),
  };
}

function renderAllProducts(catalog: Catalog, photoUrl: (location: string) => string): string {
  const data = catalog.products.map((product) =>
    catalogProduct(productFields(product, catalog), product, {
      options: catalog.optionsOf.get(product.id) ?? [],
      photosOf: catalog.photosOf,
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
  return productView(product, {
    brand: product.brand_id === null ? null : catalog.brands.get(product.brand_id)!,
    category: catalog.categoryOf.get(product.primary_category_id)!,
    subCategoryOf: catalog.subCategories,
  });
}

function menuCategory(row: CategoryRow) {
  return { id: row.id, name: row.name, order: row.display_order, cannabisType: row.cannabis_type };
}
