import Type from 'typebox';
import { optionFields, productFields } from '../catalog/products.ts';
import type { Context } from '../database/context.ts';
import { type Endpoint, endpoint, type RawJsonReply, replyRawJson } from '../http/endpoint.ts';
import { DecimalText, Flag, Id, List, Named, Nullable, OneOf, Text, WholeNumber } from '../http/schemas.ts';
import { InventoryLocation } from '../inventory/stock.ts';
import { cannabisTypes } from '../kernel/cannabis-type.ts';
import { MenuCache, type MenuPage } from './menu-cache.ts';
import { allProductsExample, allProductsMetaExample, menuExample, menuMetaExample } from './menu-examples.ts';
import { allProductsSource, menuSource } from './menu-page.ts';

const listMax = 100_000;

const MaxQuantity = Nullable(
  WholeNumber({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Quantity that can be bought now; 0: sold out; null: not tracked (D47)',
  }),
);

const shelfFields = {
  unitPlural: Text({ max: 20 }),
  photos: List(Type.Object({ id: Id(), fullPath: Text({ max: 2000 }) }), { max: 100 }),
};

const MenuProduct = Named(
  'MenuProduct',
  Type.Object({
    ...productFields,
    ...shelfFields,
    inStock: Flag(),
    options: List(Type.Object({ ...optionFields, productId: Id(), maxQuantity: MaxQuantity }), {
      max: listMax,
    }),
  }),
);

const CatalogProduct = Named(
  'CatalogProduct',
  Type.Object({
    ...productFields,
    ...shelfFields,
    locationInventory: List(Type.Object({ inventoryLocationId: Id(), amount: DecimalText() }), {
      max: listMax,
      description: 'Stock of a product whose stock is kept per product',
    }),
    movingAverageCostPerUnit: Nullable(DecimalText({ description: 'Dollars' })),
    options: List(
      Type.Object({
        ...optionFields,
        productId: Id(),
        locationInventory: List(
          Type.Object({ inventoryLocationId: Id(), amount: DecimalText(), maxQuantity: MaxQuantity }),
          { max: listMax, description: 'Stock of an option whose stock is kept per option' },
        ),
        movingAverageCostPerUnit: Nullable(DecimalText({ description: 'Dollars' })),
      }),
      { max: listMax },
    ),
  }),
);

const MenuCategory = Type.Object({
  id: Id(),
  name: Text({ max: 200 }),
  order: WholeNumber({ min: 0, max: 1_000_000 }),
  cannabisType: OneOf(cannabisTypes),
});

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
