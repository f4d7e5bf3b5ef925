import type { Context } from '../database/context.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { addDays, endOfLocalDateMs, isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import type { RangeParameters } from './report-part-queries.ts';
import { selectReportZone } from './report-queries.ts';

const daysMax = 366;

export interface ReportRange {
  readonly from: string;
  readonly to: string;
  readonly tz: string;
  /** For the statements of reports. */
  readonly parameters: RangeParameters;
}

/** The requested days, in the organization's time zone. */
export async function readRange(
  { database, clock }: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string },
): Promise<ReportRange> {
  const [[row]] = await database.read(organization, selectReportZone({}));
  assert(row !== undefined, 'the organization of a signed-in caller exists');
  const { tz } = row;
  const to = asked.to ?? localDateAt(clock.now(), tz);
  const from = asked.from ?? firstOfMonth(to);
  if (from > to) throw failure('INVALID_PARAMS', 'from must not be after to.');
  if (addDays(from, daysMax) <= to) {
    throw failure('INVALID_PARAMS', `from and to must span at most ${daysMax} days.`);
  }
  return { from, to, tz, parameters: rangeParameters(from, to, tz) };
}

/** The days as instants and as days, with the whole months among them. */
export function rangeParameters(from: string, to: string, tz: string): RangeParameters {
  const monthsFrom = from.endsWith('-01') ? from : monthAfter(from);
  const monthsUntil = firstOfMonth(addDays(to, 1));
  const hasMonths = monthsFrom < monthsUntil;
  return {
    from: isoTimestamp(endOfLocalDateMs(addDays(from, -1), tz)),
    until: isoTimestamp(endOfLocalDateMs(to, tz)),
    fromDay: from,
    toDay: to,
    monthsFrom: hasMonths ? monthsFrom : from,
    monthsUntil: hasMonths ? monthsUntil : from,
    tz,
  };
}

/** The first day of the day's month. */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** The first day of the month after the day's month. */
export function monthAfter(day: string): string {
  return firstOfMonth(addDays(firstOfMonth(day), 31));
}
