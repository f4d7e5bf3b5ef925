import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertQueueEntries } from './queue-queries.ts';

/** A waiting customer, at the front desk or, once admitted, for a station. */
interface WaitingCustomer {
  readonly customerId: number;
  readonly checkedInAtMs: number;
  readonly admittedAtMs: number | null;
}

/** Imports waiting customers into an organization with an empty queue: all or none. */
export async function importQueue(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  waiting: readonly WaitingCustomer[],
): Promise<void> {
  const ids = await context.ids.take(waiting.length);
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertQueueEntries(
        waiting.map(({ customerId, checkedInAtMs, admittedAtMs }, index) => ({
          id: ids[index]!,
          userId: customerId,
          line: admittedAtMs === null ? ('intake' as const) : ('pos' as const),
          checkedInAt: isoTimestamp(checkedInAtMs),
          since: isoTimestamp(admittedAtMs ?? checkedInAtMs),
        })),
      ),
    );
    await announce(
      tx,
      context,
      origin,
      context.clock.now(),
      ...waiting.map(({ customerId }, index) => ({
        event: 'queue.checked_in' as const,
        subjectType: 'queue_entry' as const,
        subjectId: ids[index]!,
        payload: { entryId: ids[index]!, customerId },
      })),
    );
  });
}
