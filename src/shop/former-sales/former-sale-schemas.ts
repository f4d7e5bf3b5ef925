import Type, { type Static } from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import {
  CentsTotal,
  Flag,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';

const countedTypes = cannabisTypes.filter((type) => type !== 'none');

export const FormerSaleLine = Named(
  'FormerSaleLine',
  Type.Object({
    productName: Text({ max: 500 }),
    brandName: Nullable(Text({ max: 200 })),
    category: Nullable(Text({ max: 200 })),
    tag: Nullable(Text({ max: 100, description: "The state's tag of the package" })),
    quantity: Text({ max: 40, description: 'A decimal; of a returned line what came back' }),
    isReturn: Flag(),
    gross: CentsTotal({ description: 'Cents, before discounts' }),
    discount: CentsTotal({ description: 'Cents' }),
    net: CentsTotal({ description: 'Cents, after discounts and before taxes' }),
    tax: CentsTotal({ description: 'Cents' }),
    cannabisType: Nullable(OneOf(countedTypes, { description: 'Null: it counts for no purchase limit' })),
    content: Nullable(
      Text({ max: 40, description: 'What the line counts for limits, in the unit of its type' }),
    ),
    thcMg: Type.Optional(
      Nullable(Text({ max: 40, description: 'Its THC in milligrams, for limits that count that' })),
    ),
  }),
);

/** A line as it is stored. */
export type FormerLine = Static<typeof FormerSaleLine>;

export const FormerSale = Named(
  'FormerSale',
  Type.Object({
    till: Text({ max: 40 }),
    number: Text({ max: 100, description: 'The number of the ticket at that till' }),
    soldAt: Timestamp(),
    refundOf: Nullable(Text({ max: 100, description: 'The number of the ticket that it gives back' })),
    gross: CentsTotal({ description: 'Cents, before discounts' }),
    discount: CentsTotal({ description: 'Cents' }),
    net: CentsTotal({ description: 'Cents, after discounts and before taxes' }),
    tax: CentsTotal({ description: 'Cents' }),
    lines: List(FormerSaleLine, { max: 500 }),
  }),
);
