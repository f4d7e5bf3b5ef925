import { v7 as uuidV7 } from 'uuid';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announceAll } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { FactRows } from '../carts/cart-facts.ts';
import { assertLawful, decideCart, placesOf } from '../carts/carts.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { fullNameOf, rememberCustomer } from '../customers/customers.ts';
import type { IdentifiedCustomer } from '../customers/match-customer.ts';
import type { StockPick } from '../inventory/allocate-stock.ts';
import type { NamedPackageRow } from '../inventory/named-package-queries.ts';
import {
  allocateStock,
  assertPackagesKnown,
  moveStock,
  type SellableStockRow,
  stockFacts,
} from '../inventory/stock.ts';
import { usePromotionsOfAll } from '../promotions/promotions.ts';
import type { SlotRows } from '../slots/slot-times.ts';
import { slotOfCart } from '../slots/slots.ts';
import { buildOrder, type OrderRequest, type Placement, stepsOf } from './build-order.ts';
import { needsOfLines, onlyPlace, shortOfStock, stockMovements, withStock } from './held-stock.ts';
import { promotionsOf } from './order-promotions.ts';
import { insertOrders } from './order-queries.ts';
import type { OrderRecord, OrderStatus } from './order-record.ts';
import { assertGivenWithinRole, assertMayOverridePrices } from './staff-allowance.ts';

/* The decision on an order, and its rows. */

/** An order that is being placed. */
export interface Attempted {
  readonly orderId: string;
  readonly origin: Origin;
  readonly placement: Placement;
  readonly request: OrderRequest;
}

/** What the decision rests on, read in the transaction that writes the order. */
interface OrderFacts {
  readonly cart: FactRows;
  /** The stock of the order's products, as the orders before it in the same transaction left it. */
  readonly stock: readonly SellableStockRow[];
  readonly locations: readonly { readonly order_type: string; readonly inventory_location_id: number }[];
  /** Those of the shop, if the request names one. */
  readonly knownLocations: readonly { readonly id: number }[];
  /** Those that the request names. */
  readonly packages: readonly NamedPackageRow[];
  /** Locked; empty where the request chooses no time slot. */
  readonly slots: SlotRows;
}

/** A decided order, whose rows are not written yet. */
export interface DecidedOrder extends Attempted {
  readonly order: OrderRecord;
  /** The stock that it takes; none for a draft. */
  readonly picks: readonly StockPick[];
  /** As `storedSteps` has them. */
  readonly steps: string;
  /** That of its audit entry. */
  readonly transitionId: number;
  /** The rows of its customer, if they change. */
  readonly ofCustomer: readonly BoundStatement<unknown>[];
}

/** A new order's id (D18). */
export function newOrderId(context: Context, nowMs: number): string {
  return uuidV7({ msecs: nowMs, random: context.randomBytes(16) });
}

/** Decides an order or refuses it. Writes nothing: `recordOrders` queues its rows. */
export async function decideOrder(
  context: Context,
  nowMs: number,
  law: Law,
  attempted: Attempted,
  { cart: rows, stock, locations, knownLocations, packages, slots }: OrderFacts,
): Promise<DecidedOrder> {
  const { orderId, origin, placement, request } = attempted;
  const { inventoryLocationId, chosenPackages = [] } = request;
  // An unknown location or package is reported before any rule that the cart breaks (D13).
  const chosenPlace = inventoryLocationId == null ? null : onlyPlace(inventoryLocationId, knownLocations);
  assertPackagesKnown(chosenPackages, packages);
  const cart = decideCart(request, rows, law, nowMs, true);
  assertMayOverridePrices(placement.role, request.priceOverrides);
  assertGivenWithinRole(cart, request, placement.role);
  assertAcceptable(cart, request.expectedCustomerGrandTotalCents);
  const slot = slotOfCart(request, cart, slots, law, nowMs, placement.placedBy !== null);
  const locationIds = chosenPlace ?? placesOf(request.type, cart.zone, locations);
  const status = statusOnPlacing(request, cart);
  const { presented } = cart;
  const ofCustomer: BoundStatement<unknown>[] = [];
  const queue = (...statements: readonly BoundStatement<unknown>[]) => void ofCustomer.push(...statements);
  const customer =
    presented === null
      ? cart.person
      : hasNoContact(presented)
        ? null
        : await rememberCustomer({ queue }, context, origin, nowMs, presented, cart.customerCandidates, {
            isUnproven: request.isUnproven === true,
          });
  const draft = await buildOrder(context, {
    ...{ orderId, nowMs, cart, status, customer, slot },
    request: presented === null ? request : { ...request, ...typedContactOf(presented) },
    placement:
      presented !== null && customer === null
        ? { ...placement, customerName: fullNameOf(presented.firstName, presented.lastName) }
        : placement,
  });
  // D21: a draft takes no stock, but is refused when stock is short.
  const needs = needsOfLines(draft.lines, chosenPackages);
  const verdict = allocateStock(needs, stock, locationIds);
  if (!verdict.ok) throw shortOfStock(draft.lines, verdict, needs, packages, locationIds);
  const picks = status === 'new' ? verdict.picks : [];
  return {
    ...attempted,
    order:
      status === 'new' ? withStock(draft, picks, cart.options, await context.ids.take(picks.length)) : draft,
    picks,
    steps: stepsOf(cart.priced),
    transitionId: await context.ids.takeOne(),
    ofCustomer,
  };
}

