import type { Schema } from '../../api.ts';
import { type DayRange, dayAfter, daysIn } from './report-days.ts';

type SalesRow = Schema['SalesReportRow'];

/** A row of the report with the net sales of the same part in the period that it is compared with. */
export type ComparedRow = SalesRow & {
  readonly id: string;
  /** Null: not compared. */
  readonly before: number | null;
};

const nothing = {
  ...{
    orders: 0,
    units: 0,
    gross: 0,
    discounts: 0,
    net: 0,
    cost: 0,
    margin: 0,
    adjustments: 0,
    credits: 0,
    tax: 0,
  },
  ...{ refunds: 0, refundedAdjustments: 0, refundedCredits: 0, refundedTax: 0, otherRefunds: 0 },
  ...{ returns: 0, paid: 0, paidBack: 0, netAfterRefunds: 0, taxAfterRefunds: 0 },
};

/**
 * The rows of a report beside those of another period, null: not compared. A part that only sold before has a row as well. Days
 * are compared by their place in the period: the first with the first.
 */
export function comparedRows(
  rows: readonly SalesRow[],
  former: readonly SalesRow[] | null,
  days: { readonly range: DayRange; readonly before: DayRange } | null,
): ComparedRow[] {
  if (former === null) return rows.map((row) => ({ ...row, id: row.key, before: null }));
  const keyed = new Map(
    former.map((row) => {
      const key = days === null ? row.key : dayAfter(days.range.from, placeOf(row.key, days.before));
      return [key, row] as const;
    }),
  );
  const present = rows.map((row) => ({ ...row, id: row.key, before: keyed.get(row.key)?.net ?? 0 }));
  const known = new Set(rows.map(({ key }) => key));
  const gone = [...keyed]
    .filter(([key]) => !known.has(key) && (days === null || key <= days.range.to))
    .map(([key, { name, net }]) => ({ ...nothing, key, id: key, name, before: net }));
  return [...present, ...gone];
}

/** The place of a day in a period, from zero. */
function placeOf(day: string, { from }: DayRange): number {
  return daysIn({ from, to: day }) - 1;
}
