import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { Failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Batcher } from '../../platform/database/batcher.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { BoundStatement } from '../../platform/database/statement.ts';
import {
  canShareFacts,
  contactsOf,
  type PricingInputsCache,
  SharedFacts,
  sharedFactStatements,
} from '../carts/carts.ts';
import { lockCustomersOfContacts } from '../customers/customers.ts';
import {
  lockStockOfOptions,
  type SellableStockRow,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
} from '../inventory/stock.ts';
import { discountCodeKeys, lockDiscountUses } from '../promotions/promotions.ts';
import type { OrderRequest, Placement } from './build-order.ts';
import { type Attempted, type DecidedOrder, decideOrder, newOrderId, recordOrders } from './decide-order.ts';
import { claimIdempotencyKeys, releaseIdempotencyKeys } from './order-key-queries.ts';
import { claimOf, type PlacedOrder, placeOrder, placingGuards, replay } from './place-order.ts';

/** More orders in one transaction save little more, and each waits for all. */
const ordersMax = 32;
/** While one transaction waits for the disk, the next one is decided. */
const transactionsMax = 2;
/** An order does not wait longer for others, which may wait for a lock or for a dead connection. */
const patienceMs = 250;
/** Terms that change again and again, in an import say, make each order read its own. */
const attemptsOnTerms = 2;

interface WaitingOrder {
  readonly origin: Origin;
  readonly placement: Placement;
  readonly request: OrderRequest;
}

/**
 * What became of an order. `again`: another order of the transaction had the same customer, or one with the same key
 * was refused, so this one is decided after it. `alone`: nothing was decided.
 */
type Outcome =
  | { readonly kind: 'placed'; readonly placed: PlacedOrder }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'again' }
  | { readonly kind: 'alone' };

/** The terms changed between their read and the transaction. */
class StaleTerms extends Error {
  override name = 'StaleTerms';
}

/** Rolls back a transaction without an order. */
class NothingPlaced extends Error {
  override name = 'NothingPlaced';
}

/**
 * Places the orders of an organization that come together in one transaction (docs/decisions/0018-orders-together.md).
 * Most of the cost of an order are the statements that it takes, not its rows; together they share them. The first order
 * starts at once; those that arrive while transactions are under way form the next one. Each order is decided in turn on
 * what the ones before it left: stock and uses of discounts are counted on, and two orders of one customer or one
 * key never share a transaction. A refusal concerns its order only. When a statement fails, each order is placed alone.
 */
export class OrderPlacer {
  readonly #context: Context;
  readonly #terms: PricingInputsCache;
  readonly #batcher: Batcher<OrganizationId, WaitingOrder[], Map<WaitingOrder, Outcome>>;

