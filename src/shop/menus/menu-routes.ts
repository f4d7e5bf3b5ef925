import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, type RawJsonReply, replyRawJson } from '../../platform/http/endpoint.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  NonBlankText,
  OneOf,
  Text,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { strainTypes } from '../catalog/product-schemas.ts';
import { InventoryLocation } from '../inventory/stock.ts';
import { MenuCache, type MenuPage } from './menu-cache.ts';
import { allProductsExample, allProductsMetaExample, menuExample, menuMetaExample } from './menu-examples.ts';
import { versionOf } from './menu-items.ts';
import { allProductsSource, menuSource } from './menu-page.ts';
import { CatalogProduct, listMax, MenuCategory, MenuProduct } from './menu-schemas.ts';
import { MenuVersions } from './menu-versions.ts';
import { menuSorts } from './select-items.ts';
import { selectedMenu } from './selected-menu.ts';

const IdOrName = (ofWhat: string) =>
  Type.Optional(NonBlankText({ max: 200, description: `Id or name of ${ofWhat}; case does not matter` }));

const MenuQueryFields = Type.Object({
  type: Type.Optional(
    OneOf(['delivery', 'pickup', 'in-store'], {
      description: 'Default `delivery`, even if the organization does not deliver',
    }),
  ),
  category: IdOrName('a category'),
  brand: IdOrName('a brand'),
  strainType: Type.Optional(OneOf(strainTypes, { description: 'Only products of this strain type' })),
  tag: IdOrName('a tag'),
  search: Type.Optional(
    NonBlankText({
      max: 200,
      description:
        'Words, in any order, that are in the name, brand, category, sub-categories, tags, strain type, or in the name or UPC of an option',
    }),
  ),
  minPrice: Type.Optional(
    Cents({ description: 'Cents: products with an option whose `displayPrice` is at least this' }),
  ),
  maxPrice: Type.Optional(Cents({ description: 'Cents: the same option costs at most this' })),
  onSale: Type.Optional(Flag({ description: 'Whether an option has a `salesPrice` or a `specialPrice`' })),
  inStock: Type.Optional(Flag({ description: 'Whether an option can be bought now' })),
  sort: Type.Optional(
    OneOf(menuSorts, {
      description: 'Default: by product id. By price: the cheapest option decides, by its `displayPrice`',
    }),
  ),
  limit: Type.Optional(
    WholeNumber({ min: 1, max: 500, description: 'Most products in the reply; default: all' }),
  ),
  startingAfter: Type.Optional(
    withErrorCode(Id({ description: 'Product `id`: the last one of the previous page' }), 'INVALID_CURSOR'),
  ),
  changedSince: Type.Optional(
    NonBlankText({
      max: 100,
      description:
        '`meta.version` or `ETag` of a menu that you have: the reply has only the products that differ since then (`meta.changesOnly`), or the whole menu if that version is too old',
    }),
  ),
});

/** @param photoUrl returns the public address of a stored photo. */
export function menuRoutes(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  const cache = new MenuCache(context);
  const versions = new MenuVersions();
  return [
    endpoint({
      id: 'getMenu',
      method: 'GET',
      path: '/api/v1/menu',
      address: 'menu',
      permission: 'menu',
      publishableKey: 'allowed',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'kept ready: its pages are cut from it' },
      namesNoContact: true,
      summary: 'Retrieve the menu',
      description:
        'The active products with prices and the quantities that can be bought now for one order type. Sold-out options stay listed with `maxQuantity` 0. Products are listed for a type that the organization does not offer as well (`hasDelivery`, `hasPickup`); orders of it are refused with `INVALID_ORDER_TYPE`. `specialPrice` is what a cart of one unit costs by automatic discounts. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed, or `meta.version` as `changedSince` to get only what differs. Filters apply together.',
      tag: 'Menu',
      query: MenuQueryFields,
      success: {
        status: 200,
        data: List(MenuProduct, { max: listMax }),
        meta: Type.Object({
          categories: List(MenuCategory, { max: listMax, description: 'All categories, in display order' }),
          total: WholeNumber({ min: 0, max: listMax, description: 'How many products fit the query' }),
          version: Text({ max: 100, description: 'Version of the menu of this type, for `changedSince`' }),
          changesOnly: Type.Optional(
            Flag({ description: 'True: `data` has only the products that differ since `changedSince`' }),
          ),
          removedProductIds: Type.Optional(
            List(Id(), {
              max: listMax,
              description: 'With `changesOnly`: products that the menu, or the query, no longer shows',
            }),
          ),
        }),
        description: 'The menu',
        example: menuExample,
        metaExample: menuMetaExample,
        revalidates: true,
      },
      failures: ['INVALID_CURSOR'],
      handle: ({ caller, query: { type = 'delivery', ...query } }) => {
        const { organizationId } = caller;
        const source = () => menuSource(context, organizationId, type, photoUrl);
        const page = cache.page(organizationId, type, source);
        const name = `${organizationId}/${type}`;
        const answer = (known: MenuPage) => {
          versions.note(name, known.menu!);
          const bytes = selectedMenu(known.menu!, query, versions, name);
          return bytes === undefined ? replyPage(known) : replySelection(bytes);
        };
        return page instanceof Promise ? page.then(answer) : answer(page);
      },
    }),
    endpoint({
      id: 'listAllProducts',
      method: 'GET',
      path: '/api/v1/products/all',
      address: 'menu',
      permission: 'analytics',
      publishableKey: 'refused',
      rateGroup: 'menu',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'all products, as the menu' },
      summary: 'List all products',
      description: 'All products, active or not, with their stock by location and its cost.',
      tag: 'Menu',
      success: {
        status: 200,
        data: List(CatalogProduct, { max: listMax }),
        meta: Type.Object({
          categories: List(MenuCategory, {
            description: 'The categories of the products, in the order of display',
            max: listMax,
          }),
          inventoryLocations: List(InventoryLocation, {
            description: 'The locations of the stock',
            max: listMax,
          }),
        }),
        description: 'The products',
        example: allProductsExample,
        metaExample: allProductsMetaExample,
        revalidates: true,
      },
      failures: [],
      handle: ({ caller: { organizationId } }) => {
        const source = () => allProductsSource(context, organizationId, photoUrl);
        const page = cache.page(organizationId, 'all', source);
        return page instanceof Promise ? page.then(replyPage) : replyPage(page);
      },
    }),
  ];
}

const revalidated = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

function replyPage({ bytes, etag }: MenuPage): RawJsonReply {
  return replyRawJson(bytes, { etag, headers: revalidated, isKept: true });
}

/** A part of a menu: made for one request, so it is not kept. */
function replySelection(bytes: Buffer): RawJsonReply {
  return replyRawJson(bytes, { etag: `"${versionOf([bytes])}"`, headers: revalidated });
}
