import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { eraseRepliesAbout } from '../../platform/idempotency/kept-replies.ts';
import { eraseMailsOf } from '../../platform/mail/mail.ts';
import {
  customerNotFound,
  drawHashId,
  eraseCustomerCodes,
  eraseProfile,
  lockWholeCustomers,
  selectMergedInto,
} from '../customers/customers.ts';
import { eraseCustomerOfTrips } from '../deliveries/deliveries.ts';
import { eraseCustomerOfFormerSales } from '../former-sales/former-sales.ts';
import { eraseNotesOfOfflineSales } from '../offline-sales/offline-sales.ts';
import { eraseCustomerOfOrders, selectHasOpenOrders, selectInactiveCustomers } from '../orders/orders.ts';
import { eraseFactsOfPayments, eraseNotesOfPayments } from '../payments/payments.ts';
import { eraseCreditDescriptions, erasePointReasons } from '../promotions/promotions.ts';
import { eraseQueueEntries } from '../queue/queue.ts';
import { eraseTextsOfReturns } from '../returns/returns.ts';
import { eraseAnswers } from '../webhooks/webhooks.ts';
import { toldOf } from './told-of.ts';

/**
 * Erases a customer's personal data: the profile becomes blank, groups and places in the queue are deleted, and the
 * orders keep only their goods and amounts. So do the copies: mails, answers of webhooks, replies kept for a repeated request,
 * and what people typed about amounts, points, credits, returns and offline sales. An erased customer stays unchanged. Documents are
 * hidden at once and deleted, with their files, by the next purge. With `inactiveBefore` a customer stays who ordered or changed
 * since then. Fails with USER_NOT_FOUND, or with CUSTOMER_HAS_OPEN_ORDERS: open orders still need a
 * customer to be handed to. Resolves to whether there was something to erase.
 */
export async function eraseCustomer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  inactiveBefore: string | null = null,
): Promise<boolean> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(
    organization,
    async (tx) => {
      const [[customer], [orders]] = await tx.run(
        lockWholeCustomers({ ids: [id] }),
        selectHasOpenOrders({ userId: id }),
      );
      if (customer === undefined) throw customerNotFound();
      if (customer.erased_at !== null) return false;
      if (inactiveBefore !== null) {
        const [[found]] = await tx.run(selectInactiveCustomers({ id, before: inactiveBefore, limit: 1 }));
        if (found === undefined) return false;
      }
      if (orders?.has_open_orders) {
        throw failure(
          'CUSTOMER_HAS_OPEN_ORDERS',
          'The customer has orders that are neither fulfilled nor canceled.',
        );
      }
      await eraseCustomerCodes(tx, id);
      const orderIds = await eraseCustomerOfOrders(tx, id, at);
      const [merged, entries, points] = await tx.run(
        selectMergedInto({ id }),
        eraseQueueEntries({ userId: id }),
        erasePointReasons({ userId: id }),
      );
      const ids = [id, ...merged.map((row) => row.id)];
      tx.queue(
        eraseCreditDescriptions({ userId: id }),
        ...eraseTextsOfReturns(orderIds),
        eraseFactsOfPayments({ orderIds }),
        eraseNotesOfPayments({ orderIds }),
        eraseNotesOfOfflineSales({ orderIds }),
        eraseCustomerOfTrips({ orderIds }),
        eraseCustomerOfFormerSales({ userId: id }),
        eraseMailsOf({ recipient: customer.email, about: orderIds }),
        eraseAnswers({ resources: toldOf({ ids, orderIds, points, entries }) }),
        eraseRepliesAbout({ ids }),
        ...eraseProfile(id, drawHashId(context.randomBytes), at),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'customer.erased',
        subjectType: 'customer',
        subjectId: id,
        payload: { customerId: id },
      });
      return true;
    },
    { retryOnConstraints: [hashIdConstraint] },
  );
}

const hashIdConstraint = 'customers_organization_id_hash_id_key';
