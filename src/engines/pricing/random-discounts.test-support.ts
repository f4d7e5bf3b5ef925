import fc from 'fast-check';
import type { DiscountFacts } from './discounts/choose-discounts.ts';
import {
  type Discount,
  type DiscountKind,
  discountKindNames,
  discountKinds,
} from './discounts/discount-kinds.ts';
import type { DiscountConditions, DiscountRule, ScheduleWindow } from './discounts/discount-settings.ts';
import { referenceKinds } from './discounts/reference-kinds.test-support.ts';
import type { AccountCredit, ChosenReward } from './pricing-facts.ts';
import { cents, percent } from './random-amounts.test-support.ts';
import { randomTargets, someIds } from './random-targets.test-support.ts';
import { noConditions } from './sample-cart.test-support.ts';

const minute = fc.constantFrom(0, 1, 599, 600, 601, 1200, 1439);

const window = fc.record<ScheduleWindow>({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
  fromMinute: minute,
  toMinute: fc.oneof(minute, fc.constant(1440)),
});

const instant = fc.integer({ min: 0, max: 3 });

const anyConditions = fc.record<DiscountConditions>({
  orderTypes: fc.subarray(['delivery', 'pickup', 'in-store'] as const),
  customerGroupIds: fc.oneof(fc.constant([]), someIds(1)),
  customerType: fc.option(fc.constantFrom('adult-use' as const, 'medical' as const)),
  minimumSubtotalCents: fc.option(cents, { freq: 3 }),
  minimumQuantity: fc.option(fc.integer({ min: 1, max: 6 })),
  countsWholeCart: fc.boolean(),
  excludeSaleItems: fc.boolean(),
  firstOrder: fc.nat(3).map((n) => n === 0),
  birthdayMonth: fc.nat(3).map((n) => n === 0),
  schedule: fc.array(window, { maxLength: 2 }),
  startsAtMs: fc.option(instant, { freq: 3 }),
  endsAtMs: fc.option(instant, { freq: 3 }),
});

const conditions = fc.oneof(
  { weight: 4, arbitrary: fc.constant(noConditions) },
  { weight: 1, arbitrary: anyConditions },
);

const amount = fc.oneof(
  cents.map((flat) => ({ type: 'flat' as const, amount: `${flat}` })),
  percent.map((share) => ({ type: 'percent' as const, amount: share })),
);

const trigger = fc.constantFrom(
  { trigger: 'automatic' as const, codes: [] },
  { trigger: 'automatic' as const, codes: [] },
  { trigger: 'automatic' as const, codes: [] },
  { trigger: 'manual' as const, codes: [] },
  { trigger: 'code' as const, codes: ['FOURTWENTY'] },
  { trigger: 'code' as const, codes: [' spring ', 'Autumn'] },
);

const few = fc.oneof(
  { weight: 7, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 2 }) },
);

/** A kind with its own terms. Every registered kind is equally frequent. */
const kindWithTerms = fc.oneof(
  ...discountKindNames.map((kind: DiscountKind) =>
    fc.record({ kind: fc.constant(kind), ownTerms: referenceKinds[kind].ownTerms }),
  ),
);

const isPrice = (kind: DiscountKind) => (discountKinds[kind] as DiscountRule).terms.amountIsPrice === true;

const draft = fc.record({
  kindWithTerms,
  amount,
  trigger,
  perUnit: fc.boolean(),
  maximumAmountCents: fc.option(cents, { freq: 2 }),
  targets: randomTargets,
  conditions,
  stackable: fc.nat(3).map((n) => n > 0),
  priority: fc.nat({ max: 2 }),
  usesPerOrder: few.map((uses) => (uses === null ? null : uses + 1)),
  usesLeft: few,
  usesLeftForCustomer: few,
});

const offered = fc.array(draft, { maxLength: 5 }).map((drafts) =>
  drafts.map(
    ({ kindWithTerms, amount, trigger, ...rest }, at): Discount => ({
      ...rest,
      ...kindWithTerms,
      ...(amount.type === 'percent' && isPrice(kindWithTerms.kind)
        ? { type: 'flat', amount: '1500' }
        : amount),
      ...trigger,
      id: 70 - at,
      description: `discount ${70 - at}`,
    }),
  ),
);

export const randomDiscounts: fc.Arbitrary<DiscountFacts> = fc.record({
  offered,
  situation: fc.record({
    moment: fc.record({
      instantMs: instant,
      month: fc.integer({ min: 1, max: 3 }),
      dayOfWeek: fc.integer({ min: 1, max: 7 }),
      minuteOfDay: minute,
    }),
    isMedical: fc.boolean(),
    orderType: fc.constantFrom('delivery' as const, 'pickup' as const, 'in-store' as const),
    customer: fc.option(
      fc.record({
        groupIds: someIds(1),
        isFirstOrder: fc.boolean(),
        birthMonth: fc.option(fc.integer({ min: 1, max: 3 })),
      }),
    ),
  }),
  presentedCodes: fc.subarray(['fourtwenty', 'SPRING', 'autumn ', 'unknown']),
  chosenIds: fc.subarray([70, 69, 68, 67, 66, 1]),
});

const points = fc.constantFrom('0.01', '1', '10.5', '99.99', '1000', '50000');

const reward = fc
  .record({
    type: fc.constantFrom('flat' as const, 'percent' as const, 'cash-back' as const, 'free-product' as const),
    id: fc.nat({ max: 9 }),
    pointsRequirement: points,
    cents,
    percent,
    centsPerPoint: fc.constantFrom('0', '0.5', '1', '0.333333', '12', '99.99'),
    points,
    pick: fc.nat({ max: 6 }),
  })
  .map(({ type, id, pointsRequirement, pick, ...amounts }): ChosenReward => {
    const terms = { id, description: `reward ${id}`, pointsRequirement };
    if (type === 'flat') return { ...terms, type, discountAmount: `${amounts.cents}` };
    if (type === 'percent') return { ...terms, type, discountAmount: amounts.percent };
    if (type === 'free-product') return { ...terms, type, productOptionId: 100 + pick };
    return { ...terms, type, discountAmount: amounts.centsPerPoint, points: amounts.points };
  });

export const randomRewards = fc.oneof(
  { weight: 2, arbitrary: fc.constant<ChosenReward[]>([]) },
  { weight: 1, arbitrary: fc.array(reward, { maxLength: 2 }) },
);

const credit = fc.record({
  type: fc.constantFrom('promo-code' as const, 'store-credit' as const),
  holds: fc.oneof(
    cents.map((amountCents) => ({ amountCents, percent: null })),
    percent.map((share) => ({ amountCents: null, percent: share })),
  ),
  expiresAtMs: fc.option(instant),
});

export const randomCredits = fc.array(credit, { maxLength: 3 }).map((drafts) =>
  drafts.map(
    ({ holds, ...rest }, at): AccountCredit => ({
      ...rest,
      ...holds,
      id: 50 - at,
      description: `credit ${50 - at}`,
    }),
  ),
);
