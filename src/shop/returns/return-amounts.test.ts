import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { priceCart } from '../../engines/pricing/price-cart.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import { randomCart } from '../../engines/pricing/random-cart.test-support.ts';
import { type ReturnedShares, refundAmounts, sharesOfReturn, sumParts } from './return-amounts.ts';
import {
  type ChargedOrder,
  type ChargeParts,
  chargedTaxes,
  lineCharges,
  paidCents,
} from './return-charges.ts';

/** `RETURNED_ORDERS=100000 npx vitest run src/shop/returns/return-amounts` is the longer run. */
const orderCount = Number(process.env.RETURNED_ORDERS ?? casesOf({ everyRun: 100, long: 2_000 }));

/** A priced cart as stored in an order's rows, with possible staff adjustments. */
function orderOf(cart: PricedCart, adjustments: readonly number[]): ChargedOrder {
  return {
    lines: cart.lines.map((line, index) => ({ id: index + 1, ...line })),
    taxes: cart.taxes.map((tax) => ({
      taxId: tax.id,
      included: tax.included,
      feeAllocationCents: tax.feeAllocationCents,
      excludedCategoryIds: tax.excludedProductCategoryIds,
      nonExemptableCategoryIds: tax.nonExemptableProductCategoryIds,
    })),
    adjustments: [
      ...cart.adjustments,
      ...adjustments.map((amountCents) => ({ amountCents, isTaxExemption: false, taxId: null })),
    ],
    credits: cart.credits,
    loyaltyRedemptions: cart.loyaltyRedemptions,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The totals of a whole order, summed independently. */
function chargedOf(cart: PricedCart, adjustments: readonly number[]) {
  const used = (rows: readonly { readonly amountUsedCents: number }[]) =>
    sum(rows.map(({ amountUsedCents }) => amountUsedCents));
  return {
    refundInitialCents:
      0 -
      sum(cart.lines.map(({ subtotalPriceCents }) => subtotalPriceCents)) -
      sum(cart.adjustments.map(({ amountCents }) => amountCents)) -
      sum(adjustments),
    discountsTotalCents: cart.discountsTotalCents,
    loyaltyTotalCents: used(cart.loyaltyRedemptions),
    creditsTotalCents: used(cart.credits),
    taxes: new Map(
      cart.taxes
        .filter(({ amountCents }) => amountCents > 0)
        .map(({ id, amountCents }) => [id, -amountCents]),
    ),
    refundTotalCents: 0 - cart.netPriceCents - sum(adjustments),
  };
}

const amountsIn = (parts: ChargeParts) => [
  parts.subtotalCents,
  parts.discountsCents,
  parts.loyaltyCents,
  parts.promoCodesCents,
  parts.storeCreditsCents,
  ...parts.taxes.map(({ amountCents }) => amountCents),
];

/** A sequence of returns and voids: the line and quantity, or the return to void. */
const steps = fc.array(
  fc.record({
    voids: fc.integer({ min: 0, max: 3 }).map((it) => it === 0),
    at: fc.nat(),
    quantity: fc.nat(),
  }),
  { maxLength: 60 },
);

test('random returns and voids of random orders refund shares, never more than was paid, and finally all of it', () => {
  const adjusted = fc.record({ taken: fc.nat({ max: 3000 }), added: fc.constantFrom(0, 0, 1, 1500) });
  fc.assert(
    fc.property(randomCart, adjusted, steps, (input, { taken, added }, sequence) => {
      const cart = priceCart(input);
      if (cart.lines.length === 0) return;
      const adjustments = [0 - Math.min(taken, cart.netPriceCents + added), added];
      const order = orderOf(cart, adjustments);
      const charged = chargedTaxes(order);
      const charges = lineCharges(order);
      const whole = chargedOf(cart, adjustments);
      for (const { parts } of charges) {
        expect(paidCents(parts, charged)).toBeGreaterThanOrEqual(0);
        for (const cents of amountsIn(parts)) expect(cents).toBeGreaterThanOrEqual(0);
      }
      const kept: ReturnedShares[] = [];
      const take = (index: number, quantity: number) => {
        const line = charges[index]!;
        const ofLine = kept.filter(({ orderLineItemId }) => orderLineItemId === line.orderLineItemId);
        const parts = sharesOfReturn(line, ofLine, quantity, charged);
        for (const cents of amountsIn(parts)) expect(cents).toBeGreaterThanOrEqual(0);
        const amounts = refundAmounts(parts, charged, { refunds: true, adjustmentCents: 0 });
        expect(amounts.refundTotalCents).toBeLessThanOrEqual(0);
        expect(amounts.refundTotalCents).toBe(
          amounts.refundInitialCents +
            amounts.discountsTotalCents +
            amounts.creditsTotalCents +
            amounts.loyaltyTotalCents +
            sum(amounts.taxes.filter((tax) => tax.refunded).map((tax) => tax.amountCents)),
        );
        kept.push({ orderLineItemId: line.orderLineItemId, quantity, parts });
        const ofAll = sumParts(kept.map((it) => it.parts));
        expect(paidCents(ofAll, charged)).toBeLessThanOrEqual(-whole.refundTotalCents);
      };
      const leftOf = (index: number) =>
        charges[index]!.quantity -
        sum(kept.filter((it) => it.orderLineItemId === index + 1).map((it) => it.quantity));
      for (const { voids, at, quantity } of sequence) {
        if (voids) {
          kept.splice(at % (kept.length + 1), 1);
          continue;
        }
        const index = at % charges.length;
        const left = leftOf(index);
        if (left > 0) take(index, 1 + (quantity % left));
      }
      for (const index of charges.keys()) {
        if (leftOf(index) > 0) take(index, leftOf(index));
      }
      const all = refundAmounts(sumParts(kept.map((it) => it.parts)), charged, {
        refunds: true,
        adjustmentCents: 0,
      });
      const taxes = new Map(all.taxes.map((tax) => [tax.taxId, tax.amountCents]));
      expect({ ...all, taxes }).toEqual(whole);
    }),
    { numRuns: orderCount },
  );
});

test('without voids, a partial return never exceeds its exact share, and no part is off by a cent', () => {
  fc.assert(
    fc.property(randomCart, fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 8 }), (input, picks) => {
      const cart = priceCart(input);
      if (cart.lines.length === 0) return;
      const order = orderOf(cart, []);
      const charged = chargedTaxes(order);
      const line = lineCharges(order)[0]!;
      const kept: ReturnedShares[] = [];
      let returned = 0;
      for (const pick of picks) {
        const left = line.quantity - returned;
        if (left === 0) break;
        const quantity = 1 + (pick % left);
        const parts = sharesOfReturn(line, kept, quantity, charged);
        kept.push({ orderLineItemId: line.orderLineItemId, quantity, parts });
        returned += quantity;
        const refunded = paidCents(sumParts(kept.map((it) => it.parts)), charged);
        const exact = BigInt(paidCents(line.parts, charged)) * BigInt(returned);
        expect(BigInt(refunded) * BigInt(line.quantity) <= exact).toBe(true);
        const slack = BigInt(5 + line.parts.taxes.length) * BigInt(line.quantity);
        expect(BigInt(refunded) * BigInt(line.quantity) >= exact - slack).toBe(true);
      }
    }),
    { numRuns: orderCount },
  );
});

