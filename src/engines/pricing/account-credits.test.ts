import { expect, test } from 'vitest';
import { useCredits } from './account-credits.ts';
import { priceCart } from './price-cart.ts';
import type { AccountCredit } from './pricing-facts.ts';
import { sampleCart, sampleTax } from './sample-cart.test-support.ts';

const credit = (id: number, facts: Partial<AccountCredit> = {}): AccountCredit => ({
  id,
  type: 'store-credit',
  description: `credit ${id}`,
  amountCents: 100,
  percent: null,
  expiresAtMs: null,
  ...facts,
});

const use = (credits: AccountCredit[], beforeCreditsCents: number) =>
  useCredits(credits, beforeCreditsCents, null).map(({ id, amountUsedCents }) => [id, amountUsedCents]);

test('promo codes come before store credit, then the earliest expiry, no expiry last, then the lower id', () => {
  const credits = [
    credit(1),
    credit(2, { expiresAtMs: 9 }),
    credit(3, { expiresAtMs: 8 }),
    credit(5, { type: 'promo-code' }),
    credit(4, { type: 'promo-code' }),
    credit(6, { type: 'promo-code', expiresAtMs: 99 }),
    credit(0),
  ];
  expect(use(credits, 10_000).map(([id]) => id)).toEqual([6, 4, 5, 3, 2, 0, 1]);
});

test('each pays up to the rest; a credit without a rest to pay is not used', () => {
  expect(use([credit(1), credit(2), credit(3)], 150)).toEqual([
    [1, 100],
    [2, 50],
  ]);
  expect(use([credit(1, { amountCents: 0 })], 150)).toEqual([]);
});

test('a percent is of the rest, to the nearest cent', () => {
  const half = { amountCents: null, percent: '50' };
  expect(use([credit(1), credit(2, half)], 201)).toEqual([
    [1, 100],
    [2, 51],
  ]);
});

test('credits reduce the amount due, never the taxed amount', () => {
  const facts = { taxes: [sampleTax()], deliveryFee: { cents: 500, description: null } };
  const cart = priceCart(sampleCart({ ...facts, credits: [credit(1, { amountCents: 5000 })] }));
  expect(cart).toMatchObject({
    taxes: [{ amountCents: 100 }],
    credits: [{ id: 1, type: 'store-credit', amountUsedCents: 1100, percent: null }],
    merchandiseCents: 1000,
    netPriceCents: 0,
    customerGrandTotalCents: 500,
  });
});

test('a credit of both cents and percent, or neither, stops the calculation', () => {
  expect(() => use([credit(1, { percent: '5' })], 100)).toThrow('either');
  expect(() => use([credit(1, { amountCents: null })], 100)).toThrow('either');
});
