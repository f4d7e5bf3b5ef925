import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type ReportDriftRow,
  selectReportPeriod,
  selectSalesDrift,
  selectTaxDrift,
} from './report-drift-queries.ts';
import { firstOfMonth, monthAfter, rangeParameters } from './report-range.ts';

/** A row of a report whose sums are not what its orders make. */
export type ReportDrift = Readonly<ReportDriftRow>;

/**
 * Counts all sales and returns again, month by month, and compares each month with its sums as they were at the same moment.
 * Changes nothing. Resolves to the rows that differ, at most 100 of sales and of taxes in each month. Takes minutes for a
 * million orders.
 */
export async function findReportDrift(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<readonly ReportDrift[]> {
  const [[period]] = await database.read(organization, selectReportPeriod({}));
  assert(period !== undefined, 'the organization exists');
  const { tz, day_starts_at: dayStartsAt, from_day: from, to_day: to } = period;
  const drifts: ReportDrift[] = [];
  if (from === null || to === null) return drifts;
  for (let month = firstOfMonth(from); month <= to; month = monthAfter(month)) {
    const range = rangeParameters(month, addDays(monthAfter(month), -1), { tz, dayStartsAt });
    const [sales, taxes] = await database.read(organization, selectSalesDrift(range), selectTaxDrift(range));
    drifts.push(...sales, ...taxes);
  }
  return drifts;
}
