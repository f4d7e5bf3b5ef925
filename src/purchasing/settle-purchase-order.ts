import type { Static } from 'typebox';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { insertPurchaseOrderKeys, type KeyedOutcome, selectPurchaseOrderKey } from './purchase-order-keys.ts';
import {
  insertPurchaseOrderPayments,
  lockPurchaseOrder,
  type PurchaseOrderRow,
  setPurchaseOrderStatus,
  touchPurchaseOrder,
} from './purchase-order-queries.ts';
import type { PurchaseOrder } from './purchase-order-schemas.ts';
import { shownPurchaseOrders } from './purchase-order-view.ts';
import { purchaseOrderNotFound, refuseClosed } from './update-purchase-order.ts';

type Shown = Static<typeof PurchaseOrder>;

async function locked(tx: TenantTransaction, id: number): Promise<PurchaseOrderRow> {
  const [[order]] = await tx.run(lockPurchaseOrder({ id }));
  if (order === undefined) throw purchaseOrderNotFound();
  return order;
}

async function shownOf(tx: TenantTransaction, id: number): Promise<Shown> {
  const [shown] = await shownPurchaseOrders(tx.run, [id]);
  return shown!;
}

/**
 * Records a payment to the vendor, in cents; if the key was already used for a payment of this order, nothing is paid
 * again. Fails with PURCHASE_ORDER_NOT_FOUND, with INVALID_PARAMS when the payment exceeds the outstanding amount, and
 * with PURCHASE_ORDER_CLOSED.
 */
export async function payPurchaseOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  amountCents: number,
  idempotencyKey: string | null = null,
): Promise<KeyedOutcome<Shown>> {
  const key = idempotencyKey && ({ purchaseOrderId: id, kind: 'payment', idempotencyKey } as const);
  const paymentId = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const order = await locked(tx, id);
    const [known] = key ? await tx.run(selectPurchaseOrderKey(key)) : [[]];
    if (known.length > 0) return { shown: await shownOf(tx, id), replayed: true };
    refuseClosed(order);
    const { amountOutstanding } = await shownOf(tx, id);
    if (amountCents > amountOutstanding) {
      throw failure(
        'INVALID_PARAMS',
        `amount must be at most the outstanding amount: ${amountOutstanding} cents.`,
      );
    }
    await tx.run(
      ...insertPurchaseOrderPayments([
        { id: paymentId, purchaseOrderId: id, amountCents, actor: origin.actor, createdAt: at },
      ]),
      touchPurchaseOrder({ id, updatedAt: at }),
      ...insertPurchaseOrderKeys(key ? [{ ...key, createdAt: at }] : []),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'purchase_order.paid',
      subjectType: 'purchase_order',
      subjectId: id,
      payload: { purchaseOrderId: id, amount: amountCents },
    });
    return { shown: await shownOf(tx, id), replayed: false };
  });
}

/** Closes or reopens an order; does nothing if it already has that status. Fails with PURCHASE_ORDER_NOT_FOUND. */
export async function setPurchaseOrderOpen(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  status: PurchaseOrderRow['status'],
): Promise<Shown> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const order = await locked(tx, id);
    if (order.status !== status) {
      await tx.run(setPurchaseOrderStatus({ id, status, updatedAt: isoTimestamp(nowMs) }));
      await announce(tx, context, origin, nowMs, {
        event: status === 'closed' ? 'purchase_order.closed' : 'purchase_order.reopened',
        subjectType: 'purchase_order',
        subjectId: id,
        payload: { purchaseOrderId: id, status },
      });
    }
    return shownOf(tx, id);
  });
}