/** Whether only placeholders were given (D84): the order then has a name and no profile. */
function hasNoContact({ emailNormalized, phoneNormalized }: IdentifiedCustomer): boolean {
  return emailNormalized === null && phoneNormalized === null;
}

/** The contacts as they were typed, if one of them is a placeholder. */
function typedContactOf(presented: IdentifiedCustomer): Pick<OrderRequest, 'contact'> {
  const { email, phone, emailNormalized, phoneNormalized } = presented;
  const isKept = (email != null && emailNormalized === null) || (phone != null && phoneNormalized === null);
  return isKept ? { contact: { email: email?.trim() ?? null, phone: phone?.trim() ?? null } } : {};
}

/** Queues the rows of decided orders of different customers: each table once, whatever the number of orders. */
export async function recordOrders(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  decided: readonly DecidedOrder[],
): Promise<void> {
  // Two transactions with the same new customers insert them in one order.
  const byContact = decided.toSorted((a, b) => (contactOf(a) < contactOf(b) ? -1 : 1));
  tx.queue(...byContact.flatMap(({ ofCustomer }) => ofCustomer), ...insertOrders(decided));
  await announceAll(
    tx,
    context,
    nowMs,
    decided.map((one) => ({ origin: one.origin, announcement: announcementOf(one) })),
  );
  await usePromotionsOfAll(
    tx,
    context,
    decided.map(({ order, origin, transitionId }) => ({
      used: promotionsOf(order),
      origin,
      cause: { transitionId, atMs: nowMs },
    })),
  );
  // Last, so that busy balances are locked as briefly as possible.
  await moveStock(
    tx,
    context,
    decided[0]!.origin,
    ...decided.map(({ order, origin, transitionId }) => ({
      cause: 'taken' as const,
      causeId: transitionId,
      atMs: nowMs,
      actor: origin.actor,
      movements: stockMovements(order.fulfillments, 'take'),
    })),
  );
}

function contactOf({ request: { customer } }: Attempted): string {
  return `${customer?.emailNormalized ?? ''},${customer?.phoneNormalized ?? ''}`;
}

function announcementOf({ order, orderId, placement, request, transitionId }: DecidedOrder) {
  const { status, source } = order.head;
  return {
    event: 'order.placed' as const,
    auditId: transitionId,
    subjectType: 'order' as const,
    subjectId: orderId,
    payload: { orderId, status, type: request.type, source, ...stockFacts(order.fulfillments) },
    ...(placement.placedBy !== null && { details: { status, ...givenByHand(order) } }),
  };
}

/** Refuses an order that the organization or the caller does not take as priced. */
function assertAcceptable(cart: DecidedCart, expected: number | null): void {
  if (!cart.metOrderMinimum) {
    throw failure(
      'ORDER_MINIMUM_NOT_MET',
      `The order minimum of ${dollars(cart.orderMinimumCents)} is not met: the cart comes to ${dollars(cart.priced.merchandiseCents)}`,
      { minimum: dollars(cart.orderMinimumCents), minimumCents: cart.orderMinimumCents },
    );
  }
  assertLawful(cart);
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

/** What the audit keeps of what staff gave. */
function givenByHand({ head: { customerGrandTotalCents, discountsTotalCents, asked } }: OrderRecord) {
  return {
    customerGrandTotal: customerGrandTotalCents,
    discountsTotal: discountsTotalCents,
    discountIds: asked?.discountIds,
    ...(asked?.discountAmounts && { discountAmounts: asked.discountAmounts }),
    // Not the descriptions: the order keeps them, and an entry outlives the erasure of its customer.
    adjustments: asked?.adjustments.map(({ amountCents, adminId }) => ({ amountCents, adminId })),
    ...(asked?.priceOverrides && { priceOverrides: asked.priceOverrides }),
    ...(asked?.lineReductions && { lineReductions: asked.lineReductions }),
    taxExempt: asked?.taxExempt,
  };
}

/** "$75", "$75.50": the format of the error catalog (D12). */
function dollars(cents: number): string {
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  return rest === 0 ? `$${whole}` : `$${whole}.${String(rest).padStart(2, '0')}`;
}
