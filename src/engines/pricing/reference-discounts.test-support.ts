import type { DiscountFacts, DiscountRefusal, DiscountRefusalReason } from './discounts/choose-discounts.ts';
import type { Discount } from './discounts/discount-kinds.ts';
import type { ReferenceKind } from './discounts/reference-kind.test-support.ts';
import { referenceKinds } from './discounts/reference-kinds.test-support.ts';
import type { LoyaltyRedemption, UsedCredit, UsedDiscount } from './priced-cart.ts';
import type { CartLine, PriceCartInput } from './pricing-facts.ts';
import { type Good, isTouched, mayTake, worth } from './reference-goods.test-support.ts';
import {
  decimal,
  floor,
  isLess,
  nearest,
  nextWhole,
  over,
  percent,
  split,
  sum,
  type TieWatch,
  times,
  whole,
} from './reference-rational.test-support.ts';
import { noTargets } from './sample-cart.test-support.ts';

/** A second reading of discounts, rewards and credits, from the rules (see `reference-pricing`). */

const copied = (goods: readonly Good[]): Good[] => goods.map((good) => ({ ...good }));
const leftOf = (goods: readonly Good[]): number => sum(goods.map((good) => good.left));
function reasonAgainst(
  discount: Discount,
  input: PriceCartInput,
  lines: readonly CartLine[],
  unitOf: (line: CartLine) => number,
): DiscountRefusalReason | null {
  const { moment, orderType, isMedical, customer } = input.discounts!.situation;
  const { conditions, usesLeft, usesLeftForCustomer } = discount;
  const weekMinute = (moment.dayOfWeek - 1) * 1440 + moment.minuteOfDay;
  const isOpen = conditions.schedule.some((window) =>
    window.days.some((day) => {
      const length = (window.toMinute - window.fromMinute + 1440) % 1440 || 1440;
      const sinceOpening = (weekMinute - ((day - 1) * 1440 + window.fromMinute) + 7 * 1440) % (7 * 1440);
      return sinceOpening < length;
    }),
  );
  const groups = conditions.customerGroupIds;
  const personal =
    groups.length > 0 || conditions.firstOrder || conditions.birthdayMonth || usesLeftForCustomer !== null;
  const isOnOrder = referenceKinds[discount.kind].level === 'order';
  const { buyTargets = null } = discount.ownTerms ?? {};
  const counted = lines.filter(
    (line) =>
      conditions.countsWholeCart ||
      isTouched(discount, line, isOnOrder ? noTargets : discount.targets) ||
      (buyTargets !== null && isTouched(discount, line, buyTargets)),
  );
  const failures: [DiscountRefusalReason, boolean][] = [
    ['not-started', moment.instantMs < (conditions.startsAtMs ?? Number.NEGATIVE_INFINITY)],
    ['ended', moment.instantMs >= (conditions.endsAtMs ?? Number.POSITIVE_INFINITY)],
    ['outside-schedule', conditions.schedule.length > 0 && !isOpen],
    ['wrong-order-type', conditions.orderTypes.length > 0 && !conditions.orderTypes.includes(orderType)],
    ['wrong-customer-type', conditions.customerType === (isMedical ? 'adult-use' : 'medical')],
    ['customer-unknown', personal && customer === null],
    [
      'not-in-customer-group',
      groups.length > 0 && !groups.some((group) => customer?.groupIds.includes(group)),
    ],
    ['not-first-order', conditions.firstOrder && !customer?.isFirstOrder],
    ['not-birthday-month', conditions.birthdayMonth && customer?.birthMonth !== moment.month],
    ['used-up', usesLeft === 0],
    ['used-up-by-customer', usesLeftForCustomer === 0],
    ['no-matching-line', !lines.some((line) => isTouched(discount, line))],
    [
      'below-minimum-subtotal',
      sum(counted.map((line) => unitOf(line) * line.quantity)) < (conditions.minimumSubtotalCents ?? 0),
    ],
    ['below-minimum-quantity', sum(counted.map((line) => line.quantity)) < (conditions.minimumQuantity ?? 0)],
  ];
  return failures.find(([, failed]) => failed)?.[0] ?? null;
}

interface ReferenceReductions {
  /** Parallel to the lines. */
  readonly lineDiscounts: readonly UsedDiscount[][];
  readonly finalCents: readonly number[];
  readonly grossCents: readonly number[];
  readonly discounts: readonly UsedDiscount[];
  readonly loyaltyRedemptions: readonly LoyaltyRedemption[];
  readonly rewardIdsBeyondCap: readonly number[];
  readonly discountRefusals: readonly DiscountRefusal[];
}

