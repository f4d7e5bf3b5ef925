import { expect, test } from 'vitest';
import { priceCart } from './price-cart.ts';
import type { ChosenReward, PriceCartInput } from './pricing-facts.ts';
import { sampleCart, sampleDiscount, sampleDiscounts, sampleLine } from './sample-cart.test-support.ts';

const terms = { id: 1, description: 'reward', pointsRequirement: '100' };

const lines = [
  sampleLine({ productOptionId: 1, quantity: 3, isCannabis: true }),
  sampleLine({ productOptionId: 2, priceCents: 2000 }),
];

function redeemed(rewards: ChosenReward[], facts: Partial<PriceCartInput> = {}) {
  const cart = priceCart(sampleCart({ lines, loyaltyRewards: rewards, ...facts }));
  return {
    cart,
    gross: cart.lines.map((line) => line.grossCents),
    used: cart.loyaltyRedemptions.map(({ amountUsedCents, pointsAmount }) => [amountUsedCents, pointsAmount]),
  };
}

test('a flat and a percent reward come off the total price, for the points that they cost', () => {
  expect(redeemed([{ ...terms, type: 'flat', discountAmount: '500' }])).toMatchObject({
    used: [[500, '100']],
    gross: [2700, 1800],
  });
  expect(redeemed([{ ...terms, type: 'percent', discountAmount: '10' }]).used).toEqual([[500, '100']]);
});

test('a free product is one unit of its option, and takes nothing when the cart does not contain it', () => {
  expect(redeemed([{ ...terms, type: 'free-product', productOptionId: 1 }])).toMatchObject({
    used: [[1000, '100']],
    gross: [2000, 2000],
  });
  expect(redeemed([{ ...terms, type: 'free-product', productOptionId: 9 }]).used).toEqual([]);
});

test('cash back pays the value of its points, to the nearest cent', () => {
  const cashBack = { ...terms, type: 'cash-back', discountAmount: '0.5', points: '333' } as const;
  expect(redeemed([cashBack]).used).toEqual([[167, '333']]);
});

test('cash back above the rest spends only the points for the amount taken', () => {
  const cashBack = { ...terms, type: 'cash-back', discountAmount: '0.3', points: '100000' } as const;
  expect(redeemed([cashBack]).used).toEqual([[5000, '16666.67']]);
});

test('rewards come after the discounts, in order of id, on the rest', () => {
  const { used, cart } = redeemed(
    [
      { ...terms, id: 2, type: 'percent', discountAmount: '50' },
      { ...terms, id: 1, type: 'flat', discountAmount: '500' },
    ],
    { discounts: sampleDiscounts([sampleDiscount({ kind: 'order', amount: '10' })]) },
  );
  expect(used).toEqual([
    [500, '100'],
    [2000, '100'],
  ]);
  expect(cart).toMatchObject({ totalPriceCents: 5000, merchandiseCents: 2000, discountsTotalCents: 500 });
});

test('the cap and the floor apply to rewards as to discounts', () => {
  const everything = { ...terms, type: 'percent', discountAmount: '100' } as const;
  const discountLimits = { budtenderPercent: null, managerPercent: null, maximumPercent: '30' };
  expect(redeemed([everything], { discountLimits }).used).toEqual([[1500, '100']]);
  expect(redeemed([everything], { freeProductFloorCents: 1 })).toMatchObject({
    used: [[4997, '100']],
    gross: [3, 0],
  });
  const onlyUnit = [sampleLine({ isCannabis: true })];
  const free = { ...terms, type: 'free-product', productOptionId: 1 } as const;
  expect(redeemed([free], { lines: onlyUnit, freeProductFloorCents: 1 }).used).toEqual([[999, '100']]);
});

test('a reward that takes nothing is not redeemed', () => {
  expect(redeemed([{ ...terms, type: 'flat', discountAmount: '0' }]).used).toEqual([]);
  const worthless = { ...terms, type: 'cash-back', discountAmount: '0', points: '5' } as const;
  expect(redeemed([worthless]).used).toEqual([]);
});

test('a reward that takes nothing because discounts used up the cap is reported, and no other', () => {
  const flat = { ...terms, type: 'flat', discountAmount: '500' } as const;
  const absent = { ...terms, id: 2, type: 'free-product', productOptionId: 9 } as const;
  const capped = (maximumPercent: string | null) =>
    redeemed([flat, absent], {
      discountLimits: { budtenderPercent: null, managerPercent: null, maximumPercent },
      discounts: sampleDiscounts([sampleDiscount({ amount: '10' })]),
    }).cart.rewardIdsBeyondCap;
  expect([capped('10'), capped('5')]).toEqual([[1], [1]]);
  expect([capped('11'), capped(null)]).toEqual([[], []]);
});

test("a redemption contains its reward's settings", () => {
  const { cart } = redeemed([{ ...terms, type: 'free-product', productOptionId: 2 }]);
  expect(cart.loyaltyRedemptions).toEqual([
    {
      rewardId: 1,
      type: 'free-product',
      description: 'reward',
      pointsRequirement: '100',
      pointsAmount: '100',
      discountAmount: null,
      amountUsedCents: 2000,
      productOptionId: 2,
    },
  ]);
});
