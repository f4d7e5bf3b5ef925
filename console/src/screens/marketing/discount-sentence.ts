import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import { dollars } from '../../parts/dollars.ts';
import { timeOfDay } from '../../parts/shop-moment.ts';
import { sentence } from '../../parts/status-badge.tsx';
import { plural, said, t } from '../../words/words.ts';
import type { DiscountDraft, ScheduleWindow, Targets } from './discount-draft.ts';
import { isOffLines } from './discount-kind-fields.ts';

/** The names for ids. */
export interface TargetNames {
  readonly product: (id: number) => string;
  readonly option: (id: number) => string;
  readonly category: (id: number) => string;
  readonly brand: (id: number) => string;
  readonly tag: (id: number) => string;
  readonly group: (id: number) => string;
  /** A moment in words. */
  readonly moment: (iso: string) => string;
}

/** Describes a discount for a customer: what it does, when and for whom; a second sentence has the limits. */
export function discountSentence(draft: DiscountDraft, names: TargetNames): string {
  const { conditions, maximumAmount, kind } = draft;
  const main = [
    effectOf(draft, names),
    namesOrders(kind) ? '' : ordersOf(draft, t`on `),
    scheduleInWords(conditions.schedule),
    audienceOf(draft, names),
  ]
    .filter(Boolean)
    .join(' ');
  const most =
    maximumAmount === null
      ? ''
      : isOffLines(kind)
        ? t`, at most ${short(maximumAmount)} per line`
        : t`, at most ${short(maximumAmount)}`;
  const sentences = [`${main}${most}${triggerOf(draft)}`, limitsOf(draft), periodOf(draft, names)];
  return sentences
    .filter(Boolean)
    .map((text) => `${text}.`)
    .join(' ');
}

/** $15, $12.50 */
function short(cents: number): string {
  return dollars(cents).replace(/\.00$/, '');
}

/** `20%`, `$5`; an ellipsis while nothing is typed. */
function amountOf({ type, amount }: DiscountDraft): string {
  if (type === 'percent') return `${amount || '…'}%`;
  return /^\d+$/.test(amount) ? short(Number(amount)) : '$…';
}

function namesOrders(kind: DiscountDraft['kind']): boolean {
  return discountKinds[kind].effect.includes('{orders}');
}

/** The effect of the kind with its parts filled in; a part that is not known stays in its braces. */
function effectOf(draft: DiscountDraft, names: TargetNames): string {
  const parts: Readonly<Record<string, string>> = effectParts(draft, names);
  return said(discountKinds[draft.kind].effect).replace(
    /\{(\w+)\}/g,
    (part, name: string) => parts[name] ?? part,
  );
}

function effectParts(draft: DiscountDraft, names: TargetNames) {
  const { type, amount: typed, perUnit, buyTargets } = draft;
  const amount = amountOf(draft);
  const goods = goodsInWords(draft.targets, names);
  const bought = buyTargets === null ? goods : goodsInWords(buyTargets, names);
  const units = Object.keys(discountKinds[draft.kind].own).map((name) => {
    const value = draft[name as keyof DiscountDraft];
    return [name, typeof value === 'number' ? String(value) : '…'] as const;
  });
  return {
    ...Object.fromEntries(units),
    amount,
    /** `edibles`, `everything` */
    goods: goods ?? t`everything`,
    /** `each unit of `, or empty: for the goods as a whole. */
    each: perUnit ? t`each unit of ` : type === 'flat' ? t`each line of ` : '',
    /** `pickup orders of $30 or more with edibles` */
    orders: `${ordersOf(draft) || t`every order`}${goods === null ? '' : t` with ${goods}`}`,
    /** What is to be bought. */
    bought: bought ?? t`anything`,
    /** The goods that get cheaper: more of those that are bought, or others. */
    more: buyTargets === null ? t`more` : t`of ${goods ?? t`anything`}`,
    /** `free`, `at 50% off` */
    reduced: type === 'percent' && typed === '100' ? t`free` : t`at ${amount} off`,
  };
}

/** `edibles or Fog Signal Farms`; null: everything. */
function goodsInWords(targets: Targets, names: TargetNames): string | null {
  const all = [
    ...targets.categoryIds.map(names.category),
    ...targets.brandIds.map(names.brand),
    ...targets.tagIds.map((id) => t`goods tagged ${names.tag(id)}`),
    ...targets.productIds.map(names.product),
    ...targets.optionIds.map(names.option),
  ];
  if (all.length === 0) return null;
  const shown = all.length > 4 ? [...all.slice(0, 3), t`${all.length - 3} more`] : all;
  return listed(shown, 'or');
}

/** `a`, `a or b`, `a, b or c`. */
function listed(words: readonly string[], joint: 'or' | 'and'): string {
  if (words.length < 2) return words[0] ?? '';
  const before = words.slice(0, -1).join(', ');
  return joint === 'or' ? t`${before} or ${words.at(-1)}` : t`${before} and ${words.at(-1)}`;
}

