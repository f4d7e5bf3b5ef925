import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { placesOf } from '../carts/carts.ts';
import { selectSellableOptions } from '../catalog/products.ts';
import { lockCustomer } from '../customers/customers.ts';
import { spendGiftCards } from '../gift-cards/gift-cards.ts';
import type { StockMovement } from '../inventory/move-stock.ts';
import {
  allocateStock,
  assertPlaceForGoods,
  holdPlacesForGoods,
  lockedBalances,
  lockStockOfOptions,
  moveStock,
  placeOfGoodsBack,
  placesAskedFor,
  selectLocations,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockFacts,
  stockGuard,
} from '../inventory/stock.ts';
import { returnMoneyOfOrder, settleOrderMoney } from '../payments/payments.ts';
import {
  discountUsesGuards,
  giveBackPromotions,
  movePoints,
  selectLoyaltyProgram,
} from '../promotions/promotions.ts';
import { recordAtRegister } from '../registers/registers.ts';
import { postalCodePatterns, selectDeliveryZone } from '../settings/terms-of-sale.ts';
import type { StepBy, StepSettings } from './actions/order-action.ts';
import { type OrderActionId, orderActionOf } from './actions/order-actions.ts';
import { dispatchAnnouncement } from './dispatch-order.ts';
import {
  namedPackages,
  needsOfLines,
  onlyPlace,
  refuseBlocked,
  shortOfStock,
  stockMovements,
  together,
  withBlock,
  withoutStock,
  withStock,
} from './held-stock.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { tellCustomer } from './mail-order.ts';
import { afterStep, assertAllowed } from './order-lifecycle.ts';
import { setOrderChange } from './order-mail-queries.ts';
import { lawfulPointsPerDollar, pointsOf, promotionsOf } from './order-promotions.ts';
import { updateDispatchTask, updateOrder } from './order-queries.ts';
import type { OrderRecord } from './order-record.ts';
import { recheckLimits } from './recheck-limits.ts';
import { reportOrder } from './report-order.ts';
import { changeOf, paidCents, takePayments } from './take-payments.ts';
import { assertVoidable, undoSale } from './undo-sale.ts';

/**
 * Takes one step of an order's life (D24), under a lock on the order. If two staff act at once, one succeeds;
 * the other gets 409 INVALID_ORDER_TRANSITION with the new status. Stock is taken or returned in the same
 * transaction, with the step as its cause, so it cannot happen twice. The same holds for the uses of discounts,
 * credits and points that a canceled order returns, and the points that a fulfilled order earns. The step also
 * ends the dispatch task (D26).
 */
export async function stepOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  actionId: OrderActionId,
  by: StepBy,
  settings: StepSettings = {},
): Promise<OrderRecord> {
  const { stock: onStock, promotions, money } = orderActionOf(actionId);
  return context.database.write(
    organizationId,
    async (tx) => {
      const before = await lockedOrder(tx, orderId, settings);
      if (settings.from !== undefined) assertAllowed(before, actionId, settings.from);
      const nowMs = context.clock.now();
      const after = await decideStep(tx, context, before, { actionId, by, settings, nowMs });
      const back = promotions === 'undo-sale' ? await withPlacesOfGoods(tx, before, settings) : before;
      const moved =
        onStock === 'none' ? [] : stockMovements((onStock === 'take' ? after : back).fulfillments, onStock);
      const step = { actionId, before, after, moved, settings, nowMs };
      const transitionId = await writeStep(tx, context, origin, step);
      const cause = { transitionId, atMs: nowMs };
      if (promotions === 'give-back') {
        await giveBackPromotions(tx, context, origin, promotionsOf(before), cause);
      }
      if (promotions === 'undo-sale') {
        assert(by.staff !== null, 'only staff void a sale');
        await undoSale(tx, context, origin, before, { ...cause, staffId: by.staff.id });
      }
      if (promotions === 'earn-points') {
        const [[program], [organization]] = await tx.run(selectLoyaltyProgram({}), selectOrganization({}));
        const rate = program?.points_per_dollar;
        const lawful = lawfulPointsPerDollar(context.law.current, organization!, after, rate, nowMs);
        await movePoints(tx, context, origin, ...pointsOf(after, lawful, cause));
      }
      if (money === 'settle') {
        await settleMoney(tx, context, after, settings);
        await spendCards(tx, context, origin, after, { by, settings, nowMs });
      }
      if (money === 'give-back') {
        const asked = { orderId, reason: 'order-canceled', staffId: by.staff?.id ?? null };
        await returnMoneyOfOrder(tx, context, origin, asked);
      }
      if (onStock !== 'none') {
        await moveStock(tx, context, origin, {
          cause: onStock === 'take' ? 'taken' : 'given-back',
          causeId: transitionId,
          atMs: nowMs,
          movements: moved,
        });
      }
      if (settings.registerId !== undefined && by.staff !== null) {
        await recordAtRegister(tx, context, {
          registerId: settings.registerId,
          kind: 'sale',
          orderId,
          orderReturnId: null,
          staffId: by.staff.id,
          atMs: nowMs,
          payments: after.payments.map((payment) => ({
            paymentTypeId: payment.paymentTypeId,
            amountCents: paidCents(payment),
          })),
        });
      }
      if (actionId === 'fulfill') await reportOrder(tx, context, after, () => [], nowMs);
      // Of a sale that was undone nothing is left to report.
      if (promotions === 'undo-sale')
        await reportOrder(tx, context, { ...before, lines: [] }, () => [], nowMs);
      await tellOfStep(tx, context, after, actionId, settings, nowMs);
      return after;
    },
    { retryOnConstraints: [stockGuard, ...discountUsesGuards] },
  );
}

