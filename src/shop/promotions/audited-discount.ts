import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Changes, changesOf } from '../../platform/events/changes-of.ts';
import { type DiscountSetup, noTargets } from './discount-setup.ts';
import { type OwnNameOf, ownNamesOf } from './own-terms.ts';
import { clockTime } from './read-discount.ts';

const targetTerms = ownNamesOf('targets');

/** Without the target lists among a kind's own terms, which are compared one by one. */
function withoutLists(setup: DiscountSetup): Omit<DiscountSetup, OwnNameOf<'targets'>> {
  const rest: { -readonly [Name in keyof DiscountSetup]?: DiscountSetup[Name] } = { ...setup };
  for (const name of targetTerms) delete rest[name];
  return rest as DiscountSetup;
}

/** A discount in the audit log (D58): all fields in one object, with the names and values of the API. */
function auditedDiscount({
  maximumAmountCents,
  amount,
  targets,
  conditions,
  ...setup
}: Omit<DiscountSetup, OwnNameOf<'targets'>>) {
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

/** The changes of an edit; null: none. */
export function discountChanges(before: DiscountSetup, after: DiscountSetup): Changes | null {
  const changes = changesOf(auditedDiscount(withoutLists(before)), auditedDiscount(withoutLists(after)));
  const lists = targetTerms.flatMap((name) => {
    const changed = changesOf(before[name] ?? noTargets, after[name] ?? noTargets);
    return changed === null ? [] : [[name, changed] as const];
  });
  if (changes === null && lists.length === 0) return null;
  return { ...changes, ...Object.fromEntries(lists) };
}
