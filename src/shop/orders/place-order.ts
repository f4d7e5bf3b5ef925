import { assert } from '../../kernel/assert.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { Failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Batcher } from '../../platform/connections/batcher.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { CartFacts, FactReading } from '../carts/cart-facts.ts';
import {
  canShareTerms,
  contactsOf,
  lockBuyers,
  type PricingInputsCache,
  readOwnFacts,
  readSharedFacts,
} from '../carts/carts.ts';
import { customerUniqueConstraints } from '../customers/customers.ts';
import type { NamedPackageRow } from '../inventory/named-package-queries.ts';
import {
  lockStockOfOptions,
  type SellableStockRow,
  selectLocations,
  selectNamedPackages,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockGuard,
} from '../inventory/stock.ts';
import {
  accountGuards,
  discountCodeKeys,
  discountUsesGuards,
  lockDiscountUses,
} from '../promotions/promotions.ts';
import type { SlotRows } from '../slots/slot-times.ts';
import { slotReads } from '../slots/slots.ts';
import type { OrderRequest, Placement } from './build-order.ts';
import { type Attempted, type DecidedOrder, decideOrder, newOrderId, recordOrders } from './decide-order.ts';
import { withBlock } from './held-stock.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { claimIdempotencyKeys, releaseIdempotencyKeys, selectClaimedOrder } from './order-key-queries.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * The one way to place orders (D18–D23, D25, D27, D28, D30, D33): a batch of them in one transaction of two round trips.
 * `placeOrder` places a batch of one; `OrderPlacer` lets orders that come together share a batch.
 *
 * Stock: the first try decrements without a lock, so buyers of well-stocked products do not wait for each other; a check on
 * the balance refuses a decrement below zero. A transaction that fails this check tries again with the balances locked, and
 * then decides whether it is OUT_OF_STOCK. The same holds for the counters of limited discounts. A customer's data (limits,
 * credits, points, uses) is read behind a lock on the customer: two orders of one customer are placed one after the other.
 * Locks are always taken in this order: keys, customers, time slots, counters, credits, stock.
 */

/** More orders in one transaction save little more, and each waits for all. */
const ordersMax = 32;
/** While one transaction waits for the disk, the next one is decided. */
const transactionsMax = 2;
/** An order does not wait longer for others, which may wait for a lock or for a dead connection. */
const patienceMs = 250;
/** Terms that change again and again, in an import say, make each order read its own. */
const attemptsOnTerms = 2;

/** Violations that mean "read again and decide again". */
export const placingGuards = [
  stockGuard,
  ...discountUsesGuards,
  ...accountGuards,
  ...customerUniqueConstraints,
];

/** An order, and whether it existed before the request. */
export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly replayed: boolean;
}

interface AskedOrder {
  readonly origin: Origin;
  readonly placement: Placement;
  readonly request: OrderRequest;
}

/**
 * What became of an order of a batch. `again`: another one of the batch had the same customer, or one with the same key was
 * refused, so this one is decided after it.
 */
type Outcome =
  | { readonly kind: 'placed'; readonly placed: PlacedOrder }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'again' };
type Outcomes = Map<AskedOrder, Outcome>;

/** Places one order, on facts that its transaction reads: for any request, of staff, integrators and jobs. */
export async function placeOrder(
  context: Context,
  origin: Origin,
  placement: Placement,
  request: OrderRequest,
): Promise<PlacedOrder> {
  const asked: AskedOrder = { origin, placement, request };
  const outcomes = await placeBatch(context, placement.organizationId, [asked], (...now) =>
    readOwnFacts(request, ...now),
  );
  const outcome = outcomes?.get(asked);
  assert(outcome !== undefined && outcome.kind !== 'again', 'an order alone is placed or refused');
  return placedOrThrow(outcome);
}

