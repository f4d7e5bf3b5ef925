import type { LimitWindow } from '../../engines/purchase-limits/limit-window.ts';
import type { PurchaseLimitRule } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { holdsAt, type SalePlace } from './locality.ts';
import type { PurchaseLimitRuleRow } from './purchase-limit-queries.ts';

/* Chooses the organization's own limits for a sale, in the form of the limits check. Pure. */

/** The own limits that apply to a sale to this customer on a local day. */
export function ownLimitsOf(
  rules: readonly PurchaseLimitRuleRow[],
  localDate: string,
  isMedical: boolean,
  place: SalePlace,
): PurchaseLimitRule[] {
  const otherType = isMedical ? 'adult-use' : 'medical';
  return rulesHolding(rules, localDate, place)
    .filter(({ customer_type: type }) => type !== otherType)
    .map(purchaseLimitRuleOf);
}

/** The own limits that apply to sales at a place on a local day, for every customer. */
export function rulesHolding(
  rules: readonly PurchaseLimitRuleRow[],
  localDate: string,
  place: SalePlace,
): PurchaseLimitRuleRow[] {
  return rules.filter((rule) => isLimitInForce(rule, localDate) && holdsAt(rule.locality, place));
}

/** Whether a rule is in force on a local day; first and last day included. */
export function isLimitInForce(
  { starts_on: from, ends_on: to }: Pick<PurchaseLimitRuleRow, 'starts_on' | 'ends_on'>,
  localDate: string,
): boolean {
  return (from === null || from <= localDate) && (to === null || localDate <= to);
}

function purchaseLimitRuleOf(row: PurchaseLimitRuleRow): PurchaseLimitRule {
  return {
    name: row.name,
    window: windowOf(row),
    cannabisType: row.cannabis_type,
    limit: { amount: row.limit_amount, unit: row.limit_unit },
    counts: row.counts,
  };
}

function windowOf({ limit_window: kind, window_days: days }: PurchaseLimitRuleRow): LimitWindow {
  return kind === 'rolling-days' ? { kind, days: days! } : { kind };
}
