import { type OrganizationRow, selectOrganization } from '../access/organizations.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import type { CustomerRow } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { type Announcement, announce } from '../events/announce.ts';
import {
  allocateStock,
  moveStock,
  type SellableStockRow,
  type StockEffect,
  type StockPick,
  selectSellableStockOfOptions,
} from '../inventory/stock.ts';
import { decimal, decimalText } from '../kernel/decimal.ts';
import { groupBy } from '../kernel/group-by.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  type DeliveryZoneRow,
  type PaymentTypeRow,
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectTaxesInForce,
  type TaxRow,
} from '../settings/terms-of-sale.ts';
import { needsOfLines, outOfStock, stockMovements, withoutStock, withStock } from './held-stock.ts';
import { afterStep, type OrderAction, orderTransitions, type StepBy } from './order-lifecycle.ts';
import { insertIdempotencyKeys, insertOrders, insertTransitions } from './order-queries.ts';
import type { OrderRecord } from './order-record.ts';
import { buildOrder, type OrderRequest, type Placement } from './place-order.ts';
import { decideCart } from './price-request.ts';
import { eventOfAction } from './step-order.ts';

/** An order of the past: how it was placed, and every step since. */
export interface OrderHistory {
  readonly orderId: string;
  readonly placedAtMs: number;
  readonly placement: Placement;
  readonly request: OrderRequest;
  /** The profile that it belongs to; null for a walk-in. */
  readonly customer: CustomerRow | null;
  /** Where its stock was taken. */
  readonly locationIds: readonly number[];
  /** Oldest first. An order starts as a draft when its first step accepts it, as placed otherwise. */
  readonly startsAs: 'draft' | 'new';
  readonly steps: readonly { readonly action: OrderAction; readonly atMs: number; readonly by: StepBy }[];
}

const ordersPerTransaction = 200;

/**
 * Brings in orders with their whole history, oldest first, exactly as the operations would have left them:
 * the same pricing, lifecycle and stock code, the same rows, ledger, audit and events; only read and written
 * in bulk. Each batch is one transaction. For the demo data; the organization's present settings price all.
 * Fails with the refusal that an operation would have given.
 */
export async function importOrders(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  histories: readonly OrderHistory[],
): Promise<void> {
  const facts = await readFacts(context, organizationId, histories);
  for (let start = 0; start < histories.length; start += ordersPerTransaction) {
    const batch = histories.slice(start, start + ordersPerTransaction);
    await context.database.write(organizationId, async (tx) => {
      const played: PlayedOrder[] = [];
      for (const history of batch) played.push(await playHistory(context, facts, history));
      await writePlayed(tx, context, origin, played);
    });
  }
}

interface Facts {
  readonly organization: OrganizationRow;
  readonly options: SellableOptionRow[];
  readonly optionsById: ReadonlyMap<number, SellableOptionRow>;
  readonly taxes: TaxRow[];
  readonly paymentTypes: PaymentTypeRow[];
  /** By postal code; the empty one for orders without. */
  readonly zones: ReadonlyMap<string, DeliveryZoneRow[]>;
  /** By product; amounts go down and up as the histories are played. */
  readonly stock: ReadonlyMap<number, SellableStockRow[]>;
}

async function readFacts(
  context: Context,
  organizationId: OrganizationId,
  histories: readonly OrderHistory[],
): Promise<Facts> {
  const at = isoTimestamp(context.clock.now());
  const optionIds = [
    ...new Set(histories.flatMap(({ request }) => request.lineItems.map((line) => line.productOptionId))),
  ];
  const [[organization], options, taxes, paymentTypes, stock] = await context.database.read(
    organizationId,
    selectOrganization({}),
    selectSellableOptions({ optionIds }),
    selectTaxesInForce({ at }),
    selectPaymentTypes({}),
    selectSellableStockOfOptions({ optionIds, at }),
  );
  if (organization === undefined) throw new Error('the organization has vanished');
  const zones = new Map<string, DeliveryZoneRow[]>();
  for (const { request } of histories) {
    const code = request.postalCode ?? '';
    if (zones.has(code)) continue;
    const [zone] = await context.database.read(
      organizationId,
      selectDeliveryZone({ patterns: postalCodePatterns(code) }),
    );
    zones.set(code, zone);
  }
  return {
    organization,
    options,
    optionsById: new Map(options.map((row) => [row.option_id, row])),
    taxes,
    paymentTypes,
    zones,
    stock: groupBy(stock, (row) => row.product_id),
  };
}

interface PlayedTransition {
  readonly id: number;
  readonly action: OrderAction | 'create';
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly atMs: number;
}

interface PlayedOrder {
  readonly order: OrderRecord;
  readonly transitions: readonly PlayedTransition[];
  readonly effects: readonly StockEffect[];
}

