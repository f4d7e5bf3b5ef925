import type { Static } from 'typebox';
import type { OwnTermName, OwnTerms } from '../../engines/pricing/discounts/discount-kinds.ts';
import type {
  DiscountConditions,
  DiscountTargets,
} from '../../engines/pricing/discounts/discount-settings.ts';
import { failure } from '../../kernel/failure.ts';
import { decimalTextOf } from './decimal-amount.ts';
import type { DiscountBody, DiscountChanges } from './discount-schemas.ts';
import { type DiscountSetup, noConditions, noTargets } from './discount-setup.ts';
import { noOwnTerms, ownNamesOf } from './own-terms.ts';

type Changes = Static<typeof DiscountChanges>;
type Conditions = NonNullable<Changes['conditions']>;

/** The defaults of a new discount. */
const defaults: Omit<DiscountSetup, 'name' | 'kind' | 'type' | 'amount'> = {
  perUnit: false,
  maximumAmountCents: null,
  targets: noTargets,
  conditions: noConditions,
  trigger: 'automatic',
  codes: [],
  stackable: true,
  priority: 0,
  usesPerOrder: null,
  usesPerCustomer: null,
  usesTotal: null,
  ...noOwnTerms,
};

/** A whole discount from the request. */
export function readDiscount(body: Static<typeof DiscountBody>): DiscountSetup {
  const { name, kind, type, amount } = body;
  return withChanges({ ...defaults, name, kind, type, amount: readAmount(amount) }, body);
}

/** The discount with the sent fields in place of the former ones. */
export function withChanges(before: DiscountSetup, body: Changes): DiscountSetup {
  return {
    name: body.name === undefined ? before.name : body.name.trim(),
    kind: body.kind ?? before.kind,
    type: body.type ?? before.type,
    amount: body.amount === undefined ? before.amount : readAmount(body.amount),
    perUnit: body.perUnit ?? before.perUnit,
    maximumAmountCents: given(body.maximumAmount, before.maximumAmountCents),
    targets: body.targets === undefined ? before.targets : readTargets(before.targets, body.targets),
    conditions: readConditions(before.conditions, body),
    trigger: body.trigger ?? before.trigger,
    codes: body.codes === undefined ? before.codes : body.codes.map((code) => code.trim()),
    stackable: body.stackable ?? before.stackable,
    priority: body.priority ?? before.priority,
    usesPerOrder: given(body.usesPerOrder, before.usesPerOrder),
    usesPerCustomer: given(body.usesPerCustomer, before.usesPerCustomer),
    usesTotal: given(body.usesTotal, before.usesTotal),
    ...readOwnTerms(before, body),
  };
}

function readOwnTerms(before: DiscountSetup, body: Changes): OwnTerms {
  const terms: Partial<Record<OwnTermName, OwnTerms[OwnTermName]>> = {};
  for (const name of ownNamesOf('units')) terms[name] = given(body[name], before[name]);
  for (const name of ownNamesOf('targets')) {
    const sent = body[name];
    terms[name] = sent ? readTargets(before[name] ?? noTargets, sent) : given(sent, before[name]);
  }
  return { ...noOwnTerms, ...terms } as OwnTerms;
}

function readAmount(amount: number | string): string {
  const text = decimalTextOf(amount);
  if (text === null) throw failure('INVALID_PARAMS', 'amount must have at most 6 decimals.');
  return text;
}

function given<Value>(sent: Value | null | undefined, before: Value | null): Value | null {
  return sent === undefined ? before : sent;
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

function readTargets(before: DiscountTargets, sent: NonNullable<Changes['targets']>): DiscountTargets {
  return {
    productIds: unique(sent.productIds ?? before.productIds),
    optionIds: unique(sent.optionIds ?? before.optionIds),
    categoryIds: unique(sent.categoryIds ?? before.categoryIds),
    brandIds: unique(sent.brandIds ?? before.brandIds),
    tagIds: unique(sent.tagIds ?? before.tagIds),
  };
}

/**
 * Conditions may be inside `conditions` or on the top level: ignoring the latter would give the discount to
 * every customer. If both are sent, they must be equal.
 */
function readConditions(before: DiscountConditions, body: Changes): DiscountConditions {
  const inside: Conditions = body.conditions ?? {};
  const sent = <Name extends keyof Conditions>(name: Name): Conditions[Name] => {
    const within = inside[name];
    const beside: Conditions[Name] = body[name];
    if (within === undefined) return beside;
    if (beside !== undefined && JSON.stringify(within) !== JSON.stringify(beside)) {
      throw failure('INVALID_PARAMS', `${name} must be equal to conditions.${name}, or absent.`);
    }
    return within;
  };
  return {
    orderTypes: unique(sent('orderTypes') ?? before.orderTypes),
    customerGroupIds: unique(sent('customerGroupIds') ?? before.customerGroupIds),
    customerType: given(sent('customerType'), before.customerType),
    minimumSubtotalCents: given(sent('minimumSubtotal'), before.minimumSubtotalCents),
    minimumQuantity: given(sent('minimumQuantity'), before.minimumQuantity),
    countsWholeCart: sent('countsWholeCart') ?? before.countsWholeCart,
    excludeSaleItems: sent('excludeSaleItems') ?? before.excludeSaleItems,
    firstOrder: sent('firstOrder') ?? before.firstOrder,
    birthdayMonth: sent('birthdayMonth') ?? before.birthdayMonth,
    schedule:
      sent('schedule')?.map(({ days, from, to }) => ({
        days: unique(days).sort(),
        fromMinute: minuteOfDay(from),
        toMinute: minuteOfDay(to),
      })) ?? before.schedule,
    startsAtMs: readMoment(sent('startsAt'), before.startsAtMs),
    endsAtMs: readMoment(sent('endsAt'), before.endsAtMs),
  };
}

function readMoment(sent: string | null | undefined, before: number | null): number | null {
  return sent === undefined || sent === null ? given(sent, before) : Date.parse(sent);
}

/** "18:30" → 1110 */
function minuteOfDay(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** 1110 → "18:30" */
export function clockTime(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
