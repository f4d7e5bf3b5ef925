import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on the queue. */

/** The line of an entry: the front desk, or, once admitted, a station (D55). */
type QueueLine = 'intake' | 'pos';

/** More than the people who wait in any shop. */
export const queueLineMax = 1000;

/** A queue entry with the customer's current profile; moments are milliseconds since the epoch. */
export interface QueueEntryRow {
  entry_id: number;
  line: QueueLine;
  checked_in_at: number;
  since: number;
  called_at: number | null;
  left_at: number | null;
  left_reason: string | null;
  id: number;
  email: string | null;
  first_name: string;
  last_name: string;
  phone: string | null;
  hash_id: string;
  birthday: string | null;
  is_first_time: boolean;
}

/*
 * Whether this is the first visit: the customer has no fulfilled order yet. It uses the index of a customer's orders,
 * latest first, so that a few rows decide it for regular customers.
 */
const entryColumns = `q.id as entry_id, q.line, q.checked_in_at, q.since, q.called_at, q.left_at, q.left_reason,
          c.id, c.email, c.first_name, c.last_name, c.phone, c.hash_id, c.birthday::text as birthday,
          not exists (select from orders o
                       where o.organization_id = :organizationId and o.user_id = q.user_id
                         and o.status = 'fulfilled') as is_first_time`;
const withProfile = 'join customers c on c.organization_id = q.organization_id and c.id = q.user_id';

/** A line, oldest first. */
export const selectQueueLine = statement<{ line: QueueLine }, QueueEntryRow>(
  'select_queue_line',
  `select ${entryColumns}
     from (select * from queue_entries
            where organization_id = :organizationId and line = :line and left_at is null
            order by since, id limit ${queueLineMax}) q
     ${withProfile}
    order by q.since, q.id`,
);

export const selectQueueEntry = statement<{ id: number }, QueueEntryRow>(
  'select_queue_entry',
  `select ${entryColumns} from queue_entries q ${withProfile}
    where q.organization_id = :organizationId and q.id = :id`,
);

interface HeldEntryRow {
  line: QueueLine;
  left_at: number | null;
}

/** Locked until the commit, so that actions of two staff members run one after the other. */
export const lockQueueEntry = statement<{ id: number }, HeldEntryRow>(
  'lock_queue_entry',
  `select line, left_at from queue_entries
    where organization_id = :organizationId and id = :id for update`,
);

/** The customer's entry; no row if they do not wait. */
export const selectWaitingEntry = statement<{ userId: number }, { id: number }>(
  'select_waiting_entry',
  `select id from queue_entries
    where organization_id = :organizationId and user_id = :userId and left_at is null`,
);

export const insertQueueEntries = insertMany<{
  id: number;
  userId: number;
  line: QueueLine;
  checkedInAt: string;
  since: string;
}>('queue_entries', {
  id: 'id',
  userId: 'user_id',
  line: 'line',
  checkedInAt: 'checked_in_at',
  since: 'since',
});

/** A unique constraint of the database: a customer has at most one entry. */
export const onePlaceConstraint = 'queue_entries_one_place';

/** At the end of the other line, not called yet. */
export const moveToPos = statement<{ id: number; at: string }, never>(
  'move_to_pos',
  `update queue_entries set line = 'pos', since = :at, called_at = null
    where organization_id = :organizationId and id = :id`,
);

export const markCalled = statement<{ id: number; at: string }, never>(
  'mark_called',
  'update queue_entries set called_at = :at where organization_id = :organizationId and id = :id',
);

export const markLeft = statement<{ id: number; at: string; reason: string | null }, never>(
  'mark_left',
  `update queue_entries set left_at = :at, left_reason = :reason
    where organization_id = :organizationId and id = :id`,
);

/** The facts for the legal age check: the shop's state and its current day. */
export const selectPlaceOfShop = statement<
  Record<never, never>,
  { state: string; tz: string; placeholder_contacts: readonly string[] }
>(
  'select_place_of_shop',
  'select state, tz, placeholder_contacts from organizations where id = :organizationId',
);
