import type { LimitWindow, PurchaseLimitRule } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { holdsAt, type SalePlace } from './locality.ts';
import type { PurchaseLimitRuleRow } from './purchase-limit-setting.ts';

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
    .filter(({ customerType: type }) => type !== otherType)
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
  { startsOn: from, endsOn: to }: Pick<PurchaseLimitRuleRow, 'startsOn' | 'endsOn'>,
  localDate: string,
): boolean {
  return (from === null || from <= localDate) && (to === null || localDate <= to);
}

function purchaseLimitRuleOf(row: PurchaseLimitRuleRow): PurchaseLimitRule {
  return {
    name: row.name,
    window: windowOf(row),
    cannabisType: row.cannabisType,
    limit: { amount: row.limit, unit: row.unit },
    counts: row.counts,
  };
}

function windowOf({ window: kind, windowDays: days }: PurchaseLimitRuleRow): LimitWindow {
  return kind === 'rolling-days' ? { kind, days: days! } : { kind };
}
