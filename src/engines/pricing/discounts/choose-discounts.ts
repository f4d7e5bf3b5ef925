import { assert } from '../../../kernel/assert.ts';
import { isAscending } from '../../../kernel/is-ascending.ts';
import { type Discount, discountKinds } from './discount-kinds.ts';
import {
  type CartOrderType,
  type DiscountableLine,
  type DiscountRule,
  type DiscountTargets,
  type ScheduleWindow,
  touches,
} from './discount-settings.ts';

/** The discounts that a cart may use, and what they depend on besides the cart. */
export interface DiscountFacts {
  /** Each once for the same lines, in any order. */
  readonly offered: readonly Discount[];
  readonly situation: DiscountSituation;
  /** As the customer typed them. The caller refuses codes that no offered discount has. */
  readonly presentedCodes: readonly string[];
  /** Manual discounts that staff chose for this cart. */
  readonly chosenIds: readonly number[];
}

/** A requested discount that does not apply. */
export interface DiscountRefusal {
  readonly discountId: number;
  /** As typed; null when staff chose the discount. */
  readonly code: string | null;
  readonly reason: DiscountRefusalReason;
}

/**
 * The discounts that apply, by priority and then id, and the requested ones that do not. Several discounts may
 * share a code: the code is refused, with the reason of its first discount, if none of them applies.
 */
export function chooseDiscounts(
  { offered, situation, presentedCodes, chosenIds }: DiscountFacts,
  cart: DiscountedCart,
): { discounts: Discount[]; refusals: DiscountRefusal[] } {
  const inOrder = isAscending(offered, byPriority) ? offered : offered.toSorted(byPriority);
  assert(isAscending(inOrder, byPriority), 'a discount is offered twice');
  const codes = new Set(presentedCodes.map(normalizeCode));
  const discounts = inOrder.filter(
    (discount) => isTriggered(discount, codes, chosenIds) && isApplicable(discount, situation, cart),
  );

  const refusals: DiscountRefusal[] = [];
  const refuse = (candidates: readonly Discount[], code: string | null) => {
    const [first] = candidates;
    if (first === undefined || candidates.some((candidate) => discounts.includes(candidate))) return;
    const reason = findRefusal(first, situation, cart);
    if (reason !== null) refusals.push({ discountId: first.id, code, reason });
  };
  for (const code of presentedCodes) {
    const codeSet = new Set([normalizeCode(code)]);
    refuse(
      inOrder.filter((discount) => discount.trigger === 'code' && isTriggered(discount, codeSet, [])),
      code,
    );
  }
  for (const id of chosenIds) {
    refuse(
      inOrder.filter((discount) => discount.trigger === 'manual' && discount.id === id),
      null,
    );
  }
  return { discounts, refusals };
}

/** A discount can be there twice with other terms, for other lines. */
function byPriority(a: Discount, b: Discount): number {
  return a.priority - b.priority || a.id - b.id || firstLine(a) - firstLine(b);
}

function firstLine({ targets: { onlyOptionIds } }: Discount): number {
  return onlyOptionIds?.[0] ?? 0;
}

/** Codes are compared without case and outer spaces. */
export function normalizeCode(code: string): string {
  return code.trim().toLowerCase();
}

function isTriggered(
  { trigger, codes, id }: Discount,
  presentedCodes: ReadonlySet<string>,
  chosenIds: readonly number[],
): boolean {
  if (trigger === 'automatic') return true;
  if (trigger === 'manual') return chosenIds.includes(id);
  return codes.some((code) => presentedCodes.has(normalizeCode(code)));
}

/** The current local time of the organization; the engine has no clock. */
export interface LocalMoment {
  /** Milliseconds since the epoch. */
  readonly instantMs: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 (Monday) to 7 (Sunday). */
  readonly dayOfWeek: number;
  /** 0 to 1439. */
  readonly minuteOfDay: number;
}

interface DiscountCustomer {
  readonly groupIds: readonly number[];
  /** The customer has no earlier order, apart from canceled ones. */
  readonly isFirstOrder: boolean;
  /** 1 to 12; null: unknown. */
  readonly birthMonth: number | null;
}

/** Everything that conditions depend on. */
export interface DiscountSituation {
  readonly moment: LocalMoment;
  readonly orderType: CartOrderType;
  /** The customer is known to be a patient. */
  readonly isMedical: boolean;
  /** Null: an anonymous cart. */
  readonly customer: DiscountCustomer | null;
}

export interface DiscountedCart {
  readonly lines: readonly DiscountableLine[];
  readonly subtotalCents: number;
}

export type DiscountRefusalReason =
  | 'not-started'
  | 'ended'
  | 'outside-schedule'
  | 'wrong-order-type'
  | 'wrong-customer-type'
  | 'customer-unknown'
  | 'not-in-customer-group'
  | 'not-first-order'
  | 'not-birthday-month'
  | 'used-up'
  | 'used-up-by-customer'
  | 'no-matching-line'
  | 'below-minimum-subtotal'
  | 'below-minimum-quantity';

