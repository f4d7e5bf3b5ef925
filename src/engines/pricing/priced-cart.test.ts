import { expect, test } from 'vitest';
import { priceCart } from './price-cart.ts';
import { assertPricedCart, type PricedCart } from './priced-cart.ts';
import {
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
  sampleTax,
} from './sample-cart.test-support.ts';

const cart = priceCart(
  sampleCart({
    lines: [sampleLine({ quantity: 3 }), sampleLine({ productOptionId: 2, priceCents: 777 })],
    taxes: [
      sampleTax({ included: true, exemptable: true }),
      sampleTax({ id: 2, tier: '2', encompass: true, appliesToFees: true }),
    ],
    taxExempt: true,
    discounts: sampleDiscounts([sampleDiscount(), sampleDiscount({ id: 2, kind: 'order', amount: '5' })]),
    loyaltyRewards: [
      { id: 1, description: 'reward', pointsRequirement: '100', type: 'flat', discountAmount: '200' },
    ],
    credits: [
      {
        id: 1,
        type: 'store-credit',
        description: 'credit',
        amountCents: 150,
        percent: null,
        expiresAtMs: null,
      },
    ],
    deliveryFee: { cents: 500, description: null },
    payments: [
      {
        paymentTypeId: 1,
        name: 'debit',
        feeCents: 100,
        feePercent: '2',
        feeDescription: null,
        amountCents: 'remaining',
      },
    ],
  }),
);

/** Facts that are in no sum. */
const notSummed =
  /\.(id|taxId|rewardId|paymentTypeId|productId|productOptionId|productCategoryId)$|\.usedDiscountIds\.|\.payments\.\d+\.feeCents$/;

function numberPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return notSummed.test(path) ? [] : [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => numberPaths(inner, `${path}.${key}`));
}

function withChanged(path: string, change: (cents: number) => number): PricedCart {
  const copy = structuredClone(cart);
  const keys = path.split('.').slice(1);
  const last = keys.pop()!;
  const owner = keys.reduce(
    (inner, key) => inner[key] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  owner[last] = change(owner[last] as number);
  return copy;
}

test('a priced cart is consistent', () => {
  expect(() => assertPricedCart(cart)).not.toThrow();
});

test.each(numberPaths(cart))('one cent more or less in %s is detected', (path) => {
  expect(() => assertPricedCart(withChanged(path, (cents) => cents + 1))).toThrow();
  expect(() => assertPricedCart(withChanged(path, (cents) => cents - 1))).toThrow();
});

test('a cart that adds up to less than 0 is detected', () => {
  const reduced = (adjustmentCents: number): PricedCart => {
    const adjustment = { amountCents: adjustmentCents, description: 'x', isTaxExemption: false, taxId: null };
    return {
      ...cart,
      adjustments: [...cart.adjustments, adjustment],
      netPriceCents: cart.netPriceCents + adjustmentCents,
      customerGrandTotalCents: cart.customerGrandTotalCents + adjustmentCents,
    };
  };
  expect(() => assertPricedCart(reduced(-cart.netPriceCents))).not.toThrow();
  expect(() => assertPricedCart(reduced(-cart.netPriceCents - 1))).toThrow('net price');
});
