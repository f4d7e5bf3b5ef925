import { type BoundStatement, statement } from '../database/statement.ts';

/** The maximum number of events per read. */
export const eventsPerReading = 500;

export interface AnnouncedEventRow {
  id: number;
  transaction_id: string;
  type: string;
  subject_id: string;
}

/** A PostgreSQL snapshot in text form: the transactions that a read at that time can see. */
export type Snapshot = string;

// A single lower bound, where the index scan begins: with a second one PostgreSQL could begin anywhere.
const selectEventsBehind = statement<
  { since: Snapshot; until: Snapshot | null; afterTransactionId: string; afterId: number },
  AnnouncedEventRow
>(
  'select_events_behind',
  `select e.id, e.transaction_id::text as transaction_id, e.type, e.subject_id from outbox_events e
    where e.organization_id = :organizationId
      and (e.transaction_id, e.id) > (:afterTransactionId::xid8, :afterId)
      and not pg_visible_in_snapshot(e.transaction_id, :since::pg_snapshot)
      and (:until::pg_snapshot is null or pg_visible_in_snapshot(e.transaction_id, :until::pg_snapshot))
    order by e.transaction_id, e.id limit ${eventsPerReading}`,
);

/**
 * Events that were committed after one snapshot and, unless it is null, before another; after the last event of an
 * earlier read. Transactions commit in another order than they begin: a reader that remembered only the last event or
 * transaction would miss events of an older transaction that was still running.
 */
export function selectEventsSince(
  since: Snapshot,
  until: Snapshot | null = null,
  last?: AnnouncedEventRow,
): BoundStatement<AnnouncedEventRow> {
  return selectEventsBehind({
    since,
    until,
    // Ids begin at 1.
    afterTransactionId: last?.transaction_id ?? oldestTransactionOf(since),
    afterId: last?.id ?? 0,
  });
}

/** The snapshot of the statements beside it. */
export const selectEventSnapshot = statement<Record<never, never>, { snapshot: Snapshot }>(
  'select_event_snapshot',
  'select pg_current_snapshot()::text as snapshot',
);

/** The oldest transaction that was running: all before it had ended. */
export function oldestTransactionOf(snapshot: Snapshot): string {
  return snapshot.split(':', 1)[0]!;
}

/** Whether one snapshot was taken before the other: a later one has more transactions, or more of them have ended. */
export function isEarlier(one: Snapshot, other: Snapshot): boolean {
  const [, next, running] = one.split(':') as [string, string, string];
  const [, otherNext, otherRunning] = other.split(':') as [string, string, string];
  return next === otherNext ? running.length > otherRunning.length : BigInt(next) < BigInt(otherNext);
}

/** The snapshot in which all transactions before this one have ended, and no other. */
export function snapshotBefore(transactionId: string): Snapshot {
  return `${transactionId}:${transactionId}:`;
}