/** Steps 1 to 5 for merged lines. */
export function reduceByReference(
  input: PriceCartInput,
  lines: readonly CartLine[],
  unitOf: (line: CartLine) => number,
  watch: TieWatch,
): ReferenceReductions {
  const goods = lines.map((line): Good => {
    const leastCents = line.isCannabis ? (input.freeProductFloorCents ?? 0) * line.quantity : 0;
    return { line, unitCents: unitOf(line), leastCents, left: unitOf(line) * line.quantity };
  });
  const subtotalCents = leftOf(goods);

  const { offered = [], presentedCodes = [], chosenIds = [] }: Partial<DiscountFacts> = input.discounts ?? {};
  const sorted = [...offered].sort((a, b) => a.priority - b.priority || a.id - b.id);
  const sameCode = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
  const hasCode = (discount: Discount, code: string) =>
    discount.trigger === 'code' && discount.codes.some((own) => sameCode(own, code));
  const reason = (discount: Discount) => reasonAgainst(discount, input, lines, unitOf);
  const live = sorted.filter(
    (discount) =>
      (discount.trigger === 'automatic' ||
        presentedCodes.some((code) => hasCode(discount, code)) ||
        (discount.trigger === 'manual' && chosenIds.includes(discount.id))) &&
      reason(discount) === null,
  );
  const discountRefusals: DiscountRefusal[] = [
    ...presentedCodes.flatMap((code) => {
      const reasons = sorted
        .filter((each) => hasCode(each, code))
        .map((each) => [each.id, reason(each)] as const);
      const [first] = reasons;
      if (first === undefined || reasons.some(([, why]) => why === null)) return [];
      return [{ discountId: first[0], code, reason: first[1]! }];
    }),
    ...chosenIds.flatMap((id) => {
      const chosen = sorted.find((each) => each.id === id && each.trigger === 'manual');
      const why = chosen === undefined ? null : reason(chosen);
      return why === null ? [] : [{ discountId: id, code: null, reason: why }];
    }),
  ];
  const used = ({ id, type, amount, description }: Discount, amountUsedCents: number): UsedDiscount => ({
    id,
    type,
    amount,
    amountUsedCents,
    description,
  });

  // Step 2, line by line: the reduction of the stack, and of each exclusive discount.
  const stack = copied(goods);
  const stacked: UsedDiscount[][] = goods.map(() => []);
  const alone: UsedDiscount[][] = goods.map(() => []);
  for (const discount of live) {
    const reference: ReferenceKind = referenceKinds[discount.kind];
    if (reference.level !== 'line') continue;
    const taken = reference.takes(discount, discount.stackable ? stack : copied(goods), watch);
    for (const [at, cents] of taken.entries()) {
      if (discount.stackable) stack[at]!.left -= cents;
      if (cents > 0) (discount.stackable ? stacked : alone)[at]!.push(used(discount, cents));
    }
  }
  const lineDiscounts = goods.map((good, at) => {
    const most = Math.max(0, ...alone[at]!.map((each) => each.amountUsedCents));
    const better = most > good.left - stack[at]!.left;
    return better ? [alone[at]!.find((each) => each.amountUsedCents === most)!] : stacked[at]!;
  });
  for (const [at, good] of goods.entries()) {
    good.left -= sum(lineDiscounts[at]!.map((each) => each.amountUsedCents));
  }
  const finalCents = goods.map((good) => good.left);

  // Step 4: a side is the order after it; the side with fewer cents left is better for the customer.
  const cap = input.discountLimits.maximumPercent;
  const capCents = cap == null ? null : Number(floor(times(whole(subtotalCents), percent(cap))));
  const roomIn = (side: Good[]) =>
    capCents === null ? Number.POSITIVE_INFINITY : Math.max(0, capCents - (subtotalCents - leftOf(side)));
  const takeOff = (side: Good[], cents: number, isIn: (line: CartLine) => boolean): number => {
    const room = roomIn(side);
    const weights = side.map((good) => whole(isIn(good.line) ? good.left : 0));
    const shares = split(Math.min(cents, room), weights, watch);
    const before = leftOf(side);
    for (const [at, good] of side.entries()) good.left -= mayTake(good, shares[at]!);
    return before - leftOf(side);
  };
  const orderSide = (discounts: readonly Discount[]) => {
    const side = copied(goods);
    const list = discounts.flatMap((discount) => {
      const reference: ReferenceKind = referenceKinds[discount.kind];
      const isIn = (line: CartLine) => isTouched(discount, line, noTargets);
      const base = leftOf(side.filter(({ line }) => isIn(line)));
      const wish = reference.level === 'order' ? reference.wants(discount, base) : 0;
      const cents = takeOff(side, Math.min(wish, discount.maximumAmountCents ?? wish), isIn);
      return cents === 0 ? [] : [used(discount, cents)];
    });
    return { side, list };
  };
  const orderKind = live.filter((discount) => referenceKinds[discount.kind].level === 'order');
  const sides = [
    orderSide(orderKind.filter((discount) => discount.stackable)),
    ...orderKind.filter((discount) => !discount.stackable).map((discount) => orderSide([discount])),
  ];
  const fewest = Math.min(...sides.map(({ side }) => leftOf(side)));
  const { side, list } = sides.find((each) => leftOf(each.side) === fewest)!;

  const rewards = [...(input.loyaltyRewards ?? [])].sort((a, b) => a.id - b.id);
  const rewardIdsBeyondCap: number[] = [];
  const takeReward = (id: number, wish: number, isIn: (line: CartLine) => boolean = () => true): number => {
    if (wish > 0 && roomIn(side) === 0) rewardIdsBeyondCap.push(id);
    return takeOff(side, wish, isIn);
  };
  const loyaltyRedemptions = rewards.flatMap((reward): LoyaltyRedemption[] => {
    const { id, type, description, pointsRequirement } = reward;
    const facts = { rewardId: id, type, description, pointsRequirement, pointsAmount: pointsRequirement };
    if (reward.type === 'free-product') {
      const isIn = (line: CartLine) => line.productOptionId === reward.productOptionId;
      const good = side.find(({ line }) => isIn(line));
      const wish = good === undefined ? 0 : nearest(over(whole(good.left), whole(good.line.quantity)));
      const amountUsedCents = takeReward(id, wish, isIn);
      const { productOptionId } = reward;
      return amountUsedCents === 0
        ? []
        : [{ ...facts, discountAmount: null, amountUsedCents, productOptionId }];
    }
    const { discountAmount } = reward;
    const inPoints =
      reward.type === 'cash-back' ? times(decimal(reward.points), decimal(discountAmount)) : null;
    const wish =
      inPoints === null
        ? worth({ type: reward.type === 'flat' ? 'flat' : 'percent', amount: discountAmount }, leftOf(side))
        : Math.min(nearest(inPoints), leftOf(side));
    const amountUsedCents = takeReward(id, wish);
    if (amountUsedCents === 0) return [];
    const redemption = { ...facts, discountAmount, amountUsedCents, productOptionId: null };
    if (reward.type !== 'cash-back') return [redemption];
    const needed = nextWhole(over(whole(amountUsedCents * 100), decimal(discountAmount)));
    const isLessThanGiven = isLess(over(whole(needed), whole(100)), decimal(reward.points));
    return [{ ...redemption, pointsAmount: isLessThanGiven ? hundredthsText(needed) : reward.points }];
  });

  return {
    lineDiscounts,
    finalCents,
    grossCents: side.map((good) => good.left),
    discounts: list,
    loyaltyRedemptions,
    rewardIdsBeyondCap,
    discountRefusals,
  };
}

/** Step 9. */
export function creditByReference(input: PriceCartInput, beforeCreditsCents: number): UsedCredit[] {
  let left = beforeCreditsCents;
  const rank = (expiresAtMs: number | null) => expiresAtMs ?? Number.POSITIVE_INFINITY;
  const ofType = (type: UsedCredit['type']) =>
    (input.credits ?? [])
      .filter((credit) => credit.type === type)
      .sort((a, b) =>
        rank(a.expiresAtMs) === rank(b.expiresAtMs)
          ? a.id - b.id
          : rank(a.expiresAtMs) < rank(b.expiresAtMs)
            ? -1
            : 1,
      );
  return [...ofType('promo-code'), ...ofType('store-credit')].flatMap((credit) => {
    const wish =
      credit.percent === null ? credit.amountCents! : nearest(times(whole(left), percent(credit.percent)));
    const amountUsedCents = Math.min(left, wish);
    left -= amountUsedCents;
    const { id, type, description, percent: share } = credit;
    return amountUsedCents === 0 ? [] : [{ id, type, amountUsedCents, description, percent: share }];
  });
}

function hundredthsText(hundredths: number): string {
  const digits = `${hundredths}`.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, '');
}
