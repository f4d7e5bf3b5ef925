import fc from 'fast-check';
import type { CartLine, CartTax, IntendedPayment, PriceCartInput, TaxTier } from './pricing-facts.ts';

const categoryId = fc.integer({ min: 1, max: 3 });

const categoryIds = fc.oneof(
  { weight: 2, arbitrary: fc.constant<number[]>([]) },
  { weight: 1, arbitrary: fc.uniqueArray(categoryId, { maxLength: 2 }) },
);

/** Rates that laws name, the ends of the range, and any with six decimals. */
const percent = fc.oneof(
  fc.constantFrom('0', '100', '5', '7.25', '9.25', '10', '15', '8.875', '0.000001', '99.999999', '33.333333'),
  fc.integer({ min: 0, max: 99_999_999 }).map((millionths) => {
    const digits = `${millionths}`.padStart(7, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }),
);

/** A few cents are where rounding shows most. */
const cents = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 50 }), fc.nat({ max: 500_000 }));

const quantity = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }));

const option = fc.record({ category: categoryId, priceCents: cents, sale: fc.option(cents, { freq: 3 }) });

/** Lines over a small shelf, so that options repeat. */
const lines = fc
  .tuple(
    fc.array(option, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.nat({ max: 5 }), quantity), { maxLength: 8 }),
  )
  .map(([shelf, picks]) =>
    picks.map(([pick, quantity]): CartLine => {
      const at = pick % shelf.length;
      const { category, priceCents, sale } = shelf[at]!;
      return {
        productOptionId: 100 + at,
        productId: 10 + at,
        productCategoryId: category,
        quantity,
        priceCents,
        salesPriceCents: sale,
      };
    }),
  );

const tax = fc.record({
  rate: percent,
  tier: fc.constantFrom<TaxTier>('1', '2', '3', '4', '5'),
  type: fc.constantFrom('standard' as const, 'excise' as const, 'california-excise' as const),
  included: fc.boolean(),
  encompass: fc.boolean(),
  exemptable: fc.boolean(),
  appliesToFees: fc.boolean(),
  rounding: fc.constantFrom('half-up' as const, 'up' as const),
  excludedProductCategoryIds: categoryIds,
  nonExemptableProductCategoryIds: categoryIds,
});

/** Ids run against the order of the array, so that sorting by id is seen to happen. */
const taxes = fc.array(tax, { maxLength: 5 }).map((drafts) => {
  const drawn = drafts.map(
    (draft, at): CartTax => ({ ...draft, id: 90 - at, description: `tax ${90 - at}` }),
  );
  return drawn.map((each) => {
    const contradicts = drawn.some((lower) => lower.tier < each.tier && !lower.included);
    return each.included && contradicts ? { ...each, encompass: false } : each;
  });
});

const payment = fc.record({ feeCents: fc.nat({ max: 300 }), feePercent: percent, amountCents: cents });

const payments = fc.tuple(fc.array(payment, { maxLength: 3 }), fc.boolean()).map(([drafts, restOnLast]) =>
  drafts.map(
    (draft, at): IntendedPayment => ({
      ...draft,
      paymentTypeId: at,
      name: `type ${at}`,
      feeDescription: null,
      amountCents: restOnLast && at === drafts.length - 1 ? 'remaining' : draft.amountCents,
    }),
  ),
);

/** Any cart a request may ask for, under any settings that do not contradict themselves. */
export const randomCart: fc.Arbitrary<PriceCartInput> = fc.record({
  lines,
  taxes,
  taxExempt: fc.boolean(),
  deliveryFee: fc.option(fc.record({ cents, description: fc.constant(null) })),
  payments,
  discountLimits: fc.record({ budtenderPercent: fc.option(percent), managerPercent: fc.option(percent) }),
});