/**
 * Places the orders of an organization that come at the same time in one batch (docs/decisions/0018-orders-together.md). Most
 * of the cost of an order are the statements that it takes, not its rows; together they share them. The first order starts at
 * once; those that arrive while transactions are under way form the next one. When a statement fails, each is placed alone.
 */
export class OrderPlacer {
  readonly #context: Context;
  readonly #terms: PricingInputsCache;
  readonly #batcher: Batcher<OrganizationId, AskedOrder[], Outcomes | null>;

  constructor(context: Context, terms: PricingInputsCache) {
    this.#context = context;
    this.#terms = terms;
    this.#batcher = new Batcher({
      newBatch: (): AskedOrder[] => [],
      isFull: (orders) => orders.length >= ordersMax,
      run: (organization, orders) => this.#placeTogether(organization, orders),
      runningMax: transactionsMax,
      patienceMs,
    });
  }

  /** The same as `placeOrder`, for requests of integrators. */
  async place(origin: Origin, placement: Placement, request: OrderRequest): Promise<PlacedOrder> {
    const asked: AskedOrder = { origin, placement, request };
    // An order with a time slot locks the slots, which a batch of others does not wait for.
    while (canShareTerms(request) && request.slotFromMs === undefined) {
      const { batch, result } = this.#batcher.join(placement.organizationId);
      batch.push(asked);
      const outcome = (await result)?.get(asked);
      if (outcome === undefined) break;
      if (outcome.kind !== 'again') return placedOrThrow(outcome);
    }
    return placeOrder(this.#context, origin, placement, request);
  }

  /** Null: nothing was placed, and each order must be placed alone. */
  async #placeTogether(organization: OrganizationId, asked: readonly AskedOrder[]): Promise<Outcomes | null> {
    const first = firstOfKeys(asked);
    const requests = first.map(({ request }) => request);
    for (let attempt = 1; attempt <= attemptsOnTerms; attempt++) {
      const terms = await this.#terms.termsFor(organization, requests, attempt > 1);
      try {
        const outcomes = await placeBatch(this.#context, organization, first, (...now) =>
          readSharedFacts(terms, requests, ...now),
        );
        if (outcomes !== null) return withSameKeys(asked, outcomes);
      } catch (error) {
        if (!mayBeOfOne(error)) throw error;
        return null;
      }
    }
    return null;
  }
}

function placedOrThrow(outcome: Exclude<Outcome, { kind: 'again' }>): PlacedOrder {
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.placed;
}

/** Rolls back a transaction that places no order; null: its terms were out of date. */
class NothingPlaced extends Error {
  override name = 'NothingPlaced';
  readonly outcomes: Outcomes | null;

  constructor(outcomes: Outcomes | null) {
    super();
    this.outcomes = outcomes;
  }
}

