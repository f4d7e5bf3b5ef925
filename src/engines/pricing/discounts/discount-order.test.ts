import { describe, expect, test } from 'vitest';
import { priceCart } from '../price-cart.ts';
import type { PriceCartInput } from '../pricing-facts.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
} from '../sample-cart.test-support.ts';
import type { Discount } from './discount-kinds.ts';

function priced(discounts: Partial<Discount>[], facts: Partial<PriceCartInput> = {}) {
  const offered = discounts.map((each, index) => sampleDiscount({ id: index + 1, kind: 'order', ...each }));
  const cart = priceCart(
    sampleCart({
      lines: [
        sampleLine({ productOptionId: 1, quantity: 6 }),
        sampleLine({ productOptionId: 2, quantity: 4 }),
      ],
      discounts: sampleDiscounts(offered),
      ...facts,
    }),
  );
  const used = cart.discounts.map(({ id, amountUsedCents }) => [id, amountUsedCents]);
  return { used, gross: cart.lines.map((line) => line.grossCents), cart };
}

const flat = (amount: string) => ({ type: 'flat', amount }) as const;

test('discounts apply in order, each to the rest of the total price, and do not change final prices', () => {
  const { used, gross, cart } = priced([
    { amount: '50', priority: 2 },
    { ...flat('1000'), priority: 1 },
  ]);
  expect(used).toEqual([
    [2, 1000],
    [1, 4500],
  ]);
  expect(gross).toEqual([2700, 1800]);
  expect(cart).toMatchObject({ totalPriceCents: 10_000, merchandiseCents: 4500, discountsTotalCents: 5500 });
});

test('a maximum limits the reduction of one discount', () => {
  expect(priced([{ amount: '50', maximumAmountCents: 700 }, { amount: '10' }]).used).toEqual([
    [1, 700],
    [2, 930],
  ]);
});

test('targets require a matching line, and then the whole order is cheaper', () => {
  const onlyFirst = { targets: { ...noTargets, optionIds: [1] } };
  expect(priced([onlyFirst]).used).toEqual([[1, 1000]]);
  expect(priced([{ targets: { ...noTargets, optionIds: [9] } }]).used).toEqual([]);
});

test('an exclusive discount is compared with the others together, ties to the others', () => {
  const alone = { stackable: false } as const;
  expect(priced([{ amount: '10' }, flat('500'), { ...flat('1501'), ...alone }]).used).toEqual([[3, 1501]]);
  expect(priced([{ amount: '10' }, flat('500'), { ...flat('1500'), ...alone }]).used).toEqual([
    [1, 1000],
    [2, 500],
  ]);
});

describe("the organization's cap", () => {
  const capped = (maximumPercent: string) => ({
    discountLimits: { budtenderPercent: null, managerPercent: null, maximumPercent },
  });

  test('trims the discount that crosses it and drops the later ones', () => {
    const { used, gross } = priced([{ amount: '10' }, { amount: '10' }, flat('5')], capped('15'));
    expect(used).toEqual([
      [1, 1000],
      [2, 500],
    ]);
    expect(gross).toEqual([5100, 3400]);
  });

  test('is used up by line discounts first, and never reduces them', () => {
    expect(priced([{ kind: 'line', amount: '12' }, { amount: '10' }], capped('15')).used).toEqual([[2, 300]]);
    const { used, cart } = priced([{ kind: 'line', amount: '20' }, { amount: '10' }], capped('15'));
    expect(used).toEqual([]);
    expect(cart.discountsTotalCents).toBe(2000);
  });

  test('is never crossed by a fraction of a cent', () => {
    const one = { lines: [sampleLine({ priceCents: 99 })], ...capped('12.5') };
    expect(priced([{ amount: '50' }], one).used).toEqual([[1, 12]]);
  });

  test('of 0 percent allows no order discount', () => {
    expect(priced([{ amount: '50' }], capped('0')).used).toEqual([]);
  });
});

test('a share that would cross the floor of a cannabis line is trimmed, and no other line gets the rest', () => {
  const facts = {
    lines: [
      sampleLine({ productOptionId: 1, quantity: 2, isCannabis: true }),
      sampleLine({ productOptionId: 2, priceCents: 500 }),
    ],
    freeProductFloorCents: 5,
  };
  expect(priced([{ amount: '100' }], facts)).toMatchObject({ used: [[1, 2490]], gross: [10, 0] });
  expect(priced([{ amount: '50' }], facts)).toMatchObject({ used: [[1, 1250]], gross: [1000, 250] });
});

test('a cannabis line with a price below the floor stays as it is', () => {
  const lines = [sampleLine({ priceCents: 3, quantity: 2, isCannabis: true })];
  expect(priced([{ amount: '100' }], { lines, freeProductFloorCents: 5 })).toMatchObject({
    used: [],
    gross: [6],
  });
});

test('where free cannabis is not barred, a line may cost nothing', () => {
  const lines = [sampleLine({ isCannabis: true })];
  expect(priced([{ amount: '100' }], { lines })).toMatchObject({ used: [[1, 1000]], gross: [0] });
});

test('discounts are flagged when their sum is above a limit, not at the limit', () => {
  const limits = { budtenderPercent: '14', managerPercent: '14.5' };
  const discounts = [{ kind: 'line', amount: '5' } as const, { amount: '10' }];
  expect(priced(discounts, { discountLimits: limits }).cart).toMatchObject({
    discountsTotalCents: 1450,
    discountsOverBudtenderLimit: true,
    discountsOverManagerLimit: false,
  });
});
