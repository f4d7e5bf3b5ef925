import { selectSellableOptions } from '../catalog/products.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import {
  allocateStock,
  lockStockOfOptions,
  moveStock,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockGuard,
} from '../inventory/stock.ts';
import type { EventType } from '../kernel/event-catalogue.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { postalCodePatterns, selectDeliveryZone } from '../settings/terms-of-sale.ts';
import { needsOfLines, outOfStock, placesOf, stockMovements, withoutStock, withStock } from './held-stock.ts';
import { afterStep, type OrderAction, orderTransitions, type StepBy } from './order-lifecycle.ts';
import { insertTransitions, loadOrder, updateOrder } from './order-queries.ts';
import type { OrderRecord } from './order-record.ts';

export const eventOfAction: Readonly<Record<OrderAction, EventType>> = {
  accept: 'order.accepted',
  unaccept: 'order.unaccepted',
  pack: 'order.packed',
  unpack: 'order.unpacked',
  fulfill: 'order.fulfilled',
  cancel: 'order.canceled',
};

/**
 * Takes one step of an order's life (D24), under a lock on the order: of two staff acting at once one wins,
 * the other gets 409 INVALID_ORDER_TRANSITION with the status as it then is. Stock is taken or given back in
 * the same transaction, with the step as its cause, so it cannot happen twice.
 */
export async function stepOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  action: OrderAction,
  by: StepBy,
): Promise<OrderRecord> {
  const { stock: onStock, to } = orderTransitions[action];
  return context.database.write(
    organizationId,
    async (tx) => {
      const before = await loadOrder(tx, orderId, { lock: true });
      if (before === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
      const nowMs = context.clock.now();
      const stepped = afterStep(before, action, by, nowMs);
      const after =
        onStock === 'take'
          ? await takeStock(tx, context, stepped, nowMs)
          : onStock === 'give-back'
            ? withoutStock(stepped)
            : stepped;
      const transitionId = await context.ids.takeOne();
      tx.queue(
        ...updateOrder(after, onStock),
        ...insertTransitions([
          {
            orderId,
            id: transitionId,
            action,
            fromStatus: before.head.status,
            toStatus: to,
            actor: origin.actor,
            createdAt: isoTimestamp(nowMs),
          },
        ]),
      );
      await announce(tx, context, origin, nowMs, {
        event: eventOfAction[action],
        subjectType: 'order',
        subjectId: orderId,
        payload: { orderId, status: to },
        details: { from: before.head.status, to },
      });
      if (onStock !== 'none') {
        await moveStock(tx, context, origin, {
          cause: onStock === 'take' ? 'taken' : 'given-back',
          causeId: transitionId,
          atMs: nowMs,
          movements: stockMovements((onStock === 'take' ? after : before).fulfillments, onStock),
        });
      }
      return after;
    },
    { retryOnConstraints: [stockGuard] },
  );
}

async function takeStock(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  nowMs: number,
): Promise<OrderRecord> {
  const optionIds = order.lines.map((line) => line.productOptionId);
  const { type, postalCode } = order.head;
  const [, options, locations, [zone], stock] = await tx.run(
    tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
    selectSellableOptions({ optionIds }),
    selectOrderTypeLocations({}),
    postalCode === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(postalCode) }),
    selectSellableStockOfOptions({ optionIds, at: isoTimestamp(nowMs) }),
  );
  const verdict = allocateStock(needsOfLines(order.lines), stock, placesOf(type, zone, locations));
  if (!verdict.ok) throw outOfStock(order.lines[verdict.shortLineIndex]!);
  const ids = await context.ids.take(verdict.picks.length);
  return withStock(order, verdict.picks, new Map(options.map((row) => [row.option_id, row])), ids);
}
