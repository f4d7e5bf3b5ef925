import fc from 'fast-check';
import type { TaxBasis } from '../goods/tax-basis.ts';
import type {
  CartLine,
  CartTax,
  IntendedPayment,
  PriceCartInput,
  TaxBase,
  TaxTier,
} from './pricing-facts.ts';
import { cents, percent } from './random-amounts.test-support.ts';
import { randomCredits, randomDiscounts, randomRewards } from './random-discounts.test-support.ts';

const categoryId = fc.integer({ min: 1, max: 3 });

const categoryIds = fc.oneof(
  { weight: 2, arbitrary: fc.constant<number[]>([]) },
  { weight: 1, arbitrary: fc.uniqueArray(categoryId, { maxLength: 2 }) },
);

const quantity = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }));

const amount = fc.constantFrom('0', '0.000001', '3.5', '28.349523125', '35', '35.000001', '100', '612.5');
const content = fc.option(
  fc.record({
    thcPercent: fc.option(
      fc.oneof(
        amount.filter((text) => text.length < 12 && Number(text) <= 100),
        percent,
      ),
    ),
    thcMg: fc.option(amount),
    grams: fc.option(amount),
  }),
  { freq: 3 },
);

const option = fc.record({
  category: categoryId,
  priceCents: cents,
  sale: fc.option(cents, { freq: 3 }),
  given: fc.option(cents, { freq: 1 }),
  brand: fc.option(categoryId),
  tags: fc.subarray([1, 2, 3]),
  isCannabis: fc.boolean(),
  content,
});

/** Lines over a small set of options, so that options repeat. */
const lines = fc
  .tuple(
    fc.array(option, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.nat({ max: 5 }), quantity), { maxLength: 8 }),
  )
  .map(([shelf, picks]) =>
    picks.map(([pick, quantity]): CartLine => {
      const at = pick % shelf.length;
      const { category, priceCents, sale, given, brand, tags, isCannabis, content } = shelf[at]!;
      return {
        productOptionId: 100 + at,
        productId: 10 + at,
        productCategoryId: category,
        quantity,
        priceCents,
        salesPriceCents: sale,
        givenPriceCents: given,
        productBrandId: brand,
        productTagIds: tags,
        isCannabis,
        content,
      };
    }),
  );

/** Brackets without gaps: ascending bounds, each with a rate. */
const brackets = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('0.000001', '3.5', '20', '35', '70'), { maxLength: 3 }),
    fc.array(percent, { minLength: 4, maxLength: 4 }),
  )
  .map(([drawn, rates]) => {
    const bounds = drawn.toSorted((a, b) => Number(a) - Number(b));
    return [null, ...bounds].map((aboveThcPercent, at) => ({
      aboveThcPercent,
      upToThcPercent: bounds[at] ?? null,
      rate: rates[at]!,
    }));
  });
const basis: fc.Arbitrary<TaxBasis | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('potency' as const), brackets }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('thc-mg' as const, 'grams' as const),
      cents: fc.constantFrom('0.625', '2.75', '0.9', '1', '176.369810', '0.000001'),
    }),
  },
);

const tax = fc.record({
  rate: percent,
  basis,
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

/** Ids run against the order of the array, so that the sort by id is tested. */
const taxes = fc.array(tax, { maxLength: 5 }).map((drafts) => {
  const drawn = drafts.map((draft, at): CartTax => {
    const named = { ...draft, id: 90 - at, description: `tax ${90 - at}` };
    if (draft.basis === null) return named;
    const isShare = draft.basis.kind === 'potency';
    const { included, encompass } = draft;
    return {
      ...{ ...named, rate: '0', appliesToFees: false },
      ...{ included: isShare && included, encompass: isShare && encompass },
    };
  });
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

/** Adjustments by staff; sometimes larger than the whole price. */
const adjustments = fc
  .array(fc.tuple(cents, fc.boolean()), { maxLength: 3 })
  .map((drafts) =>
    drafts
      .filter(([amount]) => amount > 0)
      .map(([amount, takes], at) => ({ amountCents: takes ? -amount : amount, description: `given ${at}` })),
  );

const cart = fc.record({
  lines,
  taxes,
  taxExempt: fc.boolean(),
  deliveryFee: fc.option(fc.record({ cents, description: fc.constant(null), isTaxed: fc.boolean() })),
  payments,
  discountLimits: fc.record({
    budtenderPercent: fc.option(percent),
    managerPercent: fc.option(percent),
    maximumPercent: fc.option(percent, { freq: 2 }),
  }),
  discounts: randomDiscounts,
  loyaltyRewards: randomRewards,
  adjustments: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: adjustments }),
  credits: randomCredits,
  freeProductFloorCents: fc.constantFrom(0, 0, 1, 1, 25),
  taxBase: fc.constantFrom<TaxBase[]>(
    'after-discounts',
    'after-discounts',
    'after-discounts',
    'before-discounts',
  ),
});

/** Any cart that a request may contain, under any settings that do not contradict themselves. */
export const randomCart: fc.Arbitrary<PriceCartInput> = cart;
