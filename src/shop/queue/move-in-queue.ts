import { assert } from '../../kernel/assert.ts';
import type { EventType } from '../../kernel/event-catalog.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import {
  lockQueueEntry,
  markCalled,
  markLeft,
  moveToPos,
  type QueueEntryRow,
  selectQueueEntry,
} from './queue-queries.ts';

/** Staff actions on a queue entry (D55). `remove` can give a reason. */
export type QueueMove =
  | { readonly action: 'admit' | 'call' }
  | { readonly action: 'remove'; readonly reason: string | null };

const eventOfAction = {
  admit: 'queue.admitted',
  call: 'queue.called',
  remove: 'queue.left',
} as const satisfies Readonly<Record<QueueMove['action'], EventType>>;

/**
 * Admits a customer to the end of the line for a station, calls them, or removes them, and resolves to the entry
 * afterwards. Admitting or removing again changes and announces nothing; calling again is a new call. Fails with
 * QUEUE_ENTRY_NOT_FOUND, also for admitting or calling a customer who has left.
 */
export async function moveInQueue(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  entryId: number,
  move: QueueMove,
): Promise<QueueEntryRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[held]] = await tx.run(lockQueueEntry({ id: entryId }));
    if (held === undefined) throw noSuchEntry();
    const hasLeft = held.left_at !== null;
    if (hasLeft && move.action !== 'remove') throw noSuchEntry();
    const isSoAlready = move.action === 'remove' ? hasLeft : move.action === 'admit' && held.line === 'pos';
    const [, [entry]] = await tx.run(
      isSoAlready ? null : changeOf(entryId, move, isoTimestamp(nowMs)),
      selectQueueEntry({ id: entryId }),
    );
    assert(entry !== undefined, 'a locked entry exists');
    if (!isSoAlready) {
      await announce(tx, context, origin, nowMs, {
        event: eventOfAction[move.action],
        subjectType: 'queue_entry',
        subjectId: entryId,
        payload: { entryId, customerId: entry.id },
      });
    }
    return entry;
  });
}

function changeOf(id: number, move: QueueMove, at: string): BoundStatement<never> {
  switch (move.action) {
    case 'admit':
      return moveToPos({ id, at });
    case 'call':
      return markCalled({ id, at });
    case 'remove':
      return markLeft({ id, at, reason: move.reason });
  }
}

function noSuchEntry(): Failure {
  return failure(
    'QUEUE_ENTRY_NOT_FOUND',
    'This place in the queue does not exist, or its customer has left.',
  );
}
