import {
  customerNotFound,
  drawHashId,
  eraseCustomerCodes,
  eraseCustomerSessions,
  eraseProfile,
  lockWholeCustomers,
} from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { eraseMailsTo } from '../mail/mail.ts';
import {
  eraseCustomerOfDispatchTasks,
  eraseCustomerOfOrders,
  selectHasOpenOrders,
} from '../orders/orders.ts';
import { eraseQueueEntries } from '../queue/queue.ts';

/**
 * Erases a customer's personal data: the profile becomes blank, groups and places in the queue are deleted, and the
 * orders keep only their goods and amounts. An erased customer stays unchanged. Documents are hidden at once and
 * deleted by the next purge. Fails with USER_NOT_FOUND, or with CUSTOMER_HAS_OPEN_ORDERS: open orders still need a
 * customer to be handed to.
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
      await eraseCustomerCodes(tx, id);
      tx.queue(
        eraseCustomerOfDispatchTasks({ userId: id, at }),
        eraseCustomerOfOrders({ userId: id, at }),
        eraseQueueEntries({ userId: id }),
        eraseCustomerSessions({ id }),
        ...(customer.email === null ? [] : [eraseMailsTo({ recipient: customer.email })]),
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
