import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { normalizeCode } from '../../engines/pricing/discounts/choose-discounts.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { decideCart, selectCartCustomersOf } from '../carts/carts.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { type SellableOptionRow, selectSellableOptions } from '../catalog/products.ts';
import type { CustomerRow } from '../customers/customer-queries.ts';
import { fullNameOf } from '../customers/customers.ts';
import type { StockPick } from '../inventory/allocate-stock.ts';
import type { StockEffect, StockMovement } from '../inventory/move-stock.ts';
import {
  allocateStock,
  moveStock,
  type SellableStockRow,
  selectSellableStockOfOptions,
  stockFacts,
} from '../inventory/stock.ts';
import type { PointsMovement } from '../promotions/move-points.ts';
import {
  movePoints,
  recountDiscountUses,
  selectLoyaltyProgram,
  selectOfferedDiscounts,
} from '../promotions/promotions.ts';
import type { DeliveryZoneRow } from '../settings/delivery-zone-queries.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import type { TaxRow } from '../settings/tax-queries.ts';
import {
  postalCodePatterns,
  selectDeliveryZone,
  selectPaymentTypes,
  selectTaxesInForce,
} from '../settings/terms-of-sale.ts';
import type { StepBy, StepOnStock } from './actions/order-action.ts';
import { type OrderActionId, orderActionOf } from './actions/order-actions.ts';
import { buildOrder, type OrderRequest, type Placement, stepsOf } from './build-order.ts';
import { afterDispatch, type DispatchChange, dispatchAnnouncement } from './dispatch-order.ts';
import { needsOfLines, outOfStock, stockMovements, withoutStock, withStock } from './held-stock.ts';
import { ImportedPromotions } from './imported-promotions.ts';
import { insertIdempotencyKeys } from './order-key-queries.ts';
import { afterStep } from './order-lifecycle.ts';
import { pointsOf } from './order-promotions.ts';
import { insertOrders } from './order-queries.ts';
import type { OrderLine, OrderRecord, OrderStatus } from './order-record.ts';

/** A past order: its placement and every later step. */
export interface OrderHistory {
  readonly orderId: string;
  readonly placedAtMs: number;
  readonly placement: Placement;
  readonly request: OrderRequest;
  /** The customer's profile; null for a walk-in. */
  readonly customer: CustomerRow | null;
  /** The location its stock was taken from. */
  readonly locationIds: readonly number[];
  /**
   * Oldest first. The order starts as a draft if its first step accepts it, otherwise in the status of its
   * type.
   */
  readonly startsAs: 'draft' | 'new';
  readonly steps: readonly HistoryStep[];
}

/** A step of the lifecycle, or a change of a delivery's progress. */
export type HistoryStep = { readonly atMs: number } & (
  | { readonly action: OrderActionId; readonly by: StepBy }
  | { readonly action: 'dispatch'; readonly change: DispatchChange }
);

/** The lines of an imported order. */
export type ImportedLines = readonly Pick<OrderLine, 'id' | 'productOptionId' | 'quantity'>[];

const ordersPerTransaction = 200;

/**
 * Imports orders with their whole history, oldest first, exactly as the operations would have left them: the
 * same pricing, lifecycle and stock code, the same rows, ledgers, audit and events; only reads and writes are
 * in bulk. Uses of discounts count as at that time; credits and rewards are not used. Each batch is one
 * transaction. For the demo data; current settings price all orders. Resolves to the lines of each order, by
 * its id. Fails with the failure of the operation.
 */
export async function importOrders(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  histories: readonly OrderHistory[],
): Promise<ReadonlyMap<string, ImportedLines>> {
  const linesByOrder = new Map<string, ImportedLines>();
  if (histories.length === 0) return linesByOrder;
  const facts = await readFacts(context, organizationId, histories);
  for (let start = 0; start < histories.length; start += ordersPerTransaction) {
    const batch = histories.slice(start, start + ordersPerTransaction);
    await context.database.write(organizationId, async (tx) => {
      const played: PlayedOrder[] = [];
      for (const history of batch) played.push(await playHistory(context, facts, history));
      await writePlayed(tx, context, origin, played);
      tx.queue(...recountDiscountUses(facts.promotions.limitedIds));
      for (const { order } of played) {
        const lines = order.lines.map(({ id, productOptionId, quantity }) => ({
          id,
          productOptionId,
          quantity,
        }));
        linesByOrder.set(order.head.id, lines);
      }
    });
  }
  return linesByOrder;
}

interface Facts {
  readonly organization: OrganizationRow;
  readonly options: SellableOptionRow[];
  readonly optionsById: ReadonlyMap<number, SellableOptionRow>;
  readonly taxes: TaxRow[];
  readonly paymentTypes: PaymentTypeRow[];
  /** By ZIP code; the empty key for orders without one. */
  readonly zones: ReadonlyMap<string, DeliveryZoneRow[]>;
  readonly promotions: ImportedPromotions;
  /** Undefined: no points are earned. */
  readonly pointsPerDollar: string | undefined;
  /** By product; the amounts change as the histories are applied. */
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
  const firstMs = Math.min(...histories.map(({ placedAtMs }) => placedAtMs));
  const customerIds = [...new Set(histories.flatMap(({ customer }) => customer?.id ?? []))];
  const [[organization], options, taxes, paymentTypes, stock, discounts, customers, [program]] =
    await context.database.read(
      organizationId,
      selectOrganization({}),
      selectSellableOptions({ optionIds }),
      selectTaxesInForce({ at }),
      selectPaymentTypes({}),
      selectSellableStockOfOptions({ optionIds, at }),
      selectOfferedDiscounts({
        codeKeys: [...new Set(histories.flatMap(({ request }) => request.discountCodes.map(normalizeCode)))],
        chosenIds: [...new Set(histories.flatMap(({ request }) => request.chosenDiscountIds ?? []))],
        at: isoTimestamp(firstMs),
      }),
      selectCartCustomersOf({ ids: customerIds, at }),
      selectLoyaltyProgram({}),
    );
  if (organization === undefined) throw new Error('the organization does not exist');
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
    promotions: new ImportedPromotions(discounts, customers),
    pointsPerDollar: program?.points_per_dollar,
    stock: groupBy(stock, (row) => row.product_id),
  };
}

