import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/* This slice's part in merging, erasing and exporting a customer. */

/** If both customers wait, only the target keeps waiting. */
const leaveIfBothWait = statement<{ fromId: number; intoId: number; at: string }, never>(
  'leave_queue_if_both_wait',
  `update queue_entries q set left_at = :at, left_reason = 'Merged'
    where q.organization_id = :organizationId and q.user_id = :fromId and q.left_at is null
      and exists (select from queue_entries w
                   where w.organization_id = :organizationId and w.user_id = :intoId and w.left_at is null)`,
);

const moveEntries = statement<{ fromId: number; intoId: number }, never>(
  'move_queue_entries',
  'update queue_entries set user_id = :intoId where organization_id = :organizationId and user_id = :fromId',
);

/** Queue it after the lock on both customers. */
export function moveQueueEntries(fromId: number, intoId: number, at: string): BoundStatement<never>[] {
  return [leaveIfBothWait({ fromId, intoId, at }), moveEntries({ fromId, intoId })];
}

/** Returns the ids of the entries, whose copies elsewhere go by them. */
export const eraseQueueEntries = statement<{ userId: number }, { id: number }>(
  'erase_queue_entries',
  'delete from queue_entries where organization_id = :organizationId and user_id = :userId returning id',
);

/** Some of the visits that ended before that time, oldest first (D76). */
export const deleteOldVisits = statement<{ before: string; limit: number }, { id: number }>(
  'delete_old_queue_visits',
  `delete from queue_entries where organization_id = :organizationId and id in (
     select id from queue_entries where organization_id = :organizationId and left_at < :before
      order by left_at limit :limit for update skip locked)
   returning id`,
);

export const selectQueueVisits = statement<
  { userId: number },
  { id: number; checked_in_at: number; left_at: number | null; left_reason: string | null }
>(
  'select_queue_visits',
  `select id, checked_in_at, left_at, left_reason from queue_entries
    where organization_id = :organizationId and user_id = :userId order by id limit 100000`,
);
