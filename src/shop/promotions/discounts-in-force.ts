import {
  type DiscountRefusalReason,
  findRefusal,
  isOpen,
  type LocalMoment,
} from '../../engines/pricing/discounts/choose-discounts.ts';
import type { CartOrderType, ScheduleWindow } from '../../engines/pricing/discounts/discount-settings.ts';
import { addDays, localDateAt, localInstantMs, localMomentAt } from '../../kernel/local-time.ts';
import { discountFacts } from './cart-promotions.ts';
import type { OfferedDiscountRow } from './promotion-queries.ts';

const minutesPerDay = 1_440;
const minutesPerWeek = 7 * minutesPerDay;

/** The reasons that other lines could settle. */
const ofTheLines: ReadonlySet<DiscountRefusalReason> = new Set([
  'no-matching-line',
  'below-minimum-subtotal',
  'below-minimum-quantity',
]);

/** The ids of the automatic discounts that a cart without a customer can use now, if its lines and subtotal fit. */
export function discountsInForce(
  offered: readonly OfferedDiscountRow[],
  type: CartOrderType,
  timeZone: string,
  nowMs: number,
): readonly number[] {
  const facts = discountFacts({ type, discountCodes: [] }, { offered, rewards: [] }, null, timeZone, nowMs);
  if (facts === undefined) return [];
  const noLines = { lines: [], subtotalCents: 0 };
  return facts.offered
    .filter((discount) => {
      const refusal = findRefusal(discount, facts.situation, noLines);
      return refusal === null || ofTheLines.has(refusal);
    })
    .map(({ id }) => id);
}

/** When a discount that is in force ends, or its schedule closes; null: it has no end. */
export function discountEndMs(
  { ends_at: endsAtMs, schedule }: Pick<OfferedDiscountRow, 'ends_at' | 'schedule'>,
  timeZone: string,
  nowMs: number,
): number | null {
  const closesIn = closingMinute(schedule, localMomentAt(nowMs, timeZone));
  if (closesIn === null) return endsAtMs;
  const date = addDays(localDateAt(nowMs, timeZone), Math.floor(closesIn / minutesPerDay));
  const closesAtMs = localInstantMs(date, closesIn % minutesPerDay, timeZone);
  return endsAtMs === null ? closesAtMs : Math.min(endsAtMs, closesAtMs);
}

/**
 * Local minutes from the start of the moment's day until no window of a schedule is open any more; windows that follow
 * each other without a gap count as one. Null: the schedule never closes, or is not open at the moment.
 */
function closingMinute(schedule: readonly ScheduleWindow[], moment: LocalMoment): number | null {
  const start = moment.minuteOfDay;
  for (let minute = start; minute < start + minutesPerWeek; minute++) {
    const later = {
      dayOfWeek: ((moment.dayOfWeek - 1 + Math.floor(minute / minutesPerDay)) % 7) + 1,
      minuteOfDay: minute % minutesPerDay,
    };
    if (!schedule.some((window) => isOpen(window, later))) return minute === start ? null : minute;
  }
  return null;
}