interface PlayedStep {
  /** That of its audit entry. */
  readonly id: number;
  readonly action: OrderActionId | 'create';
  readonly fromStatus: string | null;
  readonly toStatus: OrderStatus;
  readonly atMs: number;
}

interface PlayedOrder {
  readonly order: OrderRecord;
  readonly steps: string;
  readonly announcements: readonly Announcement[];
  readonly points: readonly PointsMovement[];
  readonly effects: readonly StockEffect[];
}

/** Prices the cart of then, by the facts of then. */
function cartOfHistory(context: Context, facts: Facts, { request, placedAtMs, customer }: OrderHistory) {
  const lineOptions = request.lineItems.map((line) => facts.optionsById.get(line.productOptionId)!);
  return decideCart(
    request,
    [
      [facts.organization],
      [...new Set(lineOptions)],
      facts.taxes,
      facts.zones.get(request.postalCode ?? '')!,
      facts.paymentTypes,
      customer === null ? [] : facts.promotions.customerOf(customer.id, placedAtMs),
      // Limits are not checked: sales of that time were within the limits of that time.
      [],
      [],
      facts.promotions.offeredTo(request, placedAtMs),
      [],
    ],
    context.law.current,
    placedAtMs,
    true,
  );
}

function placedOrder(context: Context, history: OrderHistory, cart: DecidedCart): Promise<OrderRecord> {
  const { request, placedAtMs, customer } = history;
  return buildOrder(context, {
    orderId: history.orderId,
    nowMs: placedAtMs,
    request,
    placement: history.placement,
    cart,
    status: history.startsAs,
    customer:
      customer === null
        ? null
        : { id: customer.id, fullName: fullNameOf(customer.first_name, customer.last_name) },
  });
}

async function playHistory(context: Context, facts: Facts, history: OrderHistory): Promise<PlayedOrder> {
  const { placedAtMs } = history;
  const cart = cartOfHistory(context, facts, history);
  let order = await placedOrder(context, history, cart);
  // One for the task, one for its end, one for placing the order.
  const [taskId, ...transitionIds] = await context.ids.take(history.steps.length + 3);
  const nextId = (): number => transitionIds.shift()!;
  const announcements: Announcement[] = [];
  const points: PointsMovement[] = [];
  const effects: StockEffect[] = [];

  /** Moves the stock of a step, if it does. Resolves to the movements. */
  const move = async (direction: StepOnStock, causeId: number, atMs: number) => {
    if (direction === 'none') return [];
    if (direction === 'take') {
      const picks = pickStock(facts, order, history.locationIds);
      order = withStock(order, picks, facts.optionsById, await context.ids.take(picks.length));
    }
    const movements = stockMovements(order.fulfillments, direction);
    effects.push({ cause: direction === 'take' ? 'taken' : 'given-back', causeId, atMs, movements });
    if (direction === 'give-back') {
      putBack(facts, order);
      order = withoutStock(order);
    }
    return movements;
  };

  const keep = async (step: PlayedStep, stock: StepOnStock): Promise<void> => {
    const movements = await move(stock, step.id, step.atMs);
    announcements.push(announcementOf(history.orderId, step, movements));
  };

  const { startsAs } = history;
  await keep(
    { id: nextId(), action: 'create', fromStatus: null, toStatus: startsAs, atMs: placedAtMs },
    startsAs === 'new' ? 'take' : 'none',
  );
  for (const step of history.steps) {
    const { atMs } = step;
    const { status } = order.head;
    const keepDispatch = (after: OrderRecord): void => {
      announcements.push(dispatchAnnouncement(order, after));
    };
    if (step.action === 'dispatch') {
      const dispatched = afterDispatch(order, step.change, taskId!, atMs);
      keepDispatch(dispatched);
      order = dispatched;
      continue;
    }
    const { stock, to, promotions } = orderActionOf(step.action);
    const stepped = afterStep(order, step.action, step.by, atMs);
    if (stepped.dispatchTask !== order.dispatchTask) keepDispatch(stepped);
    const id = nextId();
    order = stepped;
    await keep({ id, action: step.action, fromStatus: status, toStatus: to, atMs }, stock);
    if (promotions === 'earn-points') {
      points.push(...pointsOf(order, facts.pointsPerDollar, { transitionId: id, atMs }));
    }
  }
  facts.promotions.remember(order);
  return { order, steps: stepsOf(cart.priced), announcements, points, effects };
}

function announcementOf(
  orderId: string,
  { id, action, fromStatus, toStatus }: PlayedStep,
  movements: readonly StockMovement[],
): Announcement {
  return {
    event: action === 'create' ? 'order.placed' : orderActionOf(action).event,
    auditId: id,
    subjectType: 'order',
    subjectId: orderId,
    payload: { orderId, status: toStatus, ...stockFacts(movements) },
    details: { from: fromStatus, to: toStatus },
  };
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
    ...insertOrders(played),
  );
  const announcements = played.flatMap((it) => it.announcements);
  await announce(tx, context, origin, context.clock.now(), ...announcements);
  await movePoints(tx, context, origin, ...played.flatMap(({ points }) => points));
  await moveStock(tx, context, origin, ...played.flatMap(({ effects }) => effects));
}
