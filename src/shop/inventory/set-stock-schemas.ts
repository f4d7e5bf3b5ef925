import Type, { type Static } from 'typebox';
import {
  CheckedLater,
  DecimalText,
  Described,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { BatchError } from '../catalog/product-schemas.ts';

/** Counts that integrators send. */

const externalId = NonBlankText({ max: 200, description: 'Your id of the option' });

export const StockLineBody = Named(
  'StockLine',
  Type.Object({
    productOptionId: Type.Optional(Nullable(Id({ description: 'The option; or send `externalId`' }))),
    externalId: Type.Optional(Nullable(externalId)),
    inventoryLocationId: Id({ description: 'Where it was counted' }),
    counted: DecimalText({
      description: 'What was there, in the unit of the stock, without what open orders have taken',
    }),
  }),
);
export type StockLineRequest = Static<typeof StockLineBody>;

const stockLinesMax = 500;

export const SetStockBody = Type.Object({
  countedAt: Timestamp({ description: 'The moment of the counts: what moves after it counts on top' }),
  lines: List(CheckedLater(StockLineBody), {
    min: 1,
    max: stockLinesMax,
    description: 'Each is checked by itself',
  }),
});

export const StockResults = Type.Object({
  results: List(
    Named(
      'StockResult',
      Type.Object({
        productOptionId: Type.Optional(Id({ description: 'Id of the option' })),
        externalId: Type.Optional(Text({ max: 200, description: 'Your id of the option' })),
        onHand: Type.Optional(DecimalText({ description: 'Stock on hand now; absent with an error' })),
        isChanged: Type.Optional(Flag({ description: 'Whether the line changed the stock' })),
        error: Type.Optional(Described('Why the line was refused; absent: it was not', BatchError)),
      }),
    ),
    { max: stockLinesMax, description: 'In the order of the lines' },
  ),
});

export const setStockExample = {
  countedAt: '2026-03-01T17:05:09.123Z',
  lines: [{ productOptionId: 2201, inventoryLocationId: 2401, counted: '48' }],
} as const;
