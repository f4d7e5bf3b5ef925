import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainDifference, type OtherTotals, type ShadowedCart } from './explain-difference.ts';
import { priceCart } from './price-cart.ts';
import type { CartTax, PriceCartInput } from './pricing-facts.ts';

/* Another till charges the same cart in its own way; each cent of difference has the cause that was put there. */

const tax = (id: number, rate: string, more: Partial<CartTax> = {}): CartTax => ({
  ...{
    id,
    description: `Tax ${id}`,
    rate,
    tier: '1',
    type: 'percent' as never,
    included: false,
    encompass: false,
  },
  ...{ exemptable: true, appliesToFees: false, rounding: 'half-up' },
  ...{ excludedProductCategoryIds: [], nonExemptableProductCategoryIds: [] },
  ...more,
});
const excise = tax(1, '15');
const sales = tax(2, '9.25', { tier: '2', encompass: true });

const line = (productOptionId: number, priceCents: number, quantity: number, productCategoryId = 1) => ({
  ...{ productOptionId, productId: productOptionId, productCategoryId, productBrandId: null },
  ...{
    productTagIds: [],
    isCannabis: true,
    quantity,
    priceCents,
    salesPriceCents: null,
    givenPriceCents: null,
  },
});
const noLimits = { budtenderPercent: null, managerPercent: null, maximumPercent: null };
const cartOf = (lines: PriceCartInput['lines'], taxes: readonly CartTax[]): PriceCartInput => ({
  ...{ lines, taxes, taxExempt: false, deliveryFee: null, payments: [], discountLimits: noLimits },
  ...{ adjustments: [], loyaltyRewards: [], credits: [], explain: false },
});

function totalsOf(input: PriceCartInput): OtherTotals {
  const priced = priceCart(input);
  const subtotalCents = priced.lines.reduce((sum, it) => sum + it.subtotalPriceCents, 0);
  const taxCents = priced.taxes.reduce((sum, it) => sum + (it.included ? 0 : it.amountCents), 0);
  const discountCents = subtotalCents - priced.merchandiseCents;
  return { subtotalCents, discountCents, taxCents, totalCents: priced.customerGrandTotalCents };
}

const shadowed = (input: PriceCartInput): ShadowedCart => ({
  ...{ priced: priceCart(input), taxes: input.taxes, taxExempt: false, taxesBeforeDiscounts: false },
});

const lines = [line(1, 3331, 1), line(2, 1999, 3, 2)];
const ours = cartOf(lines, [excise, sales]);

test.each([
  ['price', { ...ours, lines: [line(1, 3434, 1), lines[1]!] }],
  ['order-of-taxes', { ...ours, taxes: [excise, { ...sales, encompass: false }] }],
  [
    'rounding',
    {
      ...ours,
      taxes: [
        { ...excise, rounding: 'up' },
        { ...sales, rounding: 'up' },
      ],
    },
  ],
  ['base', { ...ours, taxExempt: true }],
] as const)('%s is found as the cause of all cents', (cause, other) => {
  const theirs = totalsOf(other as PriceCartInput);
  const cents = theirs.totalCents - totalsOf(ours).totalCents;
  expect(cents).not.toBe(0);
  expect(explainDifference(shadowed(ours), theirs)).toEqual([{ cause, cents }]);
});

test('a discount takes its taxes along, cash is rounded to five cents, and a tax that no way makes is unknown', () => {
  const plain = totalsOf(ours);
  const discountCents = 1000;
  const less = totalsOf(cartOf([line(1, 3331, 1), line(2, 1999, 3, 2)], [excise, sales]));
  expect(less).toEqual(plain);
  expect(explainDifference(shadowed(ours), plain)).toEqual([]);
  // The taxes as set on the discounted amount: 9,328 − 1,000 cents.
  const taxed = totalsOf(cartOf([line(1, 8328, 1)], [excise, sales]));
  const theirs = { ...plain, discountCents, taxCents: taxed.taxCents, totalCents: 8328 + taxed.taxCents };
  expect(explainDifference(shadowed(ours), theirs)).toEqual([
    { cause: 'discount', cents: theirs.totalCents - plain.totalCents },
  ]);
  const toFive = Math.round(plain.totalCents / 5) * 5;
  expect(explainDifference(shadowed(ours), { ...plain, totalCents: toFive })).toEqual(
    toFive === plain.totalCents ? [] : [{ cause: 'rounding', cents: toFive - plain.totalCents }],
  );
  const odd = { ...plain, taxCents: plain.taxCents + 777, totalCents: plain.totalCents + 777 };
  expect(explainDifference(shadowed(ours), odd)).toEqual([{ cause: 'unknown', cents: 777 }]);
});

test('whatever another till says it charged, the causes add up to the difference, and none is 0', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(cents, cents, cents, cents, (subtotalCents, discountCents, taxCents, totalCents) => {
      const theirs = { subtotalCents, discountCents, taxCents, totalCents };
      const parts = explainDifference(shadowed(ours), theirs);
      const sum = parts.reduce((total, part) => total + part.cents, 0);
      expect(sum).toBe(totalCents - totalsOf(ours).totalCents);
      expect(parts.every((part) => part.cents !== 0)).toBe(true);
    }),
  );
});
