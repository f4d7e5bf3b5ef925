import { type BoundStatement, statement } from '../database/statement.ts';

/** One reading takes so many. */
export const eventsPerReading = 500;

export interface AnnouncedEventRow {
  id: number;
  transaction_id: string;
  type: string;
  subject_id: string;
}

/** Which transactions had committed at a moment, as PostgreSQL writes it down: those that a read then can see. */
export type Snapshot = string;

// One lower bound, which is where the index begins: beside a second one it would begin anywhere.
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
 * Events that were committed since one snapshot and, unless it is null, until another; behind the last one of a reading
 * before. Transactions commit in another order than they begin in: a reader who remembered the last event, or its
 * transaction, would miss those of one that began earlier and is still under way.
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

/** Of the same moment as what is read beside it. */
export const selectEventSnapshot = statement<Record<never, never>, { snapshot: Snapshot }>(
  'select_event_snapshot',
  'select pg_current_snapshot()::text as snapshot',
);

/** The oldest transaction that was under way: before it everything had ended. */
export function oldestTransactionOf(snapshot: Snapshot): string {
  return snapshot.split(':', 1)[0]!;
}

/** Whether one snapshot was taken before the other: a later one knows more transactions, or more of them have ended. */
export function isEarlier(one: Snapshot, other: Snapshot): boolean {
  const [, next, running] = one.split(':') as [string, string, string];
  const [, otherNext, otherRunning] = other.split(':') as [string, string, string];
  return next === otherNext ? running.length > otherRunning.length : BigInt(next) < BigInt(otherNext);
}

/** The moment when everything before a transaction had ended, and nothing from it on. */
export function snapshotBefore(transactionId: string): Snapshot {
  return `${transactionId}:${transactionId}:`;
}
