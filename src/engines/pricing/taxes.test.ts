import { expect, test } from 'vitest';
import { priceCart } from './price-cart.ts';
import type { CartTax } from './pricing-facts.ts';
import {
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
  sampleTax,
} from './sample-cart.test-support.ts';
import { findTaxContradiction } from './taxes.ts';

const amounts = (taxes: CartTax[], facts = {}) =>
  priceCart(sampleCart({ taxes, ...facts })).taxes.map((tax) => tax.amountCents);

test('an excluded category is not taxed, and has no part of the tax', () => {
  const cart = priceCart(
    sampleCart({
      lines: [sampleLine(), sampleLine({ productOptionId: 2, productCategoryId: 2 })],
      taxes: [sampleTax({ excludedProductCategoryIds: [2] })],
    }),
  );
  expect(cart.taxes[0]?.amountCents).toBe(100);
  expect(cart.lines.map((line) => line.taxAllocations)).toEqual([[{ taxId: 1, amountCents: 100 }], []]);
});

test('an encompassing tax includes the lower tiers and not its own', () => {
  const upper = { rate: '10', tier: '2', encompass: true } as const;
  expect(amounts([sampleTax(), sampleTax({ id: 2, ...upper }), sampleTax({ id: 3, ...upper })])).toEqual([
    100, 110, 110,
  ]);
});

test('an encompassing tax includes a lower tier only on its own lines', () => {
  const lines = [sampleLine(), sampleLine({ productOptionId: 2, productCategoryId: 2 })];
  const sales = sampleTax({ id: 2, tier: '2', encompass: true, excludedProductCategoryIds: [2] });
  expect(amounts([sampleTax(), sales], { lines })).toEqual([200, 110]);
});

test('a delivery fee has the taxes that apply to fees, and never an included one', () => {
  const deliveryFee = { cents: 500, description: null };
  expect(amounts([sampleTax({ appliesToFees: true })], { deliveryFee })).toEqual([150]);
  expect(amounts([sampleTax({ appliesToFees: false })], { deliveryFee })).toEqual([100]);
  expect(amounts([sampleTax({ appliesToFees: true, included: true })], { deliveryFee })).toEqual([91]);
});

test("a delivery fee's part of a tax is separate from the lines' part", () => {
  const cart = priceCart(
    sampleCart({
      taxes: [sampleTax({ appliesToFees: true })],
      deliveryFee: { cents: 500, description: null },
    }),
  );
  expect(cart.taxes[0]?.feeAllocationCents).toBe(50);
  expect(cart.lines[0]?.taxAllocations).toEqual([{ taxId: 1, amountCents: 100 }]);
});

test('an exempt customer still pays on categories that cannot be exempted, and not on the delivery fee', () => {
  const cart = priceCart(
    sampleCart({
      lines: [sampleLine(), sampleLine({ productOptionId: 2, productCategoryId: 2 })],
      taxes: [sampleTax({ exemptable: true, nonExemptableProductCategoryIds: [2], appliesToFees: true })],
      taxExempt: true,
      deliveryFee: { cents: 500, description: null },
    }),
  );
  expect(cart.taxes).toMatchObject([
    { amountBeforeExemptionCents: 250, amountCents: 100, amountExemptedCents: 150, feeAllocationCents: 0 },
  ]);
  expect(cart.lines.map((line) => line.taxAllocations[0]?.amountCents)).toEqual([0, 100]);
});

test('a tax is rounded once per order, not once per line', () => {
  const lines = [1, 2, 3].map((productOptionId) => sampleLine({ productOptionId, priceCents: 4 }));
  expect(amounts([sampleTax()], { lines })).toEqual([1]);
  expect(amounts([sampleTax({ rounding: 'up' })], { lines })).toEqual([2]);
});

test('exempted taxes never reduce more than the prices that include them', () => {
  const hundred = { rate: '100', included: true, exemptable: true };
  const cart = priceCart(
    sampleCart({
      lines: [sampleLine({ priceCents: 2 })],
      taxes: [1, 2, 3].map((id) => sampleTax({ id, ...hundred })),
      taxExempt: true,
    }),
  );
  expect(cart.taxes.map((tax) => tax.amountExemptedCents)).toEqual([1, 1, 1]);
  expect(cart.adjustments.map((adjustment) => adjustment.amountCents)).toEqual([-1, -1]);
  expect(cart.netPriceCents).toBe(0);
});

test('an included tax that encompasses one that is not included is refused', () => {
  const included = sampleTax({ id: 2, description: 'sales', tier: '2', included: true, encompass: true });
  const added = sampleTax({ id: 1, description: 'excise' });
  const contradiction = '"sales" is included in prices and encompasses "excise", which is not';
  expect(findTaxContradiction([included, added])).toBe(contradiction);
  expect(() => priceCart(sampleCart({ taxes: [added, included] }))).toThrow(contradiction);

  expect(findTaxContradiction([{ ...added, included: true }, included])).toBeNull();
  expect(findTaxContradiction([added, { ...included, encompass: false }])).toBeNull();
  expect(findTaxContradiction([added, { ...included, included: false }])).toBeNull();
  expect(findTaxContradiction([{ ...added, tier: '2' }, included])).toBeNull();
});

test('where the price before discounts is taxed, only the tax is based on the list price', () => {
  const cart = priceCart(
    sampleCart({
      lines: [
        sampleLine({ productOptionId: 1, priceCents: 2000, salesPriceCents: 1500, quantity: 2 }),
        sampleLine({ productOptionId: 2 }),
      ],
      taxes: [sampleTax({ rate: '20' }), sampleTax({ id: 2, rate: '3', tier: '2' })],
      discounts: sampleDiscounts([sampleDiscount({ kind: 'order', amount: '50' })]),
      taxBase: 'before-discounts',
    }),
  );
  expect(cart).toMatchObject({
    merchandiseCents: 2000,
    taxes: [{ amountCents: 1000 }, { amountCents: 150 }],
    lines: [
      {
        taxAllocations: [
          { taxId: 1, amountCents: 800 },
          { taxId: 2, amountCents: 120 },
        ],
      },
      {
        taxAllocations: [
          { taxId: 1, amountCents: 200 },
          { taxId: 2, amountCents: 30 },
        ],
      },
    ],
    netPriceCents: 3150,
  });
});
