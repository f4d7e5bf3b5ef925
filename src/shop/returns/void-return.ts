import { assert } from '../../kernel/assert.ts';
import { zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockCustomer } from '../customers/customers.ts';
import type { StockMovement } from '../inventory/move-stock.ts';
import { lockedBalances, moveStock, stockFacts } from '../inventory/stock.ts';
import type { OrderRecord, StaffName } from '../orders/order-record.ts';
import type { ShownReturn } from '../orders/order-return-schema.ts';
import { loadOrder, outOfStock, reportOrder, updateReturns } from '../orders/orders.ts';
import { lockLoyaltyBalance, withdrawRefundCredit } from '../promotions/promotions.ts';
import { reportWaste } from '../traceability/traceability.ts';
import { goodsBack } from './goods-back.ts';
import { recordRefund } from './record-refund.ts';
import { voidedReturn } from './return-document.ts';
import {
  type LineToVoidRow,
  selectLinesToVoid,
  selectOrderOfReturn,
  selectReturnedLines,
  selectReturnToVoid,
  voidOrderReturn,
} from './return-queries.ts';
import { isPutBack, quantitiesByLine, returnMovements } from './return-stock.ts';
import { unsettlePoints } from './settle-return.ts';

/**
 * Undoes a return, once (D39): its units can be returned again, its stock is removed again, its store credit ends, and
 * its points are reversed. Fails as a whole if stock or credit is used up.
 */
export async function voidReturn(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  returnId: number,
  {
    reason,
    by,
    registerId = null,
  }: { readonly reason: string; readonly by: StaffName; readonly registerId?: number | null },
): Promise<ShownReturn> {
  return context.database.write(organization, async (tx) => {
    const [[found]] = await tx.run(selectOrderOfReturn({ id: returnId }));
    if (found === undefined) throw failure('ORDER_RETURN_NOT_FOUND', 'There is no such return.');
    const orderId = found.order_id;
    const order = await loadOrder(tx, orderId, { lock: true });
    const shown = order?.returns.find(({ id }) => id === returnId);
    assert(order !== null && shown !== undefined, 'a return belongs to its order');
    const { userId } = order.head;
    const [[row], lines] = await tx.run(
      selectReturnToVoid({ id: returnId }),
      selectLinesToVoid({ id: returnId }),
      userId === null ? null : lockCustomer({ id: userId }),
      userId === null ? null : lockLoyaltyBalance({ userId }),
    );
    assert(row !== undefined, 'a return that was found still exists');
    if (row.voided_at !== null) throw failure('ORDER_RETURN_VOIDED', 'This return is already voided.');

    const nowMs = context.clock.now();
    const id = await context.ids.takeOne();
    if (row.customer_credit_id !== null) await withdrawRefundCredit(tx, row.customer_credit_id, nowMs);
    const putBack = lines.filter(({ inventory_action }) => isPutBack(inventory_action));
    const movements = returnMovements(
      putBack.flatMap(({ fulfillment_shares }) => fulfillment_shares),
      order.fulfillments,
      'take-again',
    );
    await refuseShortage(tx, order, movements);
    const after = voidedReturn(shown, { by, reason, atMs: nowMs });
    queueVoid(tx, order, after, lines, { reason, by, nowMs });
    await moveStock(tx, context, origin, { cause: 'returned', causeId: id, atMs: nowMs, movements });
    await reportVoid(tx, context, order, lines, { returnId, nowMs });
    await recordRefund(tx, context, origin, {
      kind: 'refund-voided',
      registerId,
      paymentTypeId: row.payment_type_id,
      refundCents: row.refund_total_cents,
      cashRoundingCents: row.cash_rounding_cents,
      orderId,
      id: returnId,
      by,
      nowMs,
    });
    const points = await unsettlePoints(
      tx,
      context,
      origin,
      order,
      {
        pointsTakenBack: row.points_taken_back,
        pointsGivenBack: row.points_given_back,
      },
      { causeId: id, atMs: nowMs },
    );
    await announce(tx, context, origin, nowMs, {
      event: 'order.return_voided',
      auditId: id,
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, orderReturnId: returnId, ...stockFacts(movements) },
      // The return keeps the reason: it may name a person, and the audit is kept for ever.
      details: { orderReturnId: returnId, ...points },
    });
    return after;
  });
}

/** Tells the state: what was thrown away is in its package again, and then sold again. */
async function reportVoid(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  lines: readonly LineToVoidRow[],
  { returnId, nowMs }: { readonly returnId: number; readonly nowMs: number },
): Promise<void> {
  const wasted = lines.flatMap((line) => (line.inventory_action === 'waste' ? line.fulfillment_shares : []));
  await reportWaste(tx, context, returnMovements(wasted, order.fulfillments, 'put-back'), nowMs);
  const stillBack = async () => {
    const [rows] = await tx.run(selectReturnedLines({ orderId: order.head.id }));
    return goodsBack(rows.filter(({ order_return_id: of }) => of !== returnId));
  };
  await reportOrder(tx, context, order, stillBack, nowMs);
}

/** Queues the changed rows of the return, its order and the order's lines. */
function queueVoid(
  tx: TenantTransaction,
  order: OrderRecord,
  after: ShownReturn,
  lines: readonly LineToVoidRow[],
  { reason, by, nowMs }: { readonly reason: string; readonly by: StaffName; readonly nowMs: number },
): void {
  const at = isoTimestamp(nowMs);
  tx.queue(
    voidOrderReturn({ id: after.id, staffId: by.id, reason, at, document: JSON.stringify(after) }),
    ...updateReturns(
      {
        ...order,
        head: { ...order.head, updatedAt: nowMs },
        returns: order.returns.map((it) => (it.id === after.id ? after : it)),
      },
      quantitiesByLine(lines.map(quantityOf), -1),
    ),
  );
}

function quantityOf({ order_line_item_id: orderLineItemId, quantity }: LineToVoidRow) {
  return { orderLineItemId, quantity };
}

/** Restocked units may have been sold since. */
async function refuseShortage(
  tx: TenantTransaction,
  order: OrderRecord,
  movements: readonly StockMovement[],
): Promise<void> {
  if (movements.length === 0) return;
  const keys = new Map(
    movements.map((it) => [[it.productId, it.optionId, it.locationId, it.packageId].join(), it] as const),
  );
  const onHand = await lockedBalances(tx, [...keys.values()]);
  for (const [index, key] of [...keys.keys()].entries()) {
    const ofBalance = movements.filter(
      (it) => [it.productId, it.optionId, it.locationId, it.packageId].join() === key,
    );
    const left = ofBalance.reduce((sum, { delta }) => sum.plus(delta), onHand[index]!);
    if (left.gte(zero)) continue;
    throw outOfStock(order.lines.find(({ id }) => id === ofBalance[0]!.orderLineItemId)!);
  }
}