/** The sale with its stock where it goes now, whose balances are there then: never into a vehicle, from which it may have been delivered. */
async function withPlacesOfGoods(
  tx: TenantTransaction,
  sale: OrderRecord,
  { inventoryLocationId }: StepSettings,
): Promise<OrderRecord> {
  const named = inventoryLocationId ?? null;
  const { head, fulfillments } = sale;
  const ids = placesAskedFor(fulfillments, named);
  const [open] = await tx.run(holdPlacesForGoods({ ids, orderType: head.type }));
  if (named !== null) assertPlaceForGoods(named, open, 'inventoryLocationId');
  const placed = fulfillments.map((part) => {
    const locationId = named ?? placeOfGoodsBack(part, open);
    if (locationId === null) {
      const words =
        'inventoryLocationId must name where the goods go: the location they came from is archived';
      throw failure('INVALID_PARAMS', words);
    }
    return { ...part, locationId };
  });
  const back = { ...sale, fulfillments: together(placed) };
  await lockedBalances(tx, stockMovements(back.fulfillments, 'give-back'));
  return back;
}

/** Holds how the order is paid against what providers took. */
function settleMoney(
  tx: TenantTransaction,
  context: Context,
  { head, payments }: OrderRecord,
  { leavesUnknownPayment = false }: StepSettings,
): Promise<void> {
  const moved = payments.filter(({ orderReturnId }) => orderReturnId === null);
  const paid = moved.map(({ paymentTypeId, finalAmountCents: amountCents }) => ({
    paymentTypeId,
    amountCents,
  }));
  return settleOrderMoney(tx, context, head.id, paid, { leavesUnknown: leavesUnknownPayment });
}

/** Takes what gift cards pay off them. */
async function spendCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { head, payments }: OrderRecord,
  { by, settings, nowMs }: Omit<Step, 'actionId'>,
): Promise<void> {
  const spent = (settings.payments ?? []).flatMap(({ giftCard }, index) => {
    const { paymentTypeId, finalAmountCents: amountCents } = payments[index]!;
    return giftCard === null || amountCents === 0 ? [] : [{ code: giftCard, paymentTypeId, amountCents }];
  });
  if (spent.length === 0) return;
  assert(by.staff !== null, 'only staff take gift cards');
  const cards = { orderId: head.id, staffId: by.staff.id, atMs: nowMs, payments: spent };
  await spendGiftCards(tx, context, origin, cards);
}

/** Mails the customer what the action tells. A pickup is ready when it is packed; a delivery goes out later. */
async function tellOfStep(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  actionId: OrderActionId,
  { payments }: StepSettings,
  nowMs: number,
): Promise<void> {
  const { tells } = orderActionOf(actionId);
  if (tells === undefined || (tells === 'ready' && order.head.type !== 'pickup')) return;
  if (tells !== 'receipt') return tellCustomer(tx, context, order, tells, nowMs);
  const isCounted = payments?.some(({ tenderedCents }) => tenderedCents !== null) ?? false;
  const changeCents = payments !== undefined && isCounted ? changeOf(order.payments, payments) : null;
  if (changeCents !== null) tx.queue(setOrderChange({ id: order.head.id, changeCents }));
  await tellCustomer(tx, context, order, { receipt: { changeCents } }, nowMs);
}

/** The order, locked until the commit. An order of another integrator does not exist for this one. */
async function lockedOrder(
  tx: TenantTransaction,
  orderId: string,
  { ofIntegrator }: StepSettings,
): Promise<OrderRecord> {
  const order = await loadOrder(tx, orderId, { lock: true });
  if (order === null || (ofIntegrator !== undefined && order.head.integratorId !== ofIntegrator)) {
    throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  }
  return order;
}

interface Step {
  readonly actionId: OrderActionId;
  readonly by: StepBy;
  readonly settings: StepSettings;
  readonly nowMs: number;
}

