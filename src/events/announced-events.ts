import { statement } from '../database/statement.ts';

/** One reading takes so many. */
export const eventsPerReading = 500;

export interface AnnouncedEventRow {
  id: number;
  transaction_id: string;
  type: string;
  subject_id: string;
}

/**
 * Events of transactions from `from` on, but those of `seen`. Transactions commit in another order than they begin
 * in, so that a reader who only remembers the last event would miss some: it begins each time with the oldest
 * transaction that was still running (`selectOldestTransaction` on the same snapshot), and knows what it has seen since.
 */
export const selectEventsSince = statement<{ from: string; seen: readonly number[] }, AnnouncedEventRow>(
  'select_events_since',
  `select e.id, e.transaction_id::text as transaction_id, e.type, e.subject_id from outbox_events e
    where e.organization_id = :organizationId and e.transaction_id >= :from::xid8
      and e.id <> all(:seen::bigint[])
    order by e.transaction_id, e.id limit ${eventsPerReading}`,
);

/** Before it everything has ended: what is not there by now, never will be. */
export const selectOldestTransaction = statement<Record<never, never>, { id: string }>(
  'select_oldest_transaction',
  'select pg_snapshot_xmin(pg_current_snapshot())::text as id',
);
