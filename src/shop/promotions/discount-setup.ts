import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import type { DiscountKind, OwnTerms } from '../../engines/pricing/discounts/discount-kinds.ts';
import type {
  DiscountConditions,
  DiscountTargets,
} from '../../engines/pricing/discounts/discount-settings.ts';
import { failure } from '../../kernel/failure.ts';
import { findForeignTerm, kindsInWords, termsOfKind } from './own-terms.ts';

/** A discount as staff set it up, in the terms of the pricing engine where it has them. */
export interface DiscountSetup extends OwnTerms {
  readonly name: string;
  readonly kind: DiscountKind;
  readonly type: 'flat' | 'percent';
  /** Canonical decimal text: cents or percent. */
  readonly amount: string;
  readonly perUnit: boolean;
  readonly maximumAmountCents: number | null;
  readonly targets: DiscountTargets;
  readonly conditions: DiscountConditions;
  readonly trigger: 'automatic' | 'code' | 'manual';
  readonly codes: readonly string[];
  readonly stackable: boolean;
  readonly priority: number;
  readonly usesPerOrder: number | null;
  readonly usesPerCustomer: number | null;
  readonly usesTotal: number | null;
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

/** Throws INVALID_PARAMS for the first contradiction; the message names the field. */
export function refuseContradictions(setup: DiscountSetup): void {
  const contradiction = findContradiction(setup);
  if (contradiction !== null) throw failure('INVALID_PARAMS', contradiction);
}

/** The first contradiction, in words; null: none. */
function findContradiction(setup: DiscountSetup): string | null {
  const { kind, type, amount, trigger, codes, conditions } = setup;
  if (setup.name === '') return 'name must not be blank.';
  if (type === 'flat' && amount.includes('.')) return 'amount must be whole cents for type flat.';
  if (type === 'percent' && !/^(100|[0-9]{1,2}(\.[0-9]+)?)$/.test(amount)) {
    return 'amount must be at most 100 for type percent.';
  }
  if (termsOfKind(kind).amountIsPrice && type !== 'flat') {
    return `type must be flat for ${kindsInWords(({ amountIsPrice }) => amountIsPrice === true)}: amount is the price of a group in cents.`;
  }
  if (setup.perUnit && !(termsOfKind(kind).perUnit && type === 'flat')) {
    return `perUnit is for ${kindsInWords(({ perUnit }) => perUnit)} and type flat only.`;
  }
  const foreign = findForeignTerm(kind, setup);
  if (foreign !== null) return foreign;
  if (trigger === 'code' && codes.length === 0) return 'codes must have at least one code for trigger code.';
  if (trigger !== 'code' && codes.length > 0) return 'codes are for trigger code only.';
  return findContradictoryCode(codes) ?? findContradictoryTime(conditions) ?? findContradictoryUse(setup);
}

function findContradictoryCode(codes: readonly string[]): string | null {
  const seen = new Map<string, number>();
  for (const [index, code] of codes.entries()) {
    const key = normalizeCode(code);
    if (key === '') return `codes[${index}] must not be blank.`;
    const before = seen.get(key);
    if (before !== undefined) return `codes[${index}] is the same code as codes[${before}].`;
    seen.set(key, index);
  }
  return null;
}

function findContradictoryTime({ startsAtMs, endsAtMs, schedule }: DiscountConditions): string | null {
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs) {
    return 'endsAt must be after startsAt.';
  }
  const same = schedule.findIndex(({ fromMinute, toMinute }) => fromMinute === toMinute);
  if (same >= 0) return `conditions.schedule[${same}].to must not be the time of from.`;
  return null;
}

function findContradictoryUse({ usesPerCustomer, usesTotal }: DiscountSetup): string | null {
  if (usesPerCustomer !== null && usesTotal !== null && usesPerCustomer > usesTotal) {
    return 'usesPerCustomer must be at most usesTotal.';
  }
  return null;
}
