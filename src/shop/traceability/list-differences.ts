import { stockDifferenceKinds } from '../../engines/state-reports/stock-difference.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectLastMovements } from '../inventory/stock.ts';
import { type ComparedPackage, compareStock, quantityText } from './compare-stock.ts';
import { findReceiptDifferences, type ReceiptDifference, receiptDifferences } from './receipt-differences.ts';

/** How the state can differ: by a receipt, or by the stock of a package. */
export const differenceKinds = [...receiptDifferences, ...stockDifferenceKinds] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** What happened to a package, and what the state was told of a trip. */
export const historyKinds = [
  ...(['received', 'taken', 'given-back', 'returned', 'wasted', 'adjusted', 'counted', 'moved'] as const),
  ...(['adjusted-at-state', 'report-open', 'reported'] as const),
] as const;

interface HistoryEntry {
  readonly what: (typeof historyKinds)[number];
  /** An instant, or the state's day. */
  readonly at: string;
  /** Null: an open report, which says it itself. */
  readonly quantity: string | null;
  readonly words: string | null;
}

/** A difference as staff see it. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly stateConnectionId: number;
  readonly stateReportId: number | null;
  readonly orderId: string | null;
  readonly orderNumber: number | null;
  readonly tripId: number | null;
  readonly stateRecordId: number | null;
  readonly number: string | null;
  readonly packageId: number | null;
  readonly label: string | null;
  readonly item: string | null;
  readonly unit: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly underWay: string | null;
  readonly answers: readonly ('state-is-right' | 'we-are-right')[];
  readonly history: readonly HistoryEntry[];
}

const historyOfEach = 8;

/** All differences of an organization, receipts first, without those that a person has answered. */
export async function listDifferences(
  context: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<Difference[]> {
  const receipts = await findReceiptDifferences(context, organization);
  const compared = await compareStock(context, organization, receipts);
  const packages = compared.filter(({ kind }) => kind !== null);
  const ids = packages.flatMap(({ known }) => known?.id ?? []);
  const [movements] = await context.database.read(
    organization,
    selectLastMovements({ ids, ofEach: historyOfEach }),
  );
  const movementsOf = groupBy(movements, (it) => it.package_id);
  return [
    ...receipts.filter(({ isAnswered }) => !isAnswered).map(ofReceipt),
    ...packages.map((it) => ofPackage(it, movementsOf.get(it.known?.id ?? 0) ?? [])),
  ];
}

function ofReceipt(it: ReceiptDifference): Difference {
  return {
    ...{ kind: it.kind, stateConnectionId: it.connectionId, stateReportId: it.reportId },
    ...{ orderId: it.orderId, orderNumber: it.orderNumber, stateRecordId: it.stateRecordId },
    ...{ number: it.externalNumber, packageId: null, label: null, item: null, unit: null, ours: null },
    ...{ theirs: it.theirs, underWay: null, tripId: it.tripId },
    history: it.told.map(({ at, words }) => ({ what: 'reported', at, quantity: null, words })),
    answers: it.reportId === null ? ['state-is-right'] : ['state-is-right', 'we-are-right'],
  };
}

function ofPackage(it: ComparedPackage, movements: readonly MovementRow[]): Difference {
  const { row } = it;
  const here = movements.map(
    ({ cause, delta, created_at: atMs, reason }): HistoryEntry => ({
      ...{ what: cause as HistoryEntry['what'], at: isoTimestamp(atMs), words: reason },
      quantity: canonicalDecimalText(delta),
    }),
  );
  const there = row.adjustments.map(
    ({ date, quantity, reason, note }): HistoryEntry => ({
      ...{ what: 'adjusted-at-state', at: date, quantity },
      words: [reason, note].filter(Boolean).join(': ') || null,
    }),
  );
  const open = it.open.map(
    (report): HistoryEntry => ({
      ...{ what: 'report-open', at: isoTimestamp(report.occurred_at), quantity: null },
      words: [report.external_number, report.problem].filter(Boolean).join(': '),
    }),
  );
  return {
    ...{ kind: it.kind!, stateConnectionId: it.connectionId, stateReportId: null, orderId: null },
    ...{ orderNumber: null, tripId: null, stateRecordId: row.state_record_id, number: null },
    ...{ packageId: it.known?.id ?? null, label: row.label, item: row.item, unit: row.unit },
    ...{ ours: quantityText(it.expected), theirs: quantityText(it.theirs) },
    ...{ underWay: quantityText(it.underWay), answers: it.answers },
    history: [...open, ...[...here, ...there].toSorted((a, b) => (a.at < b.at ? 1 : -1))].slice(
      0,
      2 * historyOfEach,
    ),
  };
}

type MovementRow = { cause: string; delta: string; created_at: number; reason: string | null };
