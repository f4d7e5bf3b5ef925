import type { DiscountFacts } from './discounts/choose-discounts.ts';
import type { Discount } from './discounts/discount-kinds.ts';
import type { DiscountConditions, DiscountTargets } from './discounts/discount-settings.ts';
import type { CartLine, CartTax, PriceCartInput } from './pricing-facts.ts';

/** A line of one unit for 10.00 of category 1, with the given changes. */
export function sampleLine(facts: Partial<CartLine> = {}): CartLine {
  const productOptionId = facts.productOptionId ?? 1;
  return {
    productOptionId,
    productId: productOptionId,
    productCategoryId: 1,
    quantity: 1,
    priceCents: 1000,
    salesPriceCents: null,
    ...facts,
  };
}

/** A plain tax of 10 % on everything except fees, in tier 1, with the given changes. */
export function sampleTax(facts: Partial<CartTax> = {}): CartTax {
  const id = facts.id ?? 1;
  return {
    id,
    description: `tax ${id}`,
    rate: '10',
    tier: '1',
    type: 'standard',
    included: false,
    encompass: false,
    exemptable: false,
    appliesToFees: false,
    rounding: 'half-up',
    excludedProductCategoryIds: [],
    nonExemptableProductCategoryIds: [],
    ...facts,
  };
}

/** One sample line and nothing else, with the given changes. */
export function sampleCart(facts: Partial<PriceCartInput> = {}): PriceCartInput {
  return {
    lines: [sampleLine()],
    taxes: [],
    taxExempt: false,
    deliveryFee: null,
    payments: [],
    discountLimits: { budtenderPercent: null, managerPercent: null },
    ...facts,
  };
}

export const noTargets: DiscountTargets = {
  productIds: [],
  optionIds: [],
  categoryIds: [],
  brandIds: [],
  tagIds: [],
};

export const noConditions: DiscountConditions = {
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

/** An automatic, stackable 10 % off every line separately, with the given changes. */
export function sampleDiscount(facts: Partial<Discount> = {}): Discount {
  const id = facts.id ?? 1;
  return {
    id,
    description: `discount ${id}`,
    kind: 'line',
    type: 'percent',
    amount: '10',
    perUnit: false,
    maximumAmountCents: null,
    targets: noTargets,
    conditions: noConditions,
    trigger: 'automatic',
    codes: [],
    stackable: true,
    priority: 0,
    usesPerOrder: null,
    usesLeft: null,
    usesLeftForCustomer: null,
    ownTerms: null,
    ...facts,
  };
}

/** These discounts for a known customer's pickup at noon on a Monday in May, with the given changes. */
export function sampleDiscounts(
  offered: readonly Discount[],
  facts: Partial<DiscountFacts & DiscountFacts['situation']> = {},
): DiscountFacts {
  const { presentedCodes = [], chosenIds = [], ...situation } = facts;
  return {
    offered,
    presentedCodes,
    chosenIds,
    situation: {
      moment: { instantMs: 1000, month: 5, dayOfWeek: 1, minuteOfDay: 720 },
      orderType: 'pickup',
      isMedical: false,
      customer: { groupIds: [], isFirstOrder: false, birthMonth: null },
      ...situation,
    },
  };
}
