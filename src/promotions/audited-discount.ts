import { type Changes, changesOf } from '../events/changes-of.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type DiscountSetup, noTargets } from './discount-setup.ts';
import { clockTime } from './read-discount.ts';

/** A discount as the audit tells it (D58): all fields side by side, by the names and in the values of the API. */
export function auditedDiscount({
  maximumAmountCents,
  amount,
  targets,
  conditions,
  buyTargets: _,
  ...setup
}: DiscountSetup) {
  const { minimumSubtotalCents, schedule, startsAtMs, endsAtMs, ...others } = conditions;
  return {
    ...setup,
    amount: Number(amount),
    maximumAmount: maximumAmountCents,
    ...targets,
    ...others,
    minimumSubtotal: minimumSubtotalCents,
    schedule: schedule.map(({ days, fromMinute, toMinute }) => ({
      days,
      from: clockTime(fromMinute),
      to: clockTime(toMinute),
    })),
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
}

/** What an edit of a discount changed; null: nothing. */
export function discountChanges(before: DiscountSetup, after: DiscountSetup): Changes | null {
  const changes = changesOf(auditedDiscount(before), auditedDiscount(after));
  const buyTargets = changesOf(before.buyTargets ?? noTargets, after.buyTargets ?? noTargets);
  if (changes === null && buyTargets === null) return null;
  return { ...changes, ...(buyTargets !== null && { buyTargets }) };
}