/** The order after the step, or the refusal: the payments, the status, the customer, the limits, then the stock. */
async function decideStep(
  tx: TenantTransaction,
  context: Context,
  before: OrderRecord,
  { actionId, by, settings, nowMs: toldAtMs }: Step,
): Promise<OrderRecord> {
  const { stock, promotions, money, from, checksLimits } = orderActionOf(actionId);
  const { inventoryLocationId, payments, exchange, occurredAtMs: nowMs = toldAtMs } = settings;
  const paid =
    money === 'settle' ? await takePayments(tx, context, before, payments, nowMs, exchange) : before;
  // An unknown location is reported first (D13); an allowed step finds it when it takes the stock.
  if (!from.includes(before.head.status) && inventoryLocationId !== undefined) {
    const [known] = await tx.run(selectLocations({}));
    onlyPlace(inventoryLocationId, known);
  }
  const judged = withLaw(afterStep(paid, actionId, by, nowMs, settings), checksLimits, context.law.current);
  // Who copies orders by their last change reads it again, also when it is told later.
  const stepped = { ...judged, head: { ...judged.head, updatedAt: toldAtMs } };
  // D24: credits and points return to the customer's account, which orders lock before they read it.
  if (promotions === 'undo-sale') await assertVoidable(tx, before, nowMs);
  if ((promotions === 'give-back' || promotions === 'undo-sale') && before.head.userId !== null) {
    await tx.run(lockCustomer({ id: before.head.userId }));
  }
  if (checksLimits)
    await recheckLimits(tx, context.law.current, before, nowMs, settings.idCheck !== undefined);
  if (actionId === 'pack' || actionId === 'fulfill')
    await refuseBlocked(
      tx,
      before.fulfillments.map(({ packageId }) => packageId),
    );
  if (stock === 'take') return takeStock(tx, context, stepped, nowMs);
  return stock === 'give-back' ? withoutStock(stepped) : stepped;
}

/** The order keeps the edition of the law that judged its hand-over. */
function withLaw(order: OrderRecord, isJudged: boolean, { edition }: Law): OrderRecord {
  return isJudged ? { ...order, head: { ...order.head, lawEdition: edition.edition } } : order;
}

interface DecidedStep extends Omit<Step, 'by'> {
  readonly before: OrderRecord;
  readonly after: OrderRecord;
  readonly moved: readonly StockMovement[];
}

/** Queues the changed rows and the announcement. Returns the id of the audit entry, the cause of what the step moves. */
async function writeStep(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { actionId, before, after, moved, settings: { exchange }, nowMs }: DecidedStep,
): Promise<number> {
  const { stock, to, event } = orderActionOf(actionId);
  const { id: orderId, status } = before.head;
  const endsTask = after.dispatchTask !== before.dispatchTask;
  const transitionId = await context.ids.takeOne();
  tx.queue(
    ...updateOrder(after, stock, after.payments !== before.payments),
    ...(endsTask ? updateDispatchTask(after) : []),
  );
  await announce(tx, context, origin, nowMs, ...(endsTask ? [dispatchAnnouncement(before, after)] : []), {
    event,
    auditId: transitionId,
    subjectType: 'order',
    subjectId: orderId,
    payload: { orderId, status: to, ...stockFacts(moved) },
    details: {
      ...{ from: status, to },
      ...(exchange && { returnedOrderId: exchange.returnedOrderId, exchanged: exchange.cents }),
    },
  });
  return transitionId;
}

async function takeStock(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  nowMs: number,
): Promise<OrderRecord> {
  const optionIds = order.lines.map((line) => line.productOptionId);
  const { type, postalCode } = order.head;
  const { inventoryLocationId, chosenPackages = [] } = order.head.asked;
  const at = isoTimestamp(nowMs);
  const [, options, locations, [zone], stock, known, packages] = await tx.run(
    tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
    selectSellableOptions({ optionIds }),
    selectOrderTypeLocations({}),
    postalCode === null ? null : selectDeliveryZone({ patterns: postalCodePatterns(postalCode) }),
    selectSellableStockOfOptions({ optionIds, at }),
    inventoryLocationId === null ? null : selectLocations({}),
    namedPackages(chosenPackages, at),
  );
  const places =
    inventoryLocationId === null ? placesOf(type, zone, locations) : onlyPlace(inventoryLocationId, known);
  const needs = needsOfLines(order.lines, chosenPackages);
  const verdict = allocateStock(needs, stock, places);
  if (!verdict.ok) throw await withBlock(tx, shortOfStock(order.lines, verdict, needs, packages, places));
  const ids = await context.ids.take(verdict.picks.length);
  return withStock(order, verdict.picks, new Map(options.map((row) => [row.option_id, row])), ids);
}
