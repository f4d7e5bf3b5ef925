import type { CartLine, CartTax, PriceCartInput } from './pricing-facts.ts';

/** A line of one unit for 10.00 of category 1; say what is different. */
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

/** A plain tax of 10 % on everything but fees, in tier 1; say what is different. */
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

/** One sample line and nothing else; say what is different. */
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
