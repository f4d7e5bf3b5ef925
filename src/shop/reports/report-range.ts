import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import {
  addDays,
  type BusinessDays,
  businessDayAt,
  isoTimestamp,
  startOfBusinessDayMs,
} from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import type { RangeParameters } from './report-part-queries.ts';
import { selectReportDays } from './report-queries.ts';

const daysMax = 366;

export interface ReportRange {
  readonly from: string;
  readonly to: string;
  /** For the statements of reports. */
  readonly parameters: RangeParameters;
}

/** The requested business days of the organization. */
export async function readRange(
  { database, clock }: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string },
): Promise<ReportRange> {
  const [[row]] = await database.read(organization, selectReportDays({}));
  assert(row !== undefined, 'the organization of a signed-in caller exists');
  const days = { tz: row.tz, dayStartsAt: row.day_starts_at };
  const to = asked.to ?? businessDayAt(clock.now(), days);
  const from = asked.from ?? firstOfMonth(to);
  if (from > to) throw failure('INVALID_PARAMS', 'from must not be after to.');
  if (addDays(from, daysMax) <= to) {
    throw failure('INVALID_PARAMS', `from and to must span at most ${daysMax} days.`);
  }
  return { from, to, parameters: rangeParameters(from, to, days) };
}

/** The days as instants and as days, with the whole months among them. */
export function rangeParameters(from: string, to: string, days: BusinessDays): RangeParameters {
  const monthsFrom = from.endsWith('-01') ? from : monthAfter(from);
  const monthsUntil = firstOfMonth(addDays(to, 1));
  const hasMonths = monthsFrom < monthsUntil;
  return {
    from: isoTimestamp(startOfBusinessDayMs(from, days)),
    until: sqlInstant(startOfBusinessDayMs(addDays(to, 1), days)),
    fromDay: from,
    toDay: to,
    monthsFrom: hasMonths ? monthsFrom : from,
    monthsUntil: hasMonths ? monthsUntil : from,
    ...days,
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
