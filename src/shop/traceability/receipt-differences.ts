import { isSameSale } from '../../engines/state-reports/state-receipt.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { contentOf } from './send-receipt.ts';
import {
  type AcceptedRow,
  selectAcceptedWithReceipt,
  selectForeignReceipts,
} from './state-report-queries.ts';

/** How a receipt of the state differs from what was sold. */
export const receiptDifferences = [
  'voided-at-state',
  'changed-at-state',
  'not-at-state',
  'not-ours',
] as const;

export interface ReceiptDifference {
  readonly kind: (typeof receiptDifferences)[number];
  readonly connectionId: number;
  /** Null: the receipt is none of ours. */
  readonly reportId: number | null;
  readonly orderId: string | null;
  readonly orderNumber: number | null;
  readonly stateRecordId: number | null;
  readonly externalNumber: string | null;
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
  const found: ReceiptDifference[] = [];
  const nowMs = clock.now();
  for (let after = 0; found.length < differencesMax; ) {
    const limit = reportsAtOnce;
    const [rows] = await database.read(organization, selectAcceptedWithReceipt({ after, limit }));
    for (const row of rows) {
      const kind = differenceOf(row, nowMs);
      if (kind === null) continue;
      found.push({
        ...{
          kind,
          connectionId: row.connection_id,
          reportId: row.id,
          orderId: row.order_id,
          orderNumber: row.order_number,
        },
        ...{ stateRecordId: row.state_record_id, externalNumber: row.external_number },
      });
    }
    if (rows.length < limit) break;
    after = rows.at(-1)!.id;
  }
  const [foreign] = await database.read(organization, selectForeignReceipts({ limit: foreignMax }));
  return [
    ...found,
    ...foreign.map((row) => ({
      ...{
        kind: 'not-ours' as const,
        connectionId: row.connection_id,
        reportId: null,
        orderId: null,
        orderNumber: null,
      },
      ...{ stateRecordId: row.state_record_id, externalNumber: row.external_number },
    })),
  ].slice(0, differencesMax);
}

function differenceOf(row: AcceptedRow, nowMs: number): ReceiptDifference['kind'] | null {
  const content = contentOf(row);
  const isEmpty = content.lines.length === 0;
  if (row.state_record_id === null) return null;
  if (!row.is_read) return !isEmpty && nowMs - row.occurred_at > unreadMs ? 'not-at-state' : null;
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
