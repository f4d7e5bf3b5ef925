import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { type Endpoint, endpoint, type RawJsonReply, replyRawJson } from '../http/endpoint.ts';
import { List, OneOf } from '../http/schemas.ts';
import { InventoryLocation } from '../inventory/stock.ts';
import { MenuCache, type MenuPage } from './menu-cache.ts';
import { allProductsExample, allProductsMetaExample, menuExample, menuMetaExample } from './menu-examples.ts';
import { allProductsSource, menuSource } from './menu-page.ts';
import { CatalogProduct, listMax, MenuCategory, MenuProduct } from './menu-schemas.ts';

/** @param photoUrl returns the public address of a stored photo. */
export function menuRoutes(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  const cache = new MenuCache(context);
  return [
    endpoint({
      id: 'getMenu',
      method: 'GET',
      path: '/api/v1/menu',
      address: 'menu',
      permission: 'menu',
      kind: 'read',
      summary: 'Retrieve the menu',
      description:
        'The active products with prices and the quantities that can be bought now for one order type. Sold-out options stay listed with `maxQuantity` 0. Products are listed for a type that the organization does not offer as well (`hasDelivery`, `hasPickup`); orders of it are refused with `INVALID_ORDER_TYPE`. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed.',
      source: ['D1', 'D16', 'D17', 'D47', 'D48'],
      tag: 'Menu',
      query: Type.Object({
        type: Type.Optional(
          OneOf(['delivery', 'pickup', 'in-store'], {
            description: 'Default `delivery`, even if the organization does not deliver',
          }),
        ),
      }),
      success: {
        status: 200,
        data: List(MenuProduct, { max: listMax }),
        meta: Type.Object({ categories: List(MenuCategory, { max: listMax }) }),
        description: 'The menu',
        example: menuExample,
        metaExample: menuMetaExample,
        revalidates: true,
      },
      failures: [],
      handle: ({ caller, query }) => {
        const type = query.type ?? 'delivery';
        const { organizationId } = caller;
        const source = () => menuSource(context, organizationId, type, photoUrl);
        return replyPage(cache.page(organizationId, type, source));
      },
    }),
    endpoint({
      id: 'listAllProducts',
      method: 'GET',
      path: '/api/v1/products/all',
      address: 'menu',
      permission: 'analytics',
      rateGroup: 'menu',
      kind: 'read',
      summary: 'List all products',
      description: 'All products, active or not, with their stock by location and its cost.',
      source: ['D1', 'D16', 'D17', 'D47'],
      tag: 'Menu',
      success: {
        status: 200,
        data: List(CatalogProduct, { max: listMax }),
        meta: Type.Object({
          categories: List(MenuCategory, { max: listMax }),
          inventoryLocations: List(InventoryLocation, { max: listMax }),
        }),
        description: 'The products',
        example: allProductsExample,
        metaExample: allProductsMetaExample,
        revalidates: true,
      },
      failures: [],
      handle: ({ caller: { organizationId } }) => {
        const source = () => allProductsSource(context, organizationId, photoUrl);
        return replyPage(cache.page(organizationId, 'all', source));
      },
    }),
  ];
}

const revalidated = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

function replyPage(page: Promise<MenuPage> | MenuPage): Promise<RawJsonReply> | RawJsonReply {
  if (page instanceof Promise) return page.then(replyPage);
  const { bytes, etag } = page;
  return replyRawJson(bytes, { etag, headers: revalidated, isKept: true });
}
