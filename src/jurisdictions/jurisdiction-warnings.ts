import type { LocalDate } from './jurisdiction.ts';
import { findJurisdiction, isInForce, isStale } from './jurisdictions.ts';

/**
 * What is wrong with what is known of a state (two capitals), for people: that it is nothing, or old; null when
 * it can be relied on (D36).
 */
export function findMissingOrOldData(state: string, localDate: LocalDate): string | null {
  const jurisdiction = findJurisdiction(state);
  if (jurisdiction === null) {
    return (
      `The law of the state ${state} is not known here: no purchase limits are checked but the organization's own, ` +
      'and the minimum age is 21, for medical customers 18.'
    );
  }
  if (!isStale(jurisdiction, localDate)) return null;
  return (
    `What is known here of the law of ${jurisdiction.name} was compiled on ${jurisdiction.asOf}, more than a year ago: ` +
    'compare it with the law of today.'
  );
}

/** What an organization in a state should know of the limits that are checked for it, for people (D36). */
export function warningsOnLimits(state: string, localDate: LocalDate): string[] {
  const known = findMissingOrOldData(state, localDate);
  const warnings = known === null ? [] : [known];
  const jurisdiction = findJurisdiction(state);
  if (jurisdiction === null) return warnings;
  const { name, purchaseLimits } = jurisdiction;
  const audiences = new Set(
    purchaseLimits.filter((rule) => isInForce(rule, localDate)).map((rule) => rule.audience),
  );
  const unknown = (['adult-use', 'medical'] as const).filter((audience) => !audiences.has(audience));
  if (unknown.length > 0) {
    warnings.push(
      `No purchase limits of ${name} for ${unknown.join(' and ')} customers are known here: only the organization's ` +
        'own are checked for them.',
    );
  }
  if (audiences.has('adult-use-non-resident')) {
    warnings.push(
      `${name} has narrower limits for customers from elsewhere. They are not checked: a profile does not say where ` +
        'somebody lives.',
    );
  }
  return warnings;
}
