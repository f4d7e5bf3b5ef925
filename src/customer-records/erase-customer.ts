import { customerNotFound, drawHashId, eraseProfile, lockWholeCustomers } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  eraseCustomerOfDispatchTasks,
  eraseCustomerOfOrders,
  selectHasOpenOrders,
} from '../orders/orders.ts';
import { eraseQueueEntries } from '../queue/queue.ts';

/**
 * Forgets who a customer is: the profile is blank from now on, the groups and the places in the queue are gone, and the
 * orders keep their goods and amounts only. Who is erased already stays so. Documents are shown to nobody from now on,
 * and deleted by the next purge. Fails with USER_NOT_FOUND, or CUSTOMER_HAS_OPEN_ORDERS: those still have to be handed
 * over to somebody.
 */
export async function eraseCustomer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<void> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  await context.database.write(
    organization,
    async (tx) => {
      const [[customer], [orders]] = await tx.run(
        lockWholeCustomers({ ids: [id] }),
        selectHasOpenOrders({ userId: id }),
      );
      if (customer === undefined) throw customerNotFound();
      if (customer.erased_at !== null) return;
      if (orders?.has_open_orders) {
        throw failure(
          'CUSTOMER_HAS_OPEN_ORDERS',
          'The customer has orders that are neither fulfilled nor canceled.',
        );
      }
      tx.queue(
        eraseCustomerOfDispatchTasks({ userId: id, at }),
        eraseCustomerOfOrders({ userId: id, at }),
        eraseQueueEntries({ userId: id }),
        ...eraseProfile(id, drawHashId(context.randomBytes), at),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'customer.erased',
        subjectType: 'customer',
        subjectId: id,
        payload: { customerId: id },
      });
    },
    { retryOnConstraints: [hashIdConstraint] },
  );
}

const hashIdConstraint = 'customers_organization_id_hash_id_key';