const dayNames = [
  t`Mondays`,
  t`Tuesdays`,
  t`Wednesdays`,
  t`Thursdays`,
  t`Fridays`,
  t`Saturdays`,
  t`Sundays`,
] as const;

/** `on Mondays 4:00 PM–7:00 PM, or on weekends`; empty: at all times. */
export function scheduleInWords(schedule: readonly ScheduleWindow[]): string {
  return schedule.map(windowInWords).join(t`, or `);
}

function windowInWords({ days, from, to }: ScheduleWindow): string {
  const hours =
    from === '00:00' && to === '24:00'
      ? ''
      : ` ${timeOfDay(from)}–${timeOfDay(to)}${to <= from ? t` the next day` : ''}`;
  return `${daysInWords([...days].sort())}${hours}`;
}

function daysInWords(days: readonly number[]): string {
  const key = days.join('');
  if (key === '1234567') return t`every day`;
  if (key === '12345') return t`on weekdays`;
  if (key === '67') return t`on weekends`;
  return t`on ${listed(
    days.map((day) => dayNames[day - 1] ?? '…'),
    'and',
  )}`;
}

/** `pickup and in-store orders of $30 or more`; empty: all orders. */
function ordersOf({ conditions, kind }: DiscountDraft, before = ''): string {
  const { orderTypes, minimumSubtotal, minimumQuantity } = conditions;
  const isAnyType = orderTypes.length === 0 || orderTypes.length === 3;
  if (isAnyType && !minimumSubtotal && !minimumQuantity) return '';
  const types = listed(
    orderTypes.map((type) => sentence(type).toLowerCase()),
    'and',
  );
  const orders = isAnyType ? t`orders` : t`${types} orders`;
  const counted = conditions.countsWholeCart || kind === 'order' ? '' : t` of these products`;
  const least = [
    minimumSubtotal ? short(minimumSubtotal) : '',
    minimumQuantity ? plural(minimumQuantity, { one: t`one unit`, other: t`${minimumQuantity} units` }) : '',
  ].filter(Boolean);
  return `${before}${orders}${least.length > 0 ? t` of ${listed(least, 'and')} or more${counted}` : ''}`;
}

function audienceOf({ conditions }: DiscountDraft, names: TargetNames): string {
  const { customerGroupIds, customerType, firstOrder, birthdayMonth, excludeSaleItems } = conditions;
  return [
    customerType === null
      ? ''
      : customerType === 'medical'
        ? t`for patients`
        : t`for customers who are not patients`,
    customerGroupIds.length > 0 ? t`for ${listed(customerGroupIds.map(names.group), 'or')}` : '',
    firstOrder ? t`for a customer's first order` : '',
    birthdayMonth ? t`in the month of the customer's birthday` : '',
    excludeSaleItems ? t`not on sale items` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function triggerOf({ trigger, codes }: DiscountDraft): string {
  if (trigger === 'manual') return t`, when staff choose it`;
  if (trigger === 'automatic') return '';
  const [code, ...others] = codes;
  if (code === undefined) return t`, with a code`;
  return others.length === 0
    ? t`, with the code ${code}`
    : others.length === 1
      ? t`, with ${code} or ${others[0]}`
      : t`, with ${code} or ${others.length} other codes`;
}

function limitsOf({ usesPerOrder, usesPerCustomer, usesTotal, stackable, kind }: DiscountDraft): string {
  const { usesCount } = discountKinds[kind];
  const limits = [
    usesPerOrder === null || usesCount === null
      ? ''
      : usesCount === 'lines'
        ? plural(usesPerOrder, {
            one: t`on ${usesPerOrder} line per order`,
            other: t`on ${usesPerOrder} lines per order`,
          })
        : t`${times(usesPerOrder)} per order`,
    usesPerCustomer === null ? '' : t`${times(usesPerCustomer)} per customer`,
    usesTotal === null ? '' : t`${times(usesTotal)} in total`,
  ].filter(Boolean);
  const counted = limits.length > 0 ? t`It applies ${listed(limits, 'and')}` : '';
  const alone = stackable ? '' : t`Not combinable with other discounts`;
  return [counted, alone].filter(Boolean).join('. ');
}

function times(count: number): string {
  return plural(count, { one: t`once`, other: t`${count} times` });
}

function periodOf({ conditions: { startsAt, endsAt } }: DiscountDraft, { moment }: TargetNames): string {
  if (startsAt === null && endsAt === null) return '';
  const from = startsAt === null ? '' : t`from ${moment(startsAt)}`;
  const until = endsAt === null ? '' : t`until ${moment(endsAt)}`;
  const text = [from, until].filter(Boolean).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
