import { lockCustomer, lockLoyaltyBalance } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { holdOpenLocations, moveStock } from '../inventory/stock.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { sumCents } from '../pricing/cents.ts';
import { selectEarnedPoints } from '../promotions/promotions.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import {
  decideAmounts,
  type LineToReturn,
  paymentTypeOf,
  putBack,
  type ReturnRequest,
  sharesOf,
  sharesOfLines,
} from './decide-return.ts';
import { insertTransitions, loadOrder, updateOrderHead } from './order-queries.ts';
import type { OrderRecord, StaffName } from './order-record.ts';
import {
  insertOrderReturns,
  insertReturnLines,
  insertReturnTaxes,
  moveReturnedQuantities,
  selectReturnedLines,
  selectReturnedSums,
  selectReturnOfKey,
} from './order-return-queries.ts';
import { type RefundAmounts, sumParts } from './return-amounts.ts';
import { returnDocument } from './return-document.ts';
import { pointsOfReturn } from './return-points.ts';
import type { ShownReturn } from './return-schemas.ts';
import { quantitiesByLine, returnMovements } from './return-stock.ts';
import { settleReturn } from './settle-return.ts';

/**
 * Takes goods of a fulfilled order back (D39), under a lock on the order. Amounts are shares of what is stored on it;
 * stock goes back where it came from, credits and points follow, all in one transaction with the return as the cause,
 * so that nothing happens twice. A return that the key has made already is answered instead, whatever else is sent.
 */
export async function returnOrder(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  request: ReturnRequest,
  by: StaffName,
): Promise<{ readonly shown: ShownReturn; readonly replayed: boolean }> {
  return context.database.write(organization, async (tx) => {
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    const { idempotencyKey } = request;
    const { status, userId } = order.head;
    const [[known], returned, [sums], paymentTypes, [earned], , [balance]] = await tx.run(
      idempotencyKey === null ? null : selectReturnOfKey({ orderId, idempotencyKey }),
      selectReturnedLines({ orderId }),
      selectReturnedSums({ orderId }),
      selectPaymentTypes({}),
      userId === null ? null : selectEarnedPoints({ userId, orderId }),
      userId === null ? null : lockCustomer({ id: userId }),
      userId === null ? null : lockLoyaltyBalance({ userId }),
    );
    assert(sums !== undefined, 'sums are one row');
    const first = known && order.returns.find(({ id }) => id === known.id);
    if (first !== undefined) return { shown: first, replayed: true };
    if (status !== 'fulfilled') {
      throw failure('INVALID_ORDER_TRANSITION', `Of an order that is ${status} nothing can be returned`, {
        status,
        action: 'return',
      });
    }
    const paymentTypeName = paymentTypeOf(order, request, paymentTypes);
    const lines = sharesOfLines(order, request.lines, returned);
    const amounts = decideAmounts(order, request, sumParts(lines.map(({ parts }) => parts)), sums);
    await refuseArchivedLocations(tx, order, lines);

    const nowMs = context.clock.now();
    const id = await context.ids.takeOne();
    const shown = returnDocument(order, { ...request, id, paymentTypeName, amounts, lines, by, atMs: nowMs });
    const parts = sumParts([...lines, ...returned.map(sharesOf)].map((it) => it.parts));
    const points = pointsOfReturn(order, earned?.points ?? '0', parts, {
      earned: sums.earned_points,
      redeemed: sums.redeemed_points,
    });
    const settled = await settleReturn(tx, context, origin, {
      order,
      refundType: request.refundType,
      refundCents: -amounts.refundTotalCents,
      storeCreditCents: sumCents(lines, (line) => line.parts.storeCreditsCents),
      points,
      balance: balance?.points ?? '0',
      returnId: id,
      atMs: nowMs,
    });
    tx.queue(
      ...insertTransitions([
        {
          orderId,
          id,
          action: 'return',
          fromStatus: 'fulfilled',
          toStatus: 'fulfilled',
          actor: origin.actor,
          createdAt: isoTimestamp(nowMs),
        },
      ]),
      ...insertOrderReturns([
        {
          id,
          orderId,
          idempotencyKey,
          refundType: request.refundType,
          paymentTypeId: request.paymentTypeId,
          paymentTypeName,
          ...amountColumns(amounts),
          adjustmentCents: request.adjustmentCents,
          adjustmentDescription: request.adjustmentDescription,
          earnedPoints: points.earned,
          redeemedPoints: points.redeemed,
          ...settled,
          createdByStaffId: by.id,
          createdAt: isoTimestamp(nowMs),
          document: JSON.stringify(shown),
        },
      ]),
      ...insertReturnLines(
        lines.map((line, position) => lineRow(line, { orderReturnId: id, orderId, position })),
      ),
      ...insertReturnTaxes(amounts.taxes.map((tax) => ({ orderReturnId: id, ...tax }))),
      moveReturnedQuantities({ orderId, at: isoTimestamp(nowMs), ...quantitiesByLine(lines, 1) }),
      updateOrderHead({
        ...order,
        head: { ...order.head, updatedAt: nowMs },
        returns: [...order.returns, shown],
      }),
    );
    await moveStock(tx, context, origin, {
      cause: 'returned',
      causeId: id,
      atMs: nowMs,
      movements: returnMovements(putBack(lines), order.fulfillments, 'put-back'),
    });
    await announce(tx, context, origin, nowMs, {
      event: 'order.returned',
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, orderReturnId: id },
      details: {
        orderReturnId: id,
        refundType: request.refundType,
        refundTotal: amounts.refundTotalCents,
        earnedPoints: points.earned,
        ...settled,
      },
    });
    return { shown, replayed: false };
  });
}

/** A location that is archived takes nothing back; the others are held open until the return is written. */
async function refuseArchivedLocations(
  tx: TenantTransaction,
  order: OrderRecord,
  lines: readonly LineToReturn[],
): Promise<void> {
  const shares = new Set(putBack(lines).map(({ fulfillmentId }) => fulfillmentId));
  const ids = [...new Set(order.fulfillments.filter(({ id }) => shares.has(id)).map((it) => it.locationId))];
  if (ids.length === 0) return;
  const [open] = await tx.run(holdOpenLocations({ ids }));
  if (open.length === ids.length) return;
  const index = lines.findIndex(({ inventoryAction }) => inventoryAction === 'inventory');
  throw failure(
    'INVALID_PARAMS',
    `lineItems[${index}].inventoryAction must not be inventory: the location that the stock came from is archived`,
  );
}

function amountColumns(amounts: RefundAmounts) {
  const { taxes, ...columns } = amounts;
  const refunded = taxes.filter((tax) => tax.refunded);
  return { ...columns, taxesTotalCents: sumCents(refunded, ({ amountCents }) => amountCents) };
}

function lineRow(
  { parts, stock, ...line }: LineToReturn,
  place: { readonly orderReturnId: number; readonly orderId: string; readonly position: number },
) {
  const { taxes, ...columns } = parts;
  return {
    ...place,
    ...line,
    ...columns,
    taxShares: JSON.stringify(taxes.filter(({ amountCents }) => amountCents !== 0)),
    fulfillmentShares: JSON.stringify(stock),
  };
}
