import { isExternalNumber } from '../../engines/state-reports/external-number.ts';
import { readStateReceipt, type StateReceipt } from '../../engines/state-reports/state-receipt.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { setReceiptsRead } from './connection-queries.ts';
import type { LaneParts } from './lane-parts.ts';
import { keepTripsStatement, tripsIn } from './read-trips.ts';
import { nextWindow, type StateWindow, windowQuery } from './read-windows.ts';
import { keepReceipts, selectReceiptsOfNumbers } from './state-report-queries.ts';

/** How often what people do on the state's website is read in. */
export const receiptsEveryMs = 5 * 60_000;
/** Reads in the receipts that changed at the state, unless that was done a moment ago. Resolves to whether it did. */
export async function readReceipts(parts: LaneParts, readUntilMs: number | null): Promise<boolean> {
  if (readUntilMs !== null && parts.context.clock.now() - readUntilMs < receiptsEveryMs) return false;
  return readReceiptsNow(parts, readUntilMs);
}

/**
 * Reads in the receipts that changed at the state, oldest first, in windows that overlap. What could not be read is read next time:
 * nothing counts as read before all of its window has arrived. Resolves to whether all was read.
 */
export async function readReceiptsNow(parts: LaneParts, readUntilMs: number | null): Promise<boolean> {
  const { connection, context, organization } = parts;
  const nowMs = context.clock.now();
  let window = nextWindow(readUntilMs ?? connection.created_at, nowMs);
  while (window !== null) {
    const { endMs } = window;
    const readAtMs = context.clock.now();
    const receipts = await receiptsIn(parts, window);
    const trips = receipts === null ? null : await tripsIn(parts, window);
    if (receipts === null || trips === null) return false;
    parts.beat('before the receipts');
    await context.database.write(
      organization,
      async (tx) => {
        tx.queue(
          keepStatement(connection.id, receipts, nowMs),
          ...(trips.length === 0 ? [] : [keepTripsStatement(connection.id, trips, readAtMs)]),
          setReceiptsRead({ connectionId: connection.id, until: isoTimestamp(endMs) }),
        );
      },
      { countsAsChange: false },
    );
    window = endMs >= nowMs ? null : nextWindow(endMs, nowMs);
  }
  return true;
}

/** The receipts that changed in a window; null: they could not be read. */
export async function receiptsIn(parts: LaneParts, window: StateWindow): Promise<StateReceipt[] | null> {
  const lists = await Promise.all(
    ['active', 'inactive'].map((list) =>
      parts.client.list(`/sales/v2/receipts/${list}`, windowQuery(window)),
    ),
  );
  const found = new Map<number, StateReceipt>();
  for (const listed of lists) {
    if (listed.kind !== 'rows') return null;
    for (const row of listed.rows) {
      const receipt = readStateReceipt(row);
      if (receipt !== null) found.set(receipt.id, receipt);
    }
  }
  return withLines(parts, [...found.values()]);
}

/** The statement that keeps what was read of receipts. */
export function keepStatement(connectionId: number, receipts: readonly StateReceipt[], nowMs: number) {
  const rows = receipts.map((it) => ({
    ...{ id: it.id, number: it.externalNumber, sold_at: it.soldAt, is_void: it.isVoid, is_final: it.isFinal },
    ...{ total_cents: it.totalCents, lines: it.lines, modified: it.lastModified },
  }));
  return keepReceipts({ connectionId, rows: JSON.stringify(rows), at: isoTimestamp(nowMs) });
}

/** Lists leave the lines out: receipts with our numbers that changed are read one by one. Null: one could not be read. */
async function withLines(
  { context, organization, connection, client }: LaneParts,
  receipts: readonly StateReceipt[],
): Promise<StateReceipt[] | null> {
  const isOurs = ({ externalNumber, isVoid }: StateReceipt) =>
    externalNumber !== null && isExternalNumber(externalNumber) && !isVoid;
  const numbers = receipts.filter(isOurs).map(({ externalNumber }) => externalNumber!);
  if (numbers.length === 0) return [...receipts];
  const [known] = await context.database.read(
    organization,
    selectReceiptsOfNumbers({ connectionId: connection.id, numbers: new TextArray(numbers) }),
  );
  const knownAt = new Map(
    known.flatMap((row) => (row.lines === null ? [] : [[row.state_record_id, row.modified] as const])),
  );
  const whole = await Promise.all(
    receipts.map(async (receipt) => {
      const { id, lastModified } = receipt;
      if (!isOurs(receipt) || (lastModified !== null && knownAt.get(id) === lastModified)) return receipt;
      const read = await client.read(`/sales/v2/receipts/${receipt.id}`);
      return read.kind === 'found' ? readStateReceipt(read.body) : null;
    }),
  );
  return whole.every((it) => it !== null) ? whole : null;
}