async function playHistory(context: Context, facts: Facts, history: OrderHistory): Promise<PlayedOrder> {
  const { request, placedAtMs, customer } = history;
  const lineOptions = request.lineItems.map((line) => facts.optionsById.get(line.productOptionId)!);
  const cart = decideCart(
    request,
    [
      [facts.organization],
      [...new Set(lineOptions)],
      facts.taxes,
      facts.zones.get(request.postalCode ?? '')!,
      facts.paymentTypes,
      customer === null ? [] : [customer],
    ],
    placedAtMs,
    false,
  );
  let order = await buildOrder(context, {
    orderId: history.orderId,
    nowMs: placedAtMs,
    request,
    placement: history.placement,
    cart,
    status: history.startsAs,
    customer:
      customer === null
        ? null
        : { id: customer.id, fullName: `${customer.first_name} ${customer.last_name}` },
  });
  const transitionIds = await context.ids.take(history.steps.length + 1);
  const transitions: PlayedTransition[] = [];
  const effects: StockEffect[] = [];

  const move = async (direction: 'take' | 'give-back', causeId: number, atMs: number): Promise<void> => {
    if (direction === 'take') {
      const picks = pickStock(facts, order, history.locationIds);
      order = withStock(order, picks, facts.optionsById, await context.ids.take(picks.length));
    }
    effects.push({
      cause: direction === 'take' ? 'taken' : 'given-back',
      causeId,
      atMs,
      movements: stockMovements(order.fulfillments, direction),
    });
    if (direction === 'give-back') {
      putBack(facts, order);
      order = withoutStock(order);
    }
  };

  const createId = transitionIds[0]!;
  transitions.push({
    id: createId,
    action: 'create',
    fromStatus: null,
    toStatus: history.startsAs,
    atMs: placedAtMs,
  });
  if (history.startsAs === 'new') await move('take', createId, placedAtMs);
  for (const [index, { action, atMs, by }] of history.steps.entries()) {
    const id = transitionIds[index + 1]!;
    const { stock, to } = orderTransitions[action];
    transitions.push({ id, action, fromStatus: order.head.status, toStatus: to, atMs });
    order = afterStep(order, action, by, atMs);
    if (stock !== 'none') await move(stock, id, atMs);
  }
  return { order, transitions, effects };
}

function pickStock(facts: Facts, order: OrderRecord, locationIds: readonly number[]): readonly StockPick[] {
  const stock = [...new Set(order.lines.map((line) => line.productId))].flatMap(
    (productId) => facts.stock.get(productId) ?? [],
  );
  const verdict = allocateStock(needsOfLines(order.lines), stock, locationIds);
  if (!verdict.ok) throw outOfStock(order.lines[verdict.shortLineIndex]!);
  for (const { stock: row, amount } of verdict.picks) {
    row.on_hand = decimalText(decimal(row.on_hand).minus(amount));
  }
  return verdict.picks;
}

function putBack(facts: Facts, order: OrderRecord): void {
  for (const held of order.fulfillments) {
    const row = facts.stock
      .get(held.productId)
      ?.find(
        (candidate) =>
          candidate.product_option_id === held.productOptionId &&
          candidate.inventory_location_id === held.locationId &&
          candidate.package_id === held.packageId,
      );
    if (row !== undefined) row.on_hand = decimalText(decimal(row.on_hand).plus(held.amount));
  }
}

async function writePlayed(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  played: readonly PlayedOrder[],
): Promise<void> {
  tx.queue(
    ...insertIdempotencyKeys(
      played.flatMap(({ order: { head } }) =>
        head.integratorId === null || head.idempotencyKey === null
          ? []
          : [{ integratorId: head.integratorId, idempotencyKey: head.idempotencyKey, orderId: head.id }],
      ),
    ),
    ...insertOrders(played.map(({ order }) => order)),
    ...insertTransitions(
      played.flatMap(({ order, transitions }) =>
        transitions.map(({ atMs, ...transition }) => ({
          ...transition,
          orderId: order.head.id,
          actor: origin.actor,
          createdAt: isoTimestamp(atMs),
        })),
      ),
    ),
  );
  const announcements = played.flatMap(({ order, transitions }) =>
    transitions.map(
      ({ action, fromStatus, toStatus }): Announcement => ({
        event: action === 'create' ? 'order.placed' : eventOfAction[action],
        subjectType: 'order',
        subjectId: order.head.id,
        payload: { orderId: order.head.id, status: toStatus },
        details: { from: fromStatus, to: toStatus },
      }),
    ),
  );
  await announce(tx, context, origin, context.clock.now(), ...announcements);
  await moveStock(tx, context, origin, ...played.flatMap(({ effects }) => effects));
}
