import { csvText } from '../../kernel/csv-text.ts';
import { decimal } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { ReportRow } from './state-report-queries.ts';
import { saidOf } from './state-report-schemas.ts';

/** Rows of a file: an outage of days of a busy shop. */
export const filedReportsMax = 20_000;

const columns = [
  ...([
    'soldAt',
    'orderNumber',
    'kind',
    'number',
    'customerType',
    'label',
    'quantity',
    'unit',
    'amount',
  ] as const),
  ...(['state', 'problem', 'dueAt'] as const),
];

/**
 * Reports as CSV, for a day on which the state's system is down: a row for each package of each report, as a person types it there.
 * Amounts are dollars; a void has one row without a package.
 */
export function reportsFile(rows: readonly ReportRow[]): string {
  return csvText(columns, rows.flatMap(rowsOfReport));
}

type FileRow = Readonly<Record<(typeof columns)[number], string | number | null>>;

function rowsOfReport(row: ReportRow): FileRow[] {
  const { soldAt, customerType, lines } = saidOf(row);
  const report = {
    ...{ soldAt, orderNumber: row.order_number, kind: row.kind, number: row.external_number, customerType },
    ...{
      state: row.state,
      problem: row.problem,
      dueAt: row.due_at === null ? null : isoTimestamp(row.due_at),
    },
  };
  const empty = { label: null, quantity: null, unit: null, amount: null };
  if (lines.length === 0) return [{ ...report, ...empty }];
  return lines.map(({ label, quantity, unit, amountCents }) => ({
    ...{ ...report, label, quantity, unit },
    amount: decimal(amountCents).div(100).toFixed(2),
  }));
}