  constructor(context: Context, terms: PricingInputsCache) {
    this.#context = context;
    this.#terms = terms;
    this.#batcher = new Batcher({
      newBatch: (): WaitingOrder[] => [],
      isFull: (orders) => orders.length >= ordersMax,
      run: (organization, orders) => this.#placeAll(organization, orders),
      runningMax: transactionsMax,
      patienceMs,
    });
  }

  /** The same as `placeOrder`, for requests of integrators. */
  async place(origin: Origin, placement: Placement, request: OrderRequest): Promise<PlacedOrder> {
    const order: WaitingOrder = { origin, placement, request };
    if (canShareFacts(request) && request.inventoryLocationId == null && claimOf(placement) !== null) {
      for (;;) {
        const { batch, result } = this.#batcher.join(placement.organizationId);
        batch.push(order);
        const outcome = (await result).get(order)!;
        if (outcome.kind === 'placed') return outcome.placed;
        if (outcome.kind === 'refused') throw outcome.error;
        if (outcome.kind === 'alone') break;
      }
    }
    return placeOrder(this.#context, origin, placement, request);
  }

  async #placeAll(organization: OrganizationId, orders: WaitingOrder[]): Promise<Map<WaitingOrder, Outcome>> {
    for (let attempt = 1; attempt <= attemptsOnTerms; attempt++) {
      const outcomes = new Map<WaitingOrder, Outcome>();
      try {
        await this.#write(organization, orders, attempt > 1, outcomes);
        return withSameKeys(orders, outcomes);
      } catch (error) {
        if (error instanceof NothingPlaced) return withSameKeys(orders, outcomes);
        if (error instanceof StaleTerms) continue;
        if (!mayBeOfOne(error)) throw error;
        break;
      }
    }
    return new Map(orders.map((order) => [order, { kind: 'alone' }]));
  }

  async #write(
    organization: OrganizationId,
    orders: readonly WaitingOrder[],
    isStale: boolean,
    outcomes: Map<WaitingOrder, Outcome>,
  ): Promise<void> {
    const { database, clock } = this.#context;
    const requests = orders.map(({ request }) => request);
    const terms = await this.#terms.termsFor(organization, requests, clock.now(), isStale);
    if (terms === null) throw new StaleTerms();
    await database.write(
      organization,
      async (tx) => {
        outcomes.clear();
        const nowMs = clock.now();
        const law = this.#context.law.current;
        const attempted = [...firstOfKeys(orders).values()].map((order) => ({
          ...order,
          order,
          orderId: newOrderId(this.#context, nowMs),
        }));
        const optionIds = [
          ...new Set(requests.flatMap(({ lineItems }) => lineItems.map((line) => line.productOptionId))),
        ];
        const at = isoTimestamp(nowMs);
        // The locks come in the order of `placeOrder`: keys, customers, counters, stock.
        const contacts = contactsOf(requests);
        const [claimed, , , , locations, stock, [version], uses, customers, claims] = await tx.run(
          claimIdempotencyKeys({ ...claimsOf(attempted), orderIds: attempted.map(({ orderId }) => orderId) }),
          contacts.emails.length + contacts.phones.length === 0 ? null : lockCustomersOfContacts(contacts),
          tx.attempt > 1
            ? lockDiscountUses({ codeKeys: requests.flatMap(discountCodeKeys), chosenIds: [], at })
            : null,
          tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
          selectOrderTypeLocations({}),
          selectSellableStockOfOptions({ optionIds, at }),
          ...sharedFactStatements(terms, requests, law, nowMs),
        );
        if ((version?.version ?? 0) !== terms.version) throw new StaleTerms();
        const facts = new SharedFacts(terms, uses, customers, claims, nowMs);
        await this.#decideAll(tx, { attempted, claimed, facts, stock, locations, law, nowMs }, outcomes);
      },
      { retryOnConstraints: placingGuards },
    );
  }

  async #decideAll(
    tx: TenantTransaction,
    given: {
      readonly attempted: readonly (Attempted & { readonly order: WaitingOrder })[];
      readonly claimed: readonly { readonly order_id: string }[];
      readonly facts: SharedFacts;
      readonly stock: SellableStockRow[];
      readonly locations: readonly { readonly order_type: string; readonly inventory_location_id: number }[];
      readonly law: Law;
      readonly nowMs: number;
    },
    outcomes: Map<WaitingOrder, Outcome>,
  ): Promise<void> {
    const { attempted, facts, locations, law, nowMs } = given;
    const claimed = new Set(given.claimed.map(({ order_id: id }) => id));
    const stockOf = groupBy(given.stock, (row) => row.product_id);
    const buyers = new Set<string | number>();
    const decided: DecidedOrder[] = [];
    const ofCustomers: { readonly contact: string; readonly statements: BoundStatement<unknown>[] }[] = [];
    const released: Attempted[] = [];
    for (const { order, ...one } of attempted) {
      if (!claimed.has(one.orderId)) {
        outcomes.set(order, { kind: 'placed', placed: await replay(tx, claimOf(one.placement)!) });
        continue;
      }
      const own = buyersOf(one.request, facts);
      if (own.some((buyer) => buyers.has(buyer))) {
        released.push(one);
        outcomes.set(order, { kind: 'again' });
        continue;
      }
      try {
        const cart = facts.of(one.request);
        const products = new Set(cart[1].map(({ product_id: id }) => id));
        const stock = [...products].flatMap((id) => stockOf.get(id) ?? []);
        const statements: BoundStatement<unknown>[] = [];
        const queue = (...more: readonly BoundStatement<unknown>[]) => void statements.push(...more);
        const result = await decideOrder({ ...tx, queue }, this.#context, nowMs, law, one, {
          ...{ cart, stock, locations, chosenPlace: null },
        });
        if (statements.length > 0) ofCustomers.push({ contact: own.join(), statements });
        for (const buyer of own) buyers.add(buyer);
        for (const { stock: row, amount } of result.picks) {
          row.on_hand = decimalText(decimal(row.on_hand).minus(amount));
        }
        facts.use(result.order.discounts.map(({ discountId }) => discountId));
        decided.push(result);
        outcomes.set(order, { kind: 'placed', placed: { order: result.order, replayed: false } });
      } catch (error) {
        released.push(one);
        outcomes.set(order, { kind: 'refused', error });
      }
    }
    if (decided.length === 0) throw new NothingPlaced();
    if (released.length > 0) tx.queue(releaseIdempotencyKeys(claimsOf(released)));
    // Two transactions with the same new customers insert them in one order.
    ofCustomers.sort((a, b) => (a.contact < b.contact ? -1 : 1));
    tx.queue(...ofCustomers.flatMap(({ statements }) => statements));
    await recordOrders(tx, this.#context, nowMs, decided);
  }
}

/** False: the database is gone or busy, and is not asked again for each order. */
function mayBeOfOne(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code === 'TRANSACTION_RETRY_EXCEEDED') return true;
  // A lock that another transaction holds for too long; only one of the orders needs it, perhaps.
  return (error.cause as { readonly code?: string } | undefined)?.code === '55P03';
}

function keyOf({ placement }: WaitingOrder): string {
  const { integratorId, idempotencyKey } = claimOf(placement)!;
  return `${integratorId} ${idempotencyKey}`;
}

/** The first order of each key. */
function firstOfKeys(orders: readonly WaitingOrder[]): Map<string, WaitingOrder> {
  const first = new Map<string, WaitingOrder>();
  for (const order of orders) if (!first.has(keyOf(order))) first.set(keyOf(order), order);
  return first;
}

/** Adds the other orders of each key: replays of its order, if there is one now. */
function withSameKeys(orders: readonly WaitingOrder[], outcomes: Map<WaitingOrder, Outcome>) {
  const first = firstOfKeys(orders);
  for (const order of orders) {
    if (outcomes.has(order)) continue;
    const outcome = outcomes.get(first.get(keyOf(order))!)!;
    outcomes.set(
      order,
      outcome.kind === 'placed'
        ? { kind: 'placed', placed: { ...outcome.placed, replayed: true } }
        : { kind: 'again' },
    );
  }
  return outcomes;
}

function claimsOf(orders: readonly Attempted[]) {
  const claims = orders.map(({ placement }) => claimOf(placement)!);
  return {
    integratorIds: claims.map(({ integratorId }) => integratorId),
    idempotencyKeys: claims.map(({ idempotencyKey }) => idempotencyKey),
  };
}

/** The email, the phone, and the customers on file that they match: orders that share one wait for each other. */
function buyersOf(request: OrderRequest, facts: SharedFacts): (string | number)[] {
  const { emails, phones } = contactsOf([request]);
  return [...emails, ...phones, ...facts.customersOf(request).map(({ id }) => id)];
}