test('a return without refund has only amounts of 0 and refunds no tax', () => {
  const parts: ChargeParts = {
    subtotalCents: 3500,
    adjustmentsCents: -20,
    discountsCents: 350,
    loyaltyCents: 10,
    promoCodesCents: 5,
    storeCreditsCents: 5,
    taxes: [{ taxId: 7, amountCents: 472 }],
  };
  expect(refundAmounts(parts, new Set([7]), { refunds: false, adjustmentCents: 0 })).toEqual({
    refundInitialCents: 0,
    discountsTotalCents: 0,
    loyaltyTotalCents: 0,
    creditsTotalCents: 0,
    taxes: [{ taxId: 7, amountCents: -472, refunded: false }],
    refundTotalCents: 0,
  });
});

test('shares are those of the worked example in docs/PRICING.md', () => {
  const tax = {
    included: false,
    feeAllocationCents: 0,
    excludedCategoryIds: [],
    nonExemptableCategoryIds: [],
  };
  const order: ChargedOrder = {
    lines: [
      {
        id: 1,
        quantity: 3,
        productOptionId: 1,
        productCategoryId: 1,
        subtotalPriceCents: 5997,
        finalPriceCents: 5997,
        grossCents: 5497,
        taxAllocations: [{ taxId: 7, amountCents: 401 }],
      },
    ],
    taxes: [{ taxId: 7, ...tax }],
    adjustments: [],
    credits: [],
    loyaltyRedemptions: [],
  };
  const [line] = lineCharges(order);
  const charged = chargedTaxes(order);
  const kept: ReturnedShares[] = [];
  for (const [discounts, taxes, total] of [
    [167, -133, -1965],
    [167, -134, -1966],
    [166, -134, -1967],
  ]) {
    const parts = sharesOfReturn(line!, kept, 1, charged);
    kept.push({ orderLineItemId: 1, quantity: 1, parts });
    expect(refundAmounts(parts, charged, { refunds: true, adjustmentCents: 0 })).toEqual({
      refundInitialCents: -1999,
      discountsTotalCents: discounts,
      loyaltyTotalCents: 0,
      creditsTotalCents: 0,
      taxes: [{ taxId: 7, amountCents: taxes, refunded: true }],
      refundTotalCents: total,
    });
  }
});

test('rounding in favor of some units never makes the rest cost more than was paid, even after their neighbors were voided', () => {
  const charged = new Set([7]);
  const line = {
    orderLineItemId: 1,
    quantity: 8,
    parts: {
      subtotalCents: 80,
      adjustmentsCents: 0,
      discountsCents: 0,
      loyaltyCents: 0,
      promoCodesCents: 0,
      storeCreditsCents: 83,
      taxes: [{ taxId: 7, amountCents: 4 }],
    },
  };
  let kept: ReturnedShares[] = [];
  const paid = () => paidCents(sumParts(kept.map(({ parts }) => parts)), charged);
  const takeOne = () => {
    const parts = sharesOfReturn(line, kept, 1, charged);
    kept.push({ orderLineItemId: 1, quantity: 1, parts });
    expect(paidCents(parts, charged)).toBeGreaterThanOrEqual(0);
    expect(paid()).toBeLessThanOrEqual(1);
  };
  for (let count = 0; count < 8; count++) takeOne();
  kept = kept.filter((_, index) => index % 2 === 1);
  for (let count = 0; count < 4; count++) takeOne();
  expect(sumParts(kept.map(({ parts }) => parts))).toEqual(line.parts);
});
