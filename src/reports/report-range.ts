import type { Context } from '../database/context.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { addDays, endOfLocalDateMs, isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import { selectReportZone } from './report-queries.ts';

const daysMax = 366;

export interface ReportRange {
  readonly from: string;
  readonly to: string;
  readonly tz: string;
  /** The start and end of the days as instants. */
  readonly instants: { readonly from: string; readonly until: string };
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
  const from = asked.from ?? `${to.slice(0, 8)}01`;
  if (from > to) throw failure('INVALID_PARAMS', 'from must not be after to.');
  if (addDays(from, daysMax) <= to) {
    throw failure('INVALID_PARAMS', `from and to must span at most ${daysMax} days.`);
  }
  return {
    from,
    to,
    tz,
    instants: {
      from: isoTimestamp(endOfLocalDateMs(addDays(from, -1), tz)),
      until: isoTimestamp(endOfLocalDateMs(to, tz)),
    },
  };
}
