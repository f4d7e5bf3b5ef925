import { performance } from 'node:perf_hooks';
import type { Discount } from '../src/engines/pricing/discounts/discount-kinds.ts';
import type {
  DiscountConditions,
  DiscountTargets,
} from '../src/engines/pricing/discounts/discount-settings.ts';
import { priceCart } from '../src/engines/pricing/price-cart.ts';
import type { CartTax, PriceCartInput } from '../src/engines/pricing/pricing-facts.ts';
import { median } from './closed-loop.ts';

/** The speed of the pricing function alone, on one core. */
export interface EngineSpeed {
  readonly what: string;
  readonly cartsPerSecond: number;
  /** Per line and discount, in microseconds. */
  readonly microsecondsPerPair: number;
}

const durationMs = 500;
const roundCount = 5;

/** Median of the rounds, after one that does not count. */
export function measureEngine(): EngineSpeed[] {
  return [
    speedOf('5 lines, 3 taxes, no discounts', 5, []),
    speedOf('5 lines, 3 taxes, 20 live discounts as a shop has them', 5, usualDiscounts()),
    speedOf('5 lines, 3 taxes, 20 live discounts that all apply', 5, applyingDiscounts(20)),
    speedOf('50 lines, 125 discounts that all apply', 50, applyingDiscounts(125)),
    speedOf('200 lines, 500 discounts that all apply', 200, applyingDiscounts(500)),
  ];
}

function speedOf(what: string, lineCount: number, offered: readonly Discount[]): EngineSpeed {
  const input = cart(lineCount, offered);
  const rates = Array.from({ length: roundCount + 1 }, () => {
    const endsAtMs = performance.now() + durationMs;
    const beganAtMs = performance.now();
    let count = 0;
    for (; performance.now() < endsAtMs; count++) priceCart(input);
    return (count * 1000) / (performance.now() - beganAtMs);
  });
  const cartsPerSecond = median(rates.slice(1));
  return {
    what,
    cartsPerSecond,
    microsecondsPerPair: 1_000_000 / cartsPerSecond / (lineCount * Math.max(1, offered.length)),
  };
}

const noTargets: DiscountTargets = {
  productIds: [],
  optionIds: [],
  categoryIds: [],
  brandIds: [],
  tagIds: [],
};

const noConditions: DiscountConditions = {
  orderTypes: [],
  customerGroupIds: [],
  customerType: null,
  minimumSubtotalCents: null,
  minimumQuantity: null,
  countsWholeCart: false,
  excludeSaleItems: false,
  firstOrder: false,
  birthdayMonth: false,
  schedule: [],
  startsAtMs: null,
  endsAtMs: null,
};

function discount(id: number, terms: Partial<Discount>): Discount {
  return {
    id,
    kind: 'line',
    description: `Discount ${id}`,
    type: 'percent',
    amount: '5',
    perUnit: false,
    maximumAmountCents: null,
    targets: noTargets,
    conditions: noConditions,
    trigger: 'automatic',
    codes: [],
    stackable: true,
    priority: id,
    usesPerOrder: null,
    usesLeft: null,
    usesLeftForCustomer: null,
    ownTerms: null,
    ...terms,
  };
}

const twoForOne = { buyQuantity: 2, getQuantity: 1, buyTargets: null };

function applyingDiscounts(count: number): Discount[] {
  const kinds: readonly Partial<Discount>[] = [
    { kind: 'line', amount: '1' },
    { kind: 'product', amount: '1' },
    { kind: 'order', type: 'flat', amount: '1' },
    { kind: 'buy-x-get-y', amount: '1', ownTerms: twoForOne },
  ];
  return Array.from({ length: count }, (_, index) => discount(index + 1, kinds[index % kinds.length]!));
}

/** Twenty discounts; a cart meets the conditions of some. */
function usualDiscounts(): Discount[] {
  const schedule = [{ days: [1, 2], fromMinute: 600, toMinute: 700 }];
  const terms: readonly Partial<Discount>[] = [
    ...[0, 1, 2].map((categoryId) => ({ targets: { ...noTargets, categoryIds: [categoryId] } })),
    ...[1, 9].map((brandId) => ({
      kind: 'product' as const,
      amount: '10',
      targets: { ...noTargets, brandIds: [brandId] },
    })),
    ...[1_000_000, 2_000_000, 3_000_000].map((minimumSubtotalCents) => ({
      kind: 'order' as const,
      conditions: { ...noConditions, minimumSubtotalCents },
    })),
    ...['SPRING', 'FRIEND', 'LATE', 'FOUR'].map((code) => ({
      kind: 'order' as const,
      trigger: 'code' as const,
      codes: [code],
    })),
    ...[1, 2, 3].map(() => ({ conditions: { ...noConditions, schedule } })),
    ...[5, 6].map((groupId) => ({ conditions: { ...noConditions, customerGroupIds: [groupId] } })),
    { kind: 'buy-x-get-y', targets: { ...noTargets, brandIds: [9] }, ownTerms: twoForOne },
    { kind: 'order' },
    { trigger: 'manual' },
  ];
  return terms.map((each, index) => discount(index + 1, each));
}

function cart(lineCount: number, offered: readonly Discount[]): PriceCartInput {
  return {
    lines: Array.from({ length: lineCount }, (_, index) => ({
      productOptionId: index + 1,
      productId: index + 1,
      productCategoryId: index % 3,
      quantity: (index % 5) + 1,
      priceCents: 1999 + index * 101,
      salesPriceCents: null,
      productBrandId: index % 4,
      productTagIds: [index % 2],
      isCannabis: true,
    })),
    taxes: [tax(1, '1', '5', false), tax(2, '2', '15', true), tax(3, '3', '9.25', true)],
    taxExempt: false,
    deliveryFee: null,
    payments: [],
    discountLimits: { budtenderPercent: '10', managerPercent: '25' },
    discounts: {
      offered,
      situation: {
        moment: { instantMs: 0, month: 5, dayOfWeek: 5, minuteOfDay: 660 },
        orderType: 'pickup',
        isMedical: false,
        customer: null,
      },
      presentedCodes: [],
      chosenIds: [],
    },
  };
}

function tax(id: number, tier: CartTax['tier'], rate: string, encompass: boolean): CartTax {
  return {
    id,
    description: `Tax ${id}`,
    rate,
    tier,
    type: 'standard',
    included: false,
    encompass,
    exemptable: false,
    appliesToFees: false,
    rounding: 'half-up',
    excludedProductCategoryIds: [],
    nonExemptableProductCategoryIds: [],
  };
}
