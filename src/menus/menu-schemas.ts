import Type from 'typebox';
import { optionFields, productFields } from '../catalog/products.ts';
import { DecimalText, Flag, Id, List, Named, Nullable, OneOf, Text, WholeNumber } from '../http/schemas.ts';
import { cannabisTypes } from '../kernel/cannabis-type.ts';

/** Products as the menu and the list of all products show them (D17). */

export const listMax = 100_000;

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

export const MenuProduct = Named(
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

export const CatalogProduct = Named(
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

export const MenuCategory = Type.Object({
  id: Id(),
  name: Text({ max: 200 }),
  order: WholeNumber({ min: 0, max: 1_000_000 }),
  cannabisType: OneOf(cannabisTypes),
});