/** Places orders with different keys in one transaction, all or nothing. Null: the terms have changed since they were read. */
async function placeBatch(
  context: Context,
  organization: OrganizationId,
  asked: readonly AskedOrder[],
  reading: (law: Context['law']['current'], nowMs: number) => FactReading,
): Promise<Outcomes | null> {
  const requests = asked.map(({ request }) => request);
  const optionIds = [
    ...new Set(requests.flatMap(({ lineItems }) => lineItems.map((line) => line.productOptionId))),
  ];
  const slotted = requests.find(({ slotFromMs }) => slotFromMs !== undefined);
  assert(slotted === undefined || asked.length === 1, 'an order with a time slot is placed alone');
  const namesPlace = requests.some(({ inventoryLocationId }) => inventoryLocationId != null);
  const packageIds = requests.flatMap(({ chosenPackages = [] }) => chosenPackages.map((it) => it.packageId));
  const place = async (tx: TenantTransaction): Promise<Outcomes> => {
    const nowMs = context.clock.now();
    const law = context.law.current;
    const attempted = asked.map((it) => ({ ...it, asked: it, orderId: newOrderId(context, nowMs) }));
    const keyed = attempted.filter(({ placement }) => claimOf(placement) !== null);
    const at = isoTimestamp(nowMs);
    const { statements, factsOf } = reading(law, nowMs);
    // The claims come before all other work (D22), also before the locks of a second try: a holder of a key never waits for a
    // request that waits for the key.
    const [claimed, , slots, closedDays, places, ...rest] = await tx.run(
      keyed.length === 0
        ? null
        : claimIdempotencyKeys({ ...claimsOf(keyed), orderIds: keyed.map(({ orderId }) => orderId) }),
      lockBuyers(requests),
      ...slotReads(slotted?.slotFromMs, { lock: true }),
      tx.attempt > 1 ? lockDiscountUses(discountsOf(requests, at)) : null,
      tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
      selectOrderTypeLocations({}),
      selectSellableStockOfOptions({ optionIds, at }),
      namesPlace ? selectLocations({}) : null,
      packageIds.length === 0 ? null : selectNamedPackages({ ids: packageIds, at }),
      ...statements,
    );
    const [, , locations, stock, knownLocations, packages, ...rows] = rest;
    const facts = factsOf(rows);
    if (facts === null) throw new NothingPlaced(null);
    const taken = new Set(claimed.map(({ order_id: id }) => id));
    const outcomes: Outcomes = new Map();
    const fresh: AttemptedOrder[] = [];
    for (const one of attempted) {
      const claim = claimOf(one.placement);
      if (claim === null || taken.has(one.orderId)) fresh.push(one);
      else outcomes.set(one.asked, { kind: 'placed', placed: await replay(tx, claim) });
    }
    const decided = await decideInTurn(
      context,
      fresh,
      {
        facts,
        stock,
        locations,
        knownLocations,
        packages,
        law,
        nowMs,
        slots: { slots, closedDays, taken: places },
      },
      outcomes,
    );
    for (const [one, outcome] of outcomes) {
      if (outcome.kind !== 'refused' || !(outcome.error instanceof Failure)) continue;
      outcomes.set(one, { kind: 'refused', error: await withBlock(tx, outcome.error) });
    }
    if (decided.length === 0) throw new NothingPlaced(outcomes);
    const released = fresh.filter((one) => outcomes.get(one.asked)?.kind !== 'placed');
    if (released.length > 0) tx.queue(releaseIdempotencyKeys(claimsOf(released)));
    await recordOrders(tx, context, nowMs, decided);
    return outcomes;
  };
  try {
    return await context.database.write(organization, place, { retryOnConstraints: placingGuards });
  } catch (error) {
    if (error instanceof NothingPlaced) return error.outcomes;
    throw error;
  }
}

type AttemptedOrder = Attempted & { readonly asked: AskedOrder };

/**
 * Decides each order on what the ones before it leave: stock and uses of discounts are counted on, and of two orders of one
 * customer the later one comes `again`. A refusal concerns its order only.
 */
async function decideInTurn(
  context: Context,
  attempted: readonly AttemptedOrder[],
  given: {
    readonly facts: CartFacts;
    readonly stock: readonly SellableStockRow[];
    readonly locations: readonly { readonly order_type: string; readonly inventory_location_id: number }[];
    readonly knownLocations: readonly { readonly id: number }[];
    readonly packages: readonly NamedPackageRow[];
    readonly slots: SlotRows;
    readonly law: Context['law']['current'];
    readonly nowMs: number;
  },
  outcomes: Outcomes,
): Promise<DecidedOrder[]> {
  const { facts, law, nowMs } = given;
  const stockOf = groupBy(given.stock, (row) => row.product_id);
  const buyers = new Set<string | number>();
  const decided: DecidedOrder[] = [];
  for (const { asked, ...one } of attempted) {
    const own = buyersOf(one.request, facts);
    if (own.some((buyer) => buyers.has(buyer))) {
      outcomes.set(asked, { kind: 'again' });
      continue;
    }
    try {
      const cart = facts.of(one.request);
      const products = new Set(cart[1].map(({ product_id: id }) => id));
      const stock = [...products].flatMap((id) => stockOf.get(id) ?? []);
      const result = await decideOrder(context, nowMs, law, one, { ...given, cart, stock });
      for (const buyer of own) buyers.add(buyer);
      for (const { stock: row, amount } of result.picks) {
        row.on_hand = decimalText(decimal(row.on_hand).minus(amount));
      }
      facts.use(result.order.discounts.map(({ discountId }) => discountId));
      decided.push(result);
      outcomes.set(asked, { kind: 'placed', placed: { order: result.order, replayed: false } });
    } catch (error) {
      outcomes.set(asked, { kind: 'refused', error });
    }
  }
  return decided;
}

