import { zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { StockMovement } from '../inventory/move-stock.ts';
import { holdOpenLocations, lockedBalances, moveStock, stockFacts, stockGuard } from '../inventory/stock.ts';
import { stockMovements, together } from './held-stock.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { assertAllowed, dispatchableStatuses } from './order-lifecycle.ts';
import { replaceHeldStock } from './order-queries.ts';
import type { OrderFulfillment, OrderRecord } from './order-record.ts';

/**
 * Moves the stock that an open order holds to another location, such as a vehicle, and resolves to the order then. In the ledger the order
 * gives it back where it was, it moves, and the order takes it there: balances stay as they are, and a canceled order gives its
 * goods back where they are. Fails with ORDER_NOT_FOUND, with INVALID_ORDER_TRANSITION for an order that is not open, and with
 * INVENTORY_LOCATION_NOT_FOUND.
 */
export async function moveOrderStock(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  toLocationId: number,
): Promise<OrderRecord> {
  return context.database.write(
    organizationId,
    async (tx) => {
      const before = await loadOrder(tx, orderId, { lock: true });
      if (before === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
      assertAllowed(before, 'load', dispatchableStatuses);
      const [[place]] = await tx.run(holdOpenLocations({ ids: [toLocationId] }));
      if (place === undefined) {
        throw failure('INVENTORY_LOCATION_NOT_FOUND', `There is no inventory location ${toLocationId}.`);
      }
      const moving = before.fulfillments.filter(({ locationId }) => locationId !== toLocationId);
      if (moving.length === 0) return before;
      const moved = moving.map((part) => ({
        ...{ ...part, locationId: toLocationId },
        loadedFromLocationId:
          place.type === 'vehicle' ? (part.loadedFromLocationId ?? part.locationId) : null,
      }));
      await lockedBalances(tx, moved.map(balanceOf));
      const nowMs = context.clock.now();
      const causeId = await context.ids.takeOne();
      const after: OrderRecord = {
        ...before,
        head: { ...before.head, updatedAt: nowMs },
        fulfillments: together([
          ...before.fulfillments.filter(({ locationId }) => locationId === toLocationId),
          ...moved,
        ]),
      };
      const [givenBack, taken] = [
        stockMovements(moving, 'give-back'),
        stockMovements(together(moved), 'take'),
      ];
      tx.queue(...replaceHeldStock(after));
      await announce(tx, context, origin, nowMs, {
        event: 'order.updated',
        auditId: causeId,
        subjectType: 'order',
        subjectId: orderId,
        payload: { orderId, status: before.head.status, ...stockFacts(taken) },
        details: { orderId, inventoryLocationId: { from: moving[0]!.locationId, to: toLocationId } },
      });
      const cause = { causeId, atMs: nowMs };
      await moveStock(
        tx,
        context,
        origin,
        { ...cause, cause: 'given-back', movements: givenBack },
        { ...cause, cause: 'moved', movements: [...givenBack.map(opposite), ...taken.map(opposite)] },
        { ...cause, cause: 'taken', movements: taken },
      );
      return after;
    },
    { retryOnConstraints: [stockGuard] },
  );
}

const opposite = (movement: StockMovement): StockMovement => ({
  ...movement,
  delta: zero.minus(movement.delta),
});

const balanceOf = ({ productId, productOptionId: optionId, locationId, packageId }: OrderFulfillment) => ({
  ...{ productId, optionId, locationId, packageId },
});
