import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  customerErased,
  customerNotFound,
  lockWholeCustomers,
  mergeProfiles,
} from '../customers/customers.ts';
import { moveDocuments } from '../documents/documents.ts';
import { moveFormerSales } from '../former-sales/former-sales.ts';
import { moveOrders } from '../orders/orders.ts';
import { moveAccount } from '../promotions/promotions.ts';
import { moveQueueEntries } from '../queue/queue.ts';

/**
 * Merges two customers who are one person: all data moves to the target, whose blank profile fields are filled in; the
 * other customer is deleted. Concurrent writes to either customer happen before the merge, or after it and then find
 * only the target. Fails with USER_NOT_FOUND, CUSTOMER_ERASED, or INVALID_PARAMS for a customer with itself.
 */
export async function mergeCustomers(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  fromId: number,
  intoId: number,
): Promise<void> {
  if (fromId === intoId) throw failure('INVALID_PARAMS', 'intoCustomerId must be another customer.');
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  await context.database.write(organization, async (tx) => {
    const [customers] = await tx.run(lockWholeCustomers({ ids: [fromId, intoId] }));
    if (customers.length < 2) throw customerNotFound();
    if (customers.some((customer) => customer.erased_at !== null)) throw customerErased();
    tx.queue(
      moveOrders({ fromId, intoId, at }),
      ...moveAccount(fromId, intoId, at),
      ...moveQueueEntries(fromId, intoId, at),
      moveFormerSales({ fromId, intoId }),
      ...moveDocuments(fromId, intoId, at),
      ...mergeProfiles(fromId, intoId, at),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      {
        event: 'customer.merged',
        subjectType: 'customer',
        subjectId: fromId,
        payload: { customerId: fromId, intoCustomerId: intoId },
      },
      {
        event: 'customer.updated',
        subjectType: 'customer',
        subjectId: intoId,
        payload: { customerId: intoId },
        details: { mergedCustomerId: fromId },
      },
    );
  });
}