/** The email, the phone, and the customers on file that they match: orders that share one wait for each other. */
function buyersOf(request: OrderRequest, facts: CartFacts): (string | number)[] {
  const { emails, phones } = contactsOf([request]);
  return [...emails, ...phones, ...facts.customersOf(request).map(({ id }) => id)];
}

function discountsOf(requests: readonly OrderRequest[], at: string) {
  return {
    codeKeys: requests.flatMap(discountCodeKeys),
    chosenIds: requests.flatMap(({ chosenDiscountIds = [] }) => chosenDiscountIds),
    at,
  };
}

/** False: the database is gone or busy, and is not asked again for each order. */
function mayBeOfOne(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code === 'TRANSACTION_RETRY_EXCEEDED') return true;
  // A lock that another transaction holds for too long; only one of the orders needs it, perhaps.
  return (error.cause as { readonly code?: string } | undefined)?.code === '55P03';
}

/** No integrator has this id: the keys of staff and of integrators are separate. */
const staffScope = 0;

interface Claim {
  readonly integratorId: number;
  readonly idempotencyKey: string;
}

/** The key of an order; null: none. */
function claimOf({ integrator, staffKey }: Placement): Claim | null {
  if (integrator !== null) return { integratorId: integrator.id, idempotencyKey: integrator.idempotencyKey };
  return staffKey === undefined ? null : { integratorId: staffScope, idempotencyKey: staffKey };
}

function claimsOf(orders: readonly Attempted[]) {
  const claims = orders.flatMap(({ placement }) => claimOf(placement) ?? []);
  return {
    integratorIds: claims.map(({ integratorId }) => integratorId),
    idempotencyKeys: claims.map(({ idempotencyKey }) => idempotencyKey),
  };
}

/** D22: the current order of a key that was taken before. */
async function replay(tx: TenantTransaction, claim: Claim): Promise<PlacedOrder> {
  const [[claimed]] = await tx.run(selectClaimedOrder(claim));
  assert(claimed !== undefined, 'a taken key has no order');
  const order = await loadOrder(tx, claimed.order_id, { lock: false });
  assert(order !== null, 'the order of a key does not exist');
  return { order, replayed: true };
}

function keyOf({ placement }: AskedOrder): string {
  const { integratorId, idempotencyKey } = claimOf(placement)!;
  return `${integratorId} ${idempotencyKey}`;
}

/** The first order of each key. */
function firstOfKeys(asked: readonly AskedOrder[]): AskedOrder[] {
  const first = new Map<string, AskedOrder>();
  for (const one of asked) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
  return [...first.values()];
}

/** Adds the other orders of each key: replays of its order, if there is one now. */
function withSameKeys(asked: readonly AskedOrder[], outcomes: Outcomes): Outcomes {
  const ofKeys = new Map([...outcomes].map(([one, outcome]) => [keyOf(one), outcome]));
  for (const one of asked) {
    if (outcomes.has(one)) continue;
    const outcome = ofKeys.get(keyOf(one))!;
    outcomes.set(
      one,
      outcome.kind === 'placed'
        ? { kind: 'placed', placed: { ...outcome.placed, replayed: true } }
        : { kind: 'again' },
    );
  }
  return outcomes;
}
