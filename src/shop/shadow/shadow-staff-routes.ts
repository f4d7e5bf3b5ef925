import Type, { type Static } from 'typebox';
import { differenceCauses } from '../../engines/pricing/explain-difference.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  CentsTotal,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { orderTypes } from '../carts/cart-schemas.ts';
import { type ShadowedSale, shadowSales, summaryOf } from './shadow-sales.ts';

const cartsMax = 100;
const linesMax = 100;

const Totals = Named(
  'ShadowTotals',
  Type.Object({
    subtotal: Cents({ description: 'Cents, all units before discounts and taxes' }),
    discount: Cents({ description: 'Cents' }),
    tax: Cents({ description: 'Cents' }),
    total: Cents({ description: 'Cents, what the customer pays, without tips' }),
  }),
);

const Cart = Type.Object({
  reference: Text({ min: 1, max: 100, description: 'What the cart is called in the other system' }),
  type: OneOf(orderTypes),
  postalCode: Type.Optional(Nullable(Text({ max: 10, description: 'Of a delivery' }))),
  lines: List(
    Type.Object({
      productOptionId: Type.Optional(
        Nullable(Id({ description: 'Without it, the option is found by UPC, SKU, or name and size' })),
      ),
      productName: Type.Optional(Nullable(Text({ max: 500 }))),
      brandName: Type.Optional(Nullable(Text({ max: 200 }))),
      sku: Type.Optional(Nullable(Text({ max: 100 }))),
      upc: Type.Optional(Nullable(Text({ max: 100 }))),
      size: Type.Optional(Nullable(Text({ max: 200 }))),
      quantity: WholeNumber({ min: 1, max: 9999 }),
    }),
    { min: 1, max: linesMax },
  ),
  totals: Totals,
});

const Cause = Named(
  'DifferenceCause',
  Type.Object({
    cause: OneOf(differenceCauses, {
      description:
        '`base`: taxes on another amount; `order-of-taxes`: taxes on taxes, or not; `unknown`: none of these makes the cents',
    }),
    amount: CentsTotal({ description: 'Cents; above zero: the other system charges more' }),
  }),
);

const Shadowed = Named(
  'ShadowedCart',
  Type.Object({
    reference: Text({ max: 100 }),
    theirs: Totals,
    ours: Nullable(Totals),
    problem: Nullable(Text({ max: 1000, description: 'Why the cart has no price here' })),
    difference: CentsTotal({ description: 'Cents, theirs less ours' }),
    causes: List(Cause, { max: differenceCauses.length }),
  }),
);

const Summary = Type.Object({
  carts: WholeNumber({ min: 0, max: cartsMax }),
  equal: WholeNumber({ min: 0, max: cartsMax, description: 'Charged to the cent as here' }),
  unpriced: WholeNumber({ min: 0, max: cartsMax }),
  difference: CentsTotal({ description: 'Cents, theirs less ours' }),
  causes: List(
    Type.Object({
      cause: OneOf(differenceCauses),
      carts: WholeNumber({ min: 1, max: cartsMax }),
      amount: CentsTotal({ description: 'Cents' }),
    }),
    { max: differenceCauses.length },
  ),
});

const theirs = { subtotal: 4500, discount: 0, tax: 731, total: 5231 };

/** The staff operation of the shadow. */
export function shadowStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffShadowCarts',
      method: 'POST',
      path: '/staff/v1/shadow-carts',
      roles: ['owner', 'manager'],
      kind: 'read',
      summary: 'Price carts of another system',
      description: `Prices up to ${cartsMax} carts that another system has charged with today's settings, as carts of strangers, and says of every cent of difference by what it comes about. Nothing is stored.`,
      tag: 'Orders',
      body: Type.Object({ carts: List(Cart, { min: 1, max: cartsMax }) }),
      requestExample: {
        carts: [
          {
            reference: 'T-1042',
            type: 'in-store',
            lines: [{ productOptionId: 3101, quantity: 1 }],
            totals: theirs,
          },
        ],
      },
      success: {
        status: 200,
        data: Type.Object({ carts: List(Shadowed, { max: cartsMax }), summary: Summary }),
        description: 'Each cart with its differences',
        example: {
          carts: [
            {
              ...{ reference: 'T-1042', theirs, problem: null, difference: 1 },
              ours: { subtotal: 4500, discount: 0, tax: 730, total: 5230 },
              causes: [{ cause: 'rounding', amount: 1 }],
            },
          ],
          summary: {
            ...{ carts: 1, equal: 0, unpriced: 0, difference: 1 },
            causes: [{ cause: 'rounding', carts: 1, amount: 1 }],
          },
        },
      },
      failures: [],
      handle: async ({ staff, body }) => {
        const sales = await shadowSales(
          context,
          staff.organizationId,
          body.carts.map(({ totals, ...cart }) => ({ ...cart, totals: centsOf(totals) })),
        );
        const { differenceCents, causes, ...counts } = summaryOf(sales);
        return reply({
          carts: sales.map(shown),
          summary: {
            ...counts,
            difference: differenceCents,
            causes: causes.map(({ cents, ...it }) => ({ ...it, amount: cents })),
          },
        });
      },
    }),
  ];
}

function centsOf({ subtotal, discount, tax, total }: Static<typeof Totals>): ShadowedSale['theirs'] {
  return { subtotalCents: subtotal, discountCents: discount, taxCents: tax, totalCents: total };
}

function shown({ reference, theirs: other, ours, problem, differenceCents, causes }: ShadowedSale) {
  const totals = ({ subtotalCents, discountCents, taxCents, totalCents }: ShadowedSale['theirs']) => ({
    ...{ subtotal: subtotalCents, discount: discountCents, tax: taxCents, total: totalCents },
  });
  return {
    ...{ reference, theirs: totals(other), problem },
    ours: ours === null ? null : totals(ours),
    difference: differenceCents,
    causes: causes.map(({ cause, cents }) => ({ cause, amount: cents })),
  };
}
