import { isoTimestamp } from '../../kernel/local-time.ts';
import type { QueueEntryRow } from './queue-queries.ts';

/** A waiting customer as integrators see them (D55). */
export function queueCustomer(row: QueueEntryRow) {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    hashId: row.hash_id,
    birthday: row.birthday,
    isFirstTime: row.is_first_time,
  };
}

/** The same with the entry id, for staff. */
export function queueEntry(row: QueueEntryRow) {
  return {
    entryId: row.entry_id,
    ...queueCustomer(row),
    line: row.line,
    checkedInAt: isoTimestamp(row.checked_in_at),
    since: isoTimestamp(row.since),
    calledAt: row.called_at === null ? null : isoTimestamp(row.called_at),
    leftAt: row.left_at === null ? null : isoTimestamp(row.left_at),
    leftReason: row.left_reason,
  };
}
