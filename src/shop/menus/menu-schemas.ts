import Type from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import {
  Cents,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { optionPhotos, ShownPhoto } from '../catalog/photo-schemas.ts';
import { optionFields, productFields } from '../catalog/product-schemas.ts';

/** Products as the menu and the list of all products show them (D17). */

/** More than any list has. */
export const listMax = 100_000;

const MaxQuantity = Nullable(
  WholeNumber({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Quantity that can be bought now; 0: sold out; null: not tracked',
  }),
);

const shelfFields = {
  unitPlural: Text({ description: 'The unit, for more than one', max: 20 }),
  photos: List(ShownPhoto, { max: 100, description: 'In order' }),
};

/** What one unit costs a cart without a customer; the special fields where an automatic discount applies (D68). */
const priceFields = {
  displayPrice: Cents({
    description:
      'The price to show where there is no cart: what one unit costs now by itself, before taxes and fees, with the sale price and the discounts that apply by themselves to every customer and every order',
  }),
  specialPrice: Nullable(
    Cents({
      description:
        'What a cart of one unit costs now, before taxes and fees, with the discounts that apply by themselves to every customer; null: none applies',
    }),
  ),
  specialMinimumOrder: Nullable(
    Cents({
      description:
        'The order that `specialPrice` needs, where one unit reaches it by itself: a condition to say beside the price, `displayPrice` is without it; null: `specialPrice` needs none',
    }),
  ),
  specialName: Nullable(Text({ max: 10_000, description: 'The names of those discounts' })),
  specialEndsAt: Nullable(
    Timestamp({ description: 'When the first of those discounts ends; null: none of them has an end' }),
  ),
};

export const MenuProduct = Named(
  'MenuProduct',
  Type.Object({
    ...productFields,
    ...shelfFields,
    inStock: Flag({ description: 'Whether an option can be bought now' }),
    tags: List(Type.Object({ id: Id(), name: Text({ max: 200 }) }), {
      max: listMax,
      description: 'Tags of the product, as `GET products/tags` lists them',
    }),
    options: List(
      Type.Object({
        ...optionFields,
        ...priceFields,
        photos: optionPhotos,
        productId: Id({ description: 'Id of the product' }),
        maxQuantity: MaxQuantity,
      }),
      { description: 'The sizes in which it is sold', max: listMax },
    ),
  }),
);

export const CatalogProduct = Named(
  'CatalogProduct',
  Type.Object({
    ...productFields,
    ...shelfFields,
    locationInventory: List(
      Type.Object({
        inventoryLocationId: Id({ description: 'Id of the inventory location' }),
        amount: DecimalText({ description: 'Stock at the location, as a decimal' }),
      }),
      {
        max: listMax,
        description: 'Stock of a product whose stock is kept per product',
      },
    ),
    movingAverageCostPerUnit: Nullable(DecimalText({ description: 'Dollars' })),
    options: List(
      Type.Object({
        ...optionFields,
        photos: optionPhotos,
        productId: Id({ description: 'Id of the product' }),
        locationInventory: List(
          Type.Object({
            inventoryLocationId: Id({ description: 'Id of the inventory location' }),
            amount: DecimalText({ description: 'Stock at the location, as a decimal' }),
            maxQuantity: MaxQuantity,
          }),
          { max: listMax, description: 'Stock of an option whose stock is kept per option' },
        ),
        movingAverageCostPerUnit: Nullable(DecimalText({ description: 'Dollars' })),
      }),
      { description: 'The sizes in which it is sold', max: listMax },
    ),
  }),
);

export const MenuCategory = Type.Object({
  id: Id(),
  name: Text({ max: 200 }),
  order: WholeNumber({ description: 'Place in the order of display', min: 0, max: 1_000_000 }),
  cannabisType: OneOf(cannabisTypes, { description: 'How purchase limits and taxes count it' }),
});
