import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { DiscountSetup } from './discount-setup.ts';
import type { DiscountSetupRow } from './discount-setup-queries.ts';
import { targetsAndConditions } from './discount-terms.ts';
import { columnsOfOwnTerms, ownTermsOfRow } from './own-terms.ts';

/** A discount's setup from its row. */
export function setupOfRow(row: DiscountSetupRow): DiscountSetup {
  return {
    name: row.name,
    kind: row.kind,
    type: row.type,
    amount: canonicalDecimalText(row.amount),
    perUnit: row.per_unit,
    maximumAmountCents: row.maximum_amount_cents,
    ...targetsAndConditions(row),
    trigger: row.trigger,
    codes: row.codes,
    stackable: row.stackable,
    priority: row.priority,
    usesPerOrder: row.uses_per_order,
    usesPerCustomer: row.uses_per_customer,
    usesTotal: row.uses_total,
    ...ownTermsOfRow(row),
  };
}

/** The columns of a discount, without its id and times. */
export function columnsOfSetup({ targets, conditions, codes: _, ...setup }: DiscountSetup) {
  const { optionIds: productOptionIds, ...otherTargets } = targets;
  const { schedule, startsAtMs, endsAtMs, ...otherConditions } = conditions;
  return {
    ...setup,
    ...otherTargets,
    productOptionIds,
    ...otherConditions,
    schedule: JSON.stringify(schedule),
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
    ...columnsOfOwnTerms(setup),
  };
}

/** The rows of a discount's codes. */
export function codeRows(discountId: number, codes: readonly string[]) {
  return codes.map((code) => ({ discountId, code, codeKey: normalizeCode(code) }));
}
