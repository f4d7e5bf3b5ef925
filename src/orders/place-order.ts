import { v7 as uuidV7 } from 'uuid';
import {
  assertWithinLimits,
  cartFactStatements,
  type DecidedCart,
  decideCart,
  lockBuyer,
} from '../carts/carts.ts';
import { customerUniqueConstraints, rememberCustomer } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import {
  allocateStock,
  lockStockOfOptions,
  moveStock,
  selectLocations,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockFacts,
  stockGuard,
} from '../inventory/stock.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  accountGuards,
  discountUsesGuards,
  lockDiscountUses,
  offeredDiscountKeys,
  usePromotions,
} from '../promotions/promotions.ts';
import { buildOrder, explanationOf, type OrderRequest, type Placement } from './build-order.ts';
import { needsOfLines, onlyPlace, outOfStock, placesOf, stockMovements, withStock } from './held-stock.ts';
import { promotionsOf } from './order-promotions.ts';
import {
  claimIdempotencyKey,
  insertExplanations,
  insertOrders,
  insertTransitions,
  loadOrder,
  selectClaimedOrder,
} from './order-queries.ts';
import type { OrderRecord, OrderStatus } from './order-record.ts';
import { assertGivenWithinRole } from './staff-allowance.ts';

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
): Promise<{ readonly order: OrderRecord; readonly replayed: boolean }> {
  const claim = claimOf(placement);
  return context.database.write(
    placement.organizationId,
    async (tx) => {
      const nowMs = context.clock.now();
      const law = context.law.current;
      const orderId = uuidV7({ msecs: nowMs, random: context.randomBytes(16) });
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
      const cart = decideCart(request, facts, law, nowMs, true);
      assertGivenWithinRole(cart, request, placement.role);
      assertAcceptable(cart, request.expectedCustomerGrandTotalCents);
      const locationIds = chosenPlace ?? placesOf(request.type, cart.zone, locations);
      const status = statusOnPlacing(request, cart);
      const customer =
        request.customer === null
          ? cart.person
          : await rememberCustomer(tx, context, origin, nowMs, request.customer, cart.customerCandidates);
      const draft = await buildOrder(context, { orderId, nowMs, request, placement, cart, status, customer });
      // D21: a draft takes no stock, but is refused when stock is short.
      const verdict = allocateStock(needsOfLines(draft.lines), stock, locationIds);
      if (!verdict.ok) throw outOfStock(draft.lines[verdict.shortLineIndex]!);
      const order =
        status === 'new'
          ? withStock(draft, verdict.picks, cart.options, await context.ids.take(verdict.picks.length))
          : draft;
      const transitionId = await context.ids.takeOne();
      tx.queue(
        ...insertOrders([order]),
        ...insertExplanations([explanationOf(orderId, cart.priced)]),
        ...insertTransitions([creation(orderId, transitionId, status, origin, nowMs)]),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'order.placed',
        subjectType: 'order',
        subjectId: orderId,
        payload: {
          orderId,
          status,
          type: request.type,
          source: order.head.source,
          ...stockFacts(order.fulfillments),
        },
        ...(placement.placedBy !== null && { details: { status, ...givenByHand(order) } }),
      });
      await usePromotions(tx, context, origin, promotionsOf(order), { transitionId, atMs: nowMs });
      // Last, so that busy balances are locked as briefly as possible.
      await moveStock(tx, context, origin, {
        cause: 'taken',
        causeId: transitionId,
        atMs: nowMs,
        movements: stockMovements(order.fulfillments, 'take'),
      });
      return { order, replayed: false };
    },
    {
      retryOnConstraints: [stockGuard, ...discountUsesGuards, ...accountGuards, ...customerUniqueConstraints],
    },
  );
}

/** Refuses an order that the organization or the caller does not take as priced. */
function assertAcceptable(cart: DecidedCart, expected: number | null): void {
  if (!cart.metOrderMinimum) {
    throw failure(
      'ORDER_MINIMUM_NOT_MET',
      `The order minimum of ${dollars(cart.orderMinimumCents)} is not met: the cart comes to ${dollars(cart.priced.merchandiseCents)}`,
      { minimum: dollars(cart.orderMinimumCents) },
    );
  }
  assertWithinLimits(cart.purchaseLimits);
  const actual = cart.priced.customerGrandTotalCents;
  if (expected !== null && expected !== actual) {
    throw failure('PRICE_CHANGED', `The order would cost ${actual} cents, not ${expected}`, {
      expected,
      actual,
    });
  }
}

/** D21; what is sold over the counter leaves the stock at once. */
function statusOnPlacing({ type }: OrderRequest, { organization }: DecidedCart): OrderStatus {
  return {
    delivery: organization.delivery_status_on_creation,
    pickup: organization.pickup_status_on_creation,
    'in-store': 'new' as const,
  }[type];
}

function creation(orderId: string, id: number, toStatus: OrderStatus, origin: Origin, atMs: number) {
  return {
    orderId,
    id,
    action: 'create',
    fromStatus: null,
    toStatus,
    actor: origin.actor,
    createdAt: isoTimestamp(atMs),
  };
}

/** What the audit keeps of what staff gave. */
function givenByHand({ head: { customerGrandTotalCents, discountsTotalCents, asked } }: OrderRecord) {
  return {
    customerGrandTotal: customerGrandTotalCents,
    discountsTotal: discountsTotalCents,
    discountIds: asked?.discountIds,
    adjustments: asked?.adjustments,
    taxExempt: asked?.taxExempt,
  };
}

/** No integrator has this id: the keys of staff and of integrators are separate. */
const staffScope = 0;

interface Claim {
  readonly integratorId: number;
  readonly idempotencyKey: string;
}

function claimOf({ integrator, staffKey }: Placement): Claim | null {
  if (integrator !== null) return { integratorId: integrator.id, idempotencyKey: integrator.idempotencyKey };
  return staffKey === undefined ? null : { integratorId: staffScope, idempotencyKey: staffKey };
}

/** D22: the current order of the key. */
async function replay(tx: TenantTransaction, claim: Claim) {
  const [[claimed]] = await tx.run(selectClaimedOrder(claim));
  assert(claimed !== undefined, 'a taken key has no order');
  const order = await loadOrder(tx, claimed.order_id, { lock: false });
  assert(order !== null, 'the order of a key does not exist');
  return { order, replayed: true };
}

/** "$75", "$75.50": the format of the error catalogue (D12). */
function dollars(cents: number): string {
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  return rest === 0 ? `$${whole}` : `$${whole}.${String(rest).padStart(2, '0')}`;
}