/**
 * The first reason why a discount does not apply to this cart in this situation, or null when it applies. A
 * limit per customer requires a customer: uses of an anonymous cart cannot be counted.
 */
export function findRefusal(
  discount: Discount,
  { moment, orderType, isMedical, customer }: DiscountSituation,
  cart: DiscountedCart,
): DiscountRefusalReason | null {
  const { conditions, usesLeft, usesLeftForCustomer } = discount;
  const { orderTypes, customerGroupIds, schedule, startsAtMs, endsAtMs } = conditions;
  if (startsAtMs !== null && moment.instantMs < startsAtMs) return 'not-started';
  if (endsAtMs !== null && moment.instantMs >= endsAtMs) return 'ended';
  if (schedule.length > 0 && !schedule.some((window) => isOpen(window, moment))) return 'outside-schedule';
  if (orderTypes.length > 0 && !orderTypes.includes(orderType)) return 'wrong-order-type';
  const { customerType } = conditions;
  if (customerType !== null && (customerType === 'medical') !== isMedical) return 'wrong-customer-type';

  const asksForCustomer =
    customerGroupIds.length > 0 ||
    conditions.firstOrder ||
    conditions.birthdayMonth ||
    usesLeftForCustomer !== null;
  if (asksForCustomer) {
    if (customer === null) return 'customer-unknown';
    if (customerGroupIds.length > 0 && !customerGroupIds.some((id) => customer.groupIds.includes(id))) {
      return 'not-in-customer-group';
    }
    if (conditions.firstOrder && !customer.isFirstOrder) return 'not-first-order';
    if (conditions.birthdayMonth && customer.birthMonth !== moment.month) return 'not-birthday-month';
  }
  if (usesLeft !== null && usesLeft <= 0) return 'used-up';
  if (usesLeftForCustomer !== null && usesLeftForCustomer <= 0) return 'used-up-by-customer';

  if (!touchesAny(discount, cart.lines)) return 'no-matching-line';
  return belowMinimum(discount, cart);
}

/** A loop: every preview runs this for every discount. */
function touchesAny(discount: Discount, lines: readonly DiscountableLine[]): boolean {
  for (let index = 0; index < lines.length; index++) if (touches(discount, lines[index]!)) return true;
  return false;
}

/** D91: minimums count the lines that the discount touches, unless the organization says the whole cart. */
function belowMinimum(
  discount: Discount,
  { lines, subtotalCents: ofCart }: DiscountedCart,
): DiscountRefusalReason | null {
  const { minimumSubtotalCents, minimumQuantity, countsWholeCart } = discount.conditions;
  if (minimumSubtotalCents === null && minimumQuantity === null) return null;
  // More than the cart has is out of reach, whatever is counted: the quick answer for most.
  if (minimumSubtotalCents !== null && ofCart < minimumSubtotalCents) return 'below-minimum-subtotal';
  const counted = countsWholeCart ? lines : lines.filter((line) => countsFor(discount, line));
  let subtotalCents = 0;
  let quantity = 0;
  for (const line of counted) {
    subtotalCents += line.unitPriceCents * line.quantity;
    quantity += line.quantity;
  }
  if (minimumSubtotalCents !== null && subtotalCents < minimumSubtotalCents) return 'below-minimum-subtotal';
  return minimumQuantity !== null && quantity < minimumQuantity ? 'below-minimum-quantity' : null;
}

/** Whether the discount reduces the line, or asks for it to be bought. One on the order reduces all that it does not exclude. */
function countsFor(discount: Discount, line: DiscountableLine): boolean {
  const { level, terms }: DiscountRule = discountKinds[discount.kind];
  if (level === 'order') return touches(discount, line, everything);
  if (touches(discount, line)) return true;
  const own = (discount.ownTerms ?? {}) as Readonly<Record<string, number | DiscountTargets | null>>;
  return Object.entries(terms.own).some(([name, { is }]) => {
    const targets = own[name];
    return is === 'targets' && targets != null && touches(discount, line, targets as DiscountTargets);
  });
}

const everything: DiscountTargets = {
  productIds: [],
  optionIds: [],
  categoryIds: [],
  brandIds: [],
  tagIds: [],
};

/** Whether a discount applies to this cart in this situation; `findRefusal` gives the reason if not. */
export function isApplicable(
  discount: Discount,
  situation: DiscountSituation,
  cart: DiscountedCart,
): boolean {
  return findRefusal(discount, situation, cart) === null;
}

/** Whether a window is open at a moment. A window that closes on the next day belongs to the day on which it opened. */
export function isOpen(
  { days, fromMinute, toMinute }: ScheduleWindow,
  { dayOfWeek, minuteOfDay }: Pick<LocalMoment, 'dayOfWeek' | 'minuteOfDay'>,
): boolean {
  const opensToday = days.includes(dayOfWeek);
  if (fromMinute < toMinute) return opensToday && fromMinute <= minuteOfDay && minuteOfDay < toMinute;
  const openedYesterday = days.includes(dayOfWeek === 1 ? 7 : dayOfWeek - 1);
  return (opensToday && minuteOfDay >= fromMinute) || (openedYesterday && minuteOfDay < toMinute);
}
