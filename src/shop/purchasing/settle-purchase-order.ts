import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { requireRejectedPackage } from '../inventory/stock.ts';
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

/** A payment to the vendor, or a credit of the vendor. */
interface Settlement {
  readonly amountCents: number;
  readonly credit?: { readonly reason: string; readonly packageId: number | null };
}

/**
 * Records a payment or a credit, also on a closed order: an invoice is often paid after the goods are in. If the key was
 * already used for one of this order, nothing is recorded again. Fails with PURCHASE_ORDER_NOT_FOUND, with
 * INVALID_PARAMS when a payment exceeds the outstanding amount, with PURCHASE_ORDER_CLOSED when nothing of a closed order is
 * owed, and with PACKAGE_NOT_FOUND or INVALID_PACKAGE_TRANSITION
 * when the package of a credit was not rejected.
 */
export async function settlePurchaseOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { amountCents, credit }: Settlement,
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
    const { amountOutstanding } = await shownOf(tx, id);
    if (!credit && amountOutstanding === 0) refuseClosed(order);
    if (!credit && amountCents > amountOutstanding) {
      throw failure(
        'INVALID_PARAMS',
        `amount must be at most the outstanding amount: ${amountOutstanding} cents.`,
      );
    }
    if (credit && credit.packageId !== null) await requireRejectedPackage(tx, credit.packageId);
    await tx.run(
      ...insertPurchaseOrderPayments([
        {
          ...{ id: paymentId, purchaseOrderId: id, amountCents, actor: origin.actor, createdAt: at },
          ...{ creditReason: credit?.reason ?? null, packageId: credit?.packageId ?? null },
        },
      ]),
      touchPurchaseOrder({ id, updatedAt: at }),
      ...insertPurchaseOrderKeys(key ? [{ ...key, createdAt: at }] : []),
    );
    await announce(tx, context, origin, nowMs, {
      event: credit ? 'purchase_order.credited' : 'purchase_order.paid',
      subjectType: 'purchase_order',
      subjectId: id,
      payload: { purchaseOrderId: id, amount: amountCents },
      details: { purchaseOrderId: id, amount: amountCents, ...credit },
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
