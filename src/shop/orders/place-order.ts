import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { cartFactStatements, lockBuyer } from '../carts/carts.ts';
import { customerUniqueConstraints } from '../customers/customers.ts';
import {
  lockStockOfOptions,
  selectLocations,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockGuard,
} from '../inventory/stock.ts';
import {
  accountGuards,
  discountUsesGuards,
  lockDiscountUses,
  offeredDiscountKeys,
} from '../promotions/promotions.ts';
import type { OrderRequest, Placement } from './build-order.ts';
import { decideOrder, newOrderId, recordOrders } from './decide-order.ts';
import { onlyPlace } from './held-stock.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { claimIdempotencyKey, selectClaimedOrder } from './order-key-queries.ts';
import type { OrderRecord } from './order-record.ts';

/** An order, and whether it existed before the request. */
export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly replayed: boolean;
}

/** Violations that mean "read again and decide again". */
export const placingGuards = [
  stockGuard,
  ...discountUsesGuards,
  ...accountGuards,
  ...customerUniqueConstraints,
];

/**
 * Places an order (D18–D23, D25, D27, D28, D30, D33): claims the key, decides on the facts of the same
 * transaction, and writes order, customer, stock, ledger, audit and event together. Two round trips.
 *
 * Stock: the first try decrements without a lock, so buyers of well-stocked products do not wait for each
 * other; a check on the balance refuses a decrement below zero. A transaction that fails this check tries again
 * with the balances locked, and then decides whether it is OUT_OF_STOCK. The same holds for the counters of
 * limited discounts. A customer's data (limits, credits, points, uses) is read behind a lock on the customer:
 * two orders of one customer are placed one after the other. Locks are always taken in this order: key,
 * customer, counters, credits, stock.
 */
export async function placeOrder(
  context: Context,
  origin: Origin,
  placement: Placement,
  request: OrderRequest,
): Promise<PlacedOrder> {
  const claim = claimOf(placement);
  return context.database.write(
    placement.organizationId,
    async (tx) => {
      const nowMs = context.clock.now();
      const law = context.law.current;
      const orderId = newOrderId(context, nowMs);
      const optionIds = [...new Set(request.lineItems.map((line) => line.productOptionId))];
      // The claim comes before all other work (D22), also before the locks of a second try: a holder of the key
      // never waits for a request that waits for the key.
      const [claimed, , , , locations, stock, knownLocations, ...facts] = await tx.run(
        claim === null ? null : claimIdempotencyKey({ ...claim, orderId }),
        lockBuyer(request),
        tx.attempt > 1 ? lockDiscountUses(offeredDiscountKeys(request, isoTimestamp(nowMs))) : null,
        tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
        selectOrderTypeLocations({}),
        selectSellableStockOfOptions({ optionIds, at: isoTimestamp(nowMs) }),
        request.inventoryLocationId == null ? null : selectLocations({}),
        ...cartFactStatements(request, law, nowMs),
      );
      if (claim !== null && claimed.length === 0) return replay(tx, claim);

      // An unknown location is reported before any rule that the cart breaks (D13).
      const chosenPlace =
        request.inventoryLocationId == null ? null : onlyPlace(request.inventoryLocationId, knownLocations);
      const decided = await decideOrder(
        tx,
        context,
        nowMs,
        law,
        { orderId, origin, placement, request },
        { cart: facts, stock, locations, chosenPlace },
      );
      await recordOrders(tx, context, nowMs, [decided]);
      const { order } = decided;
      return { order, replayed: false };
    },
    { retryOnConstraints: placingGuards },
  );
}

/** No integrator has this id: the keys of staff and of integrators are separate. */
const staffScope = 0;

export interface Claim {
  readonly integratorId: number;
  readonly idempotencyKey: string;
}

/** The key of an order; null: none. */
export function claimOf({ integrator, staffKey }: Placement): Claim | null {
  if (integrator !== null) return { integratorId: integrator.id, idempotencyKey: integrator.idempotencyKey };
  return staffKey === undefined ? null : { integratorId: staffScope, idempotencyKey: staffKey };
}

/** D22: the current order of the key. */
export async function replay(tx: TenantTransaction, claim: Claim) {
  const [[claimed]] = await tx.run(selectClaimedOrder(claim));
  assert(claimed !== undefined, 'a taken key has no order');
  const order = await loadOrder(tx, claimed.order_id, { lock: false });
  assert(order !== null, 'the order of a key does not exist');
  return { order, replayed: true };
}
