import { hash } from 'node:crypto';
import { isSameSale } from '../../engines/state-reports/state-receipt.ts';
import { type Quantities, quantitiesOf } from '../../engines/state-reports/stock-difference.ts';
import { zero } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectAnswers } from './comparison-queries.ts';
import { contentOf } from './send-receipt.ts';
import {
  type AcceptedRow,
  selectAcceptedWithReceipt,
  selectForeignReceipts,
} from './state-report-queries.ts';
import { findTripDifferences, type TripDifference, tripDifferences } from './trip-differences.ts';

/** How a receipt of the state differs from what was sold, or a trip from what happened on it. */
export const receiptDifferences = [
  'voided-at-state',
  'changed-at-state',
  'not-at-state',
  'not-ours',
  ...tripDifferences,
] as const;

export interface ReceiptDifference {
  readonly kind: (typeof receiptDifferences)[number];
  readonly connectionId: number;
  /** Null: the receipt is none of ours. */
  readonly reportId: number | null;
  readonly orderId: string | null;
  readonly orderNumber: number | null;
  /** The trip that differs; null: a receipt does. */
  readonly tripId: number | null;
  /** What the state was told of the trip; empty for a receipt. */
  readonly told: TripDifference['history'];
  readonly stateRecordId: number | null;
  readonly externalNumber: string | null;
  /** What the state has more of each package for it. */
  readonly effects: Quantities;
  /** What the receipt is at the state: an answer to another one does not count. */
  readonly theirs: string;
  /** A person has said that the state is right. */
  readonly isAnswered: boolean;
}

const reportsAtOnce = 500;
const foreignMax = 500;
/** No page shows more; with that many the connection itself is wrong. */
export const differencesMax = 1_000;
/** What was accepted a moment ago is not read in yet. */
const unreadMs = 30 * 60_000;

/** Compares what the state was read to have with what it was told: of each order the last report. */
export async function findReceiptDifferences(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<ReceiptDifference[]> {
  const found: Omit<ReceiptDifference, 'isAnswered'>[] = [];
  const nowMs = clock.now();
  for (let after = 0; found.length < differencesMax; ) {
    const limit = reportsAtOnce;
    const [rows] = await database.read(organization, selectAcceptedWithReceipt({ after, limit }));
    for (const row of rows) {
      const kind = row.is_last ? differenceOf(row, nowMs) : null;
      if (kind === null) continue;
      found.push({
        ...{ kind, connectionId: row.connection_id, reportId: row.id, orderId: row.order_id },
        ...{ orderNumber: row.order_number, stateRecordId: row.state_record_id },
        ...{ externalNumber: row.external_number, effects: effectsOf(kind, row) },
        ...{ tripId: null, told: [], theirs: digestOf([kind, row.is_void, row.lines]) },
      });
    }
    if (rows.length < limit) break;
    after = rows.at(-1)!.id;
  }
  const [foreign, answers] = await database.read(
    organization,
    selectForeignReceipts({ limit: foreignMax }),
    selectAnswers({ kinds: receiptDifferences }),
  );
  for (const row of foreign) {
    found.push({
      ...{ kind: 'not-ours', connectionId: row.connection_id, reportId: null, orderId: null },
      ...{ orderNumber: null, stateRecordId: row.state_record_id, externalNumber: row.external_number },
      ...{ effects: new Map(), theirs: digestOf([row.external_number, row.total_cents]) },
      ...{ tripId: null, told: [] },
    });
  }
  for (const { kind, row, loaded, effects, history } of await findTripDifferences(
    { database },
    organization,
  )) {
    found.push({
      ...{ kind, effects, connectionId: row.connection_id, reportId: null, orderId: loaded.order_id },
      ...{ orderNumber: loaded.order_number, stateRecordId: row.state_record_id, tripId: row.trip_id },
      ...{ externalNumber: loaded.external_number, told: history },
      theirs: digestOf([kind, row.is_void, row.is_completed, row.lines]),
    });
  }
  const answered = new Set(answers.map((it) => [it.connection_id, it.kind, it.subject, it.theirs].join()));
  return found.slice(0, differencesMax).map((it) => ({
    ...it,
    isAnswered: answered.has([it.connectionId, it.kind, it.stateRecordId, it.theirs].join()),
  }));
}

function digestOf(facts: unknown): string {
  return hash('sha256', JSON.stringify(facts)).slice(0, 32);
}

/** A receipt that is gone leaves its goods in the packages; one that says something else, the rest of them. */
function effectsOf(kind: ReceiptDifference['kind'], row: AcceptedRow): Quantities {
  const ours = quantitiesOf(contentOf(row).lines);
  if (kind !== 'changed-at-state') return ours;
  const theirs = quantitiesOf(row.lines ?? []);
  return new Map(
    [...new Set([...ours.keys(), ...theirs.keys()])].map((label) => [
      label,
      (ours.get(label) ?? zero).minus(theirs.get(label) ?? zero),
    ]),
  );
}

function differenceOf(row: AcceptedRow, nowMs: number): ReceiptDifference['kind'] | null {
  const content = contentOf(row);
  const isEmpty = content.lines.length === 0;
  if (row.state_record_id === null) return null;
  const settledMs = row.settled_at ?? row.occurred_at;
  const isNew = nowMs - settledMs < unreadMs;
  if (row.read_at === null) return isEmpty || isNew ? null : 'not-at-state';
  // What was read before says nothing of it; a receipt that does not change is not read again.
  if (row.read_at < settledMs && isNew) return null;
  if (isEmpty) return row.is_void === false ? 'changed-at-state' : null;
  if (row.is_void === true) return 'voided-at-state';
  if (row.lines === null) return null;
  const shown = {
    ...{ id: row.state_record_id, externalNumber: null, soldAt: null, isVoid: false },
    isFinal: false,
  };
  const same = isSameSale(content, { ...shown, totalCents: null, lastModified: null, lines: row.lines });
  return same ? null : 'changed-at-state';
}
