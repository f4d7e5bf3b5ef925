import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { FactRows } from '../carts/cart-facts.ts';
import {
  assertLawful,
  assertOptionsKnown,
  cartFactStatements,
  decideCart,
  knownPaymentTypes,
  placesOf,
  selectCartCustomersOf,
} from '../carts/carts.ts';
import type { DecidedCart } from '../carts/decide-cart.ts';
import { selectSellableOptions, selectSoldOptions } from '../catalog/products.ts';
import { lockCustomer } from '../customers/customers.ts';
import {
  allocateStock,
  assertPackagesKnown,
  lockStockOfOptions,
  moveStock,
  selectLocations,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockFacts,
  stockGuard,
} from '../inventory/stock.ts';
import { assertNoOpenPayment } from '../payments/payments.ts';
import type { KeptDiscount } from '../promotions/kept-discounts.ts';
import {
  accountGuards,
  assertDiscountsKnown,
  discountCodeKeys,
  discountUsesGuards,
  giveBackPromotions,
  lockDiscountUses,
  offeredDiscountKeys,
  selectDiscountsById,
  selectOfferedDiscounts,
  usePromotions,
} from '../promotions/promotions.ts';
import { selectPaymentTypes, selectTaxes } from '../settings/terms-of-sale.ts';
import { buildOrder, type OrderRequest, stepsOf } from './build-order.ts';
import {
  assertAddressFits,
  changedFields,
  changesAmounts,
  type OrderChange,
  orderChanges,
  requestAfter,
  withIdentityOf,
} from './edited-order.ts';
import {
  keepStock,
  namedPackages,
  needsOfLines,
  onlyPlace,
  shortOfStock,
  stockMovements,
  withBlock,
  withMoreStock,
  withStock,
} from './held-stock.ts';
import { keptFacts } from './kept-terms.ts';
import { loadOrder, selectHasOtherOrders } from './loaded-order-queries.ts';
import { assertAllowed, editableStatuses } from './order-lifecycle.ts';
import { promotionsOf } from './order-promotions.ts';
import { replaceOrder, updateOrderHead } from './order-queries.ts';
import type { OrderRecord, OrderTerms, StaffName } from './order-record.ts';
import { assertGivenWithinRole, assertMayOverridePrices } from './staff-allowance.ts';
import { type StaffOrderRow, selectStaffOrder } from './staff-order-queries.ts';

/** The staff member who edits an order. */
interface EditBy {
  readonly staff: StaffName;
  readonly role: StaffRole;
}

interface Edit {
  readonly before: OrderRecord;
  readonly request: OrderRequest;
  readonly cause: { readonly transitionId: number; readonly atMs: number };
  /** Everything gets current prices; otherwise the order keeps its terms (D88). */
  readonly asOfNow: boolean;
}

/**
 * Changes a draft or new order (D25). Prices again what the change touches, on the order's terms (D88), and
 * stores the new amounts. Its credits and points are returned and taken again; the stock of a new
 * order changes by the difference. Everything happens in one transaction, under a lock on the order. Notes alone
 * change no amount.
 *
 * What the order used is returned at once, before the commit, so that every later read of the transaction sees the
 * facts without this order. The order of locks is the usual one: order, customer, counters, credits, stock.
 */
export async function editOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  change: OrderChange,
  by: EditBy,
): Promise<void> {
  await changeOrder(context, origin, organizationId, orderId, { change, asOfNow: false }, by);
}

/**
 * Gives a draft or new order current prices, sale prices, taxes, fees and discounts, and the credits that the customer has. From then
 * on these are the order's terms.
 */
export async function repriceOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  by: EditBy,
): Promise<void> {
  await changeOrder(context, origin, organizationId, orderId, { change: {}, asOfNow: true }, by);
}

/** What `repriceOrder` would make of an order, as staff see it, and what the order comes to before and after. Changes nothing. */
export async function previewReprice(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  by: EditBy,
): Promise<RepricePreview> {
  const preview = new Preview();
  try {
    await changeOrder(context, origin, organizationId, orderId, { change: {}, asOfNow: true, preview }, by);
  } catch (error) {
    if (error !== preview) throw error;
  }
  assert(preview.seen !== null, 'a preview is seen before it ends');
  return preview.seen;
}

interface RepricePreview {
  readonly row: StaffOrderRow;
  readonly beforeCents: number;
  readonly afterCents: number;
}

/** Ends the transaction of a preview. */
class Preview extends Error {
  seen: RepricePreview | null = null;
}

interface Change {
  readonly change: OrderChange;
  readonly asOfNow: boolean;
  readonly preview?: Preview;
}

async function changeOrder(
  context: Context,
  origin: Origin,
  organizationId: OrganizationId,
  orderId: string,
  { change, asOfNow, preview }: Change,
  by: EditBy,
): Promise<void> {
  await context.database.write(
    organizationId,
    async (tx) => {
      const before = await loadOrder(tx, orderId, { lock: true });
      if (before === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
      const nowMs = context.clock.now();
      if (!editableStatuses.includes(before.head.status)) await refuseStrangeNames(tx, change, nowMs);
      assertAllowed(before, 'edit', editableStatuses);
      refuseStaleEdit(origin, before.head.updatedAt);
      if (changedFields(change).length === 0 && !asOfNow) return;
      const request = requestAfter(before, change);
      const transitionId = await context.ids.takeOne();
      const edit: Edit = { before, request, cause: { transitionId, atMs: nowMs }, asOfNow };
      const isPriced = asOfNow || changesAmounts(change);
      if (preview !== undefined) {
        const after = await runNow(tx, (now) => priceAgain(now, context, origin, edit, change, by));
        const [[row]] = await tx.run(selectStaffOrder({ id: orderId }));
        const [beforeCents, afterCents] = [before, after].map(({ head }) => head.customerGrandTotalCents);
        preview.seen = { row: row!, beforeCents: beforeCents!, afterCents: afterCents! };
        throw preview;
      }
      // The route has ended payments at providers before; one that came meanwhile is in the way.
      if (isPriced) await assertNoOpenPayment(tx, orderId);
      const after = isPriced ? await priceAgain(tx, context, origin, edit, change, by) : withNotes(tx, edit);
      const { status } = before.head;
      await announce(tx, context, origin, nowMs, {
        event: 'order.updated',
        auditId: transitionId,
        subjectType: 'order',
        subjectId: orderId,
        payload: { orderId, status, ...stockFacts([...before.fulfillments, ...after.fulfillments]) },
        details: { orderId, ...orderChanges(before, after) },
      });
    },
    { retryOnConstraints: [stockGuard, ...discountUsesGuards, ...accountGuards] },
  );
}

/** D13: if the order cannot be edited, a reference to something that does not exist is still reported first. */
async function refuseStrangeNames(
  tx: TenantTransaction,
  { lineItems = [], chosenPackages = [], payments = [], discountIds = [] }: OrderChange,
  nowMs: number,
): Promise<void> {
  const optionIds = lineItems.map(({ productOptionId }) => productOptionId);
  const at = isoTimestamp(nowMs);
  const [options, paymentTypes, offered, packages] = await tx.run(
    selectSellableOptions({ optionIds }),
    selectPaymentTypes({}),
    selectOfferedDiscounts({ codeKeys: [], chosenIds: discountIds, at }),
    namedPackages(chosenPackages, at),
  );
  assertOptionsKnown(lineItems, new Map(options.map((row) => [row.option_id, row])));
  assertPackagesKnown(chosenPackages, packages);
  knownPaymentTypes(payments, paymentTypes);
  assertDiscountsKnown(discountIds, offered);
}

function withNotes(tx: TenantTransaction, { before, request, cause }: Edit): OrderRecord {
  const { deliveryNotes, internalNotes = null } = request;
  const after = { ...before, head: { ...before.head, deliveryNotes, internalNotes, updatedAt: cause.atMs } };
  tx.queue(...updateOrderHead(after));
  return after;
}

async function priceAgain(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  edit: Edit,
  change: OrderChange,
  by: EditBy,
): Promise<OrderRecord> {
  const { before, request, cause } = edit;
  const { id: orderId, userId, status } = before.head;
  const { chosenPackages = [] } = request;
  if (chosenPackages.length > 0) {
    const [packages] = await tx.run(namedPackages(chosenPackages, isoTimestamp(cause.atMs)));
    assertPackagesKnown(chosenPackages, packages);
  }
  await tx.run(userId === null ? null : lockCustomer({ id: userId }), lockDiscountUses(keysOfUses(edit)));
  const used = promotionsOf(before);
  // Uses that stay are not counted again: their limit may have become lower since.
  const givenBack = edit.asOfNow ? used : { ...used, discounts: [] };
  await runNow(tx, (now) => giveBackPromotions(now, context, origin, givenBack, cause));
  const law = context.law.current;
  const { facts, discounts, terms } = await readFacts(tx, law, edit, change);
  const cart = decideCart(request, facts, law, cause.atMs, true);
  assertAddressFits(before, change);
  // Reductions that stay count for the role that gave them; but a change of lines must not make them larger.
  const wasExempt = before.head.asked.taxExempt?.exempt === true;
  const exemptsAnew = change.taxExempt?.exempt === true && !wasExempt;
  assertMayOverridePrices(by.role, request.priceOverrides, before.head.asked.priceOverrides);
  const { discountIds, discountAmounts, adjustments, priceOverrides, lineReductions } = change;
  const given = [discountIds, discountAmounts, adjustments, priceOverrides, lineReductions];
  const givesAnew = given.some((it) => it !== undefined) || exemptsAnew;
  assertGivenWithinRole(cart, request, by.role, { former: givesAnew ? null : before, wasExempt });
  // The goods change hands when the order is fulfilled.
  const dutyRefusals = cart.dutyRefusals.filter(({ code }) => code !== 'OUTSIDE_SALE_HOURS');
  assertLawful({ ...cart, dutyRefusals });
  const fresh = await buildOrder(context, {
    orderId,
    nowMs: cause.atMs,
    request,
    placement: {
      organizationId: tx.organizationId,
      source: before.head.source,
      integrator: null,
      placedBy: by.staff,
      customerName: before.head.customerName,
    },
    cart,
    status,
    customer: null,
    ...(terms !== null && { terms: termsAfter(terms, discounts, cart) }),
  });
  const edited = withIdentityOf(before, fresh);
  const after = await moveHeldStock(tx, context, origin, edit, edited, cart);
  tx.queue(...replaceOrder({ order: after, steps: stepsOf(cart.priced) }));
  const uses = promotionsOf(after);
  if (edit.asOfNow) {
    await usePromotions(tx, context, origin, uses, cause);
    return after;
  }
  const without = (list: typeof uses.discounts, other: typeof uses.discounts) =>
    list.filter(({ discountId }) => !other.some((it) => it.discountId === discountId));
  const gone = { ...used, credits: [], redemptions: [], discounts: without(used.discounts, uses.discounts) };
  await giveBackPromotions(tx, context, origin, gone, cause);
  const added = { ...uses, discounts: without(uses.discounts, used.discounts) };
  await usePromotions(tx, context, origin, added, cause);
  return after;
}

/** The terms of the order after the edit: those of what it uses, and what it was asked for. */
function termsAfter(
  terms: OrderTerms,
  discounts: readonly KeptDiscount[],
  { priced }: DecidedCart,
): OrderTerms {
  const asked = discounts.filter(({ offered }) => offered.trigger !== 'automatic');
  const optionIds = priced.lines.map(({ productOptionId }) => productOptionId);
  return {
    ...terms,
    optionIds: terms.optionIds.filter((id) => optionIds.includes(id)),
    offered: [...new Set([...terms.offered, ...asked.map(({ offered }) => offered.id)])],
    discounts: discounts
      .filter(({ offered }) => priced.usedDiscountIds.includes(offered.id))
      .map(({ ofOrder }) => ofOrder),
  };
}

/**
 * The counters of the discounts that the order uses and may use. An edit locks them on its first try: it locks
 * stock before it counts, other writes count first, and the two would deadlock.
 */
function keysOfUses({ before, request, cause }: Edit) {
  const keys = offeredDiscountKeys(request, isoTimestamp(cause.atMs));
  const usedIds = before.discounts.map(({ discountId }) => discountId);
  return { ...keys, chosenIds: [...new Set([...keys.chosenIds, ...usedIds])] };
}

/** The facts of a new order, except for what the order keeps of its own terms; null: it keeps none. */
async function readFacts(
  tx: TenantTransaction,
  law: Law,
  { before, request, cause, asOfNow }: Edit,
  change: OrderChange,
): Promise<{ facts: FactRows; discounts: readonly KeptDiscount[]; terms: OrderTerms | null }> {
  const { id: exceptOrderId, userId } = before.head;
  const { terms } = before.head.asked;
  const at = isoTimestamp(terms.atMs);
  const usedIds = before.discounts.map(({ discountId }) => discountId);
  const [[others], discounts, taxes, customersThen, keptOptions, ...rows] = await tx.run(
    userId === null ? null : selectHasOtherOrders({ userId, exceptOrderId }),
    selectDiscountsById({
      ids: [...new Set([...terms.offered, ...usedIds])],
      codeKeys: discountCodeKeys(request),
    }),
    selectTaxes({}),
    userId === null ? null : selectCartCustomersOf({ ids: [userId], at }),
    selectSoldOptions({ optionIds: before.lines.map(({ productOptionId }) => productOptionId) }),
    ...cartFactStatements(request, law, cause.atMs, exceptOrderId),
  );
  const [organization, options, taxesNow, zone, paymentTypes, customers, ...rest] = rows;
  const withoutThis = customers.map((row) => ({ ...row, has_ordered: others?.has_ordered === true }));
  const now: FactRows = [organization, options, taxesNow, zone, paymentTypes, withoutThis, ...rest];
  if (asOfNow) return { facts: now, discounts: [], terms: null };
  const kept = { discounts, taxes, customers: customersThen, options: keptOptions };
  return keptFacts(before, change, request, now, kept, cause.atMs);
}

/**
 * The stock of a new order follows its lines. Lines keep their packages; the stock taken last is returned
 * first; more stock comes from the oldest package at the order's current locations. A draft holds no stock, but
 * is refused when stock is short (D21).
 */
async function moveHeldStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { before, request, cause }: Edit,
  edited: OrderRecord,
  cart: DecidedCart,
): Promise<OrderRecord> {
  const { transitionId: causeId, atMs } = cause;
  const { inventoryLocationId = null, chosenPackages = [] } = request;
  const at = isoTimestamp(atMs);
  const holds = edited.head.status === 'new';
  const { kept, released, missing } = holds
    ? keepStock(before.fulfillments, edited.lines, chosenPackages)
    : { kept: [], released: [], missing: needsOfLines(edited.lines, chosenPackages) };
  const optionIds = [...before.lines, ...edited.lines].map(({ productOptionId }) => productOptionId);
  if (holds) {
    await tx.run(lockStockOfOptions({ optionIds }));
    const movements = stockMovements(released, 'give-back');
    await runNow(tx, (now) =>
      moveStock(now, context, origin, { cause: 'given-back', causeId, atMs, movements }),
    );
  }
  const [locations, stock, known, packages] = await tx.run(
    selectOrderTypeLocations({}),
    selectSellableStockOfOptions({ optionIds, at }),
    inventoryLocationId === null ? null : selectLocations({}),
    namedPackages(chosenPackages, at),
  );
  const places =
    inventoryLocationId === null
      ? placesOf(request.type, cart.zone, locations)
      : onlyPlace(inventoryLocationId, known);
  const verdict = allocateStock(missing, stock, places);
  if (!verdict.ok) throw await withBlock(tx, shortOfStock(edited.lines, verdict, missing, packages, places));
  if (!holds) return edited;
  const ids = await context.ids.take(verdict.picks.length);
  const added = withStock(edited, verdict.picks, cart.options, ids);
  await moveStock(tx, context, origin, {
    cause: 'taken',
    causeId,
    atMs,
    movements: stockMovements(added.fulfillments, 'take'),
  });
  return withMoreStock(before, edited, kept, added);
}

/** Runs at once the statements that `work` queues for the commit. */
async function runNow<Result>(
  tx: TenantTransaction,
  work: (now: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const statements: BoundStatement<unknown>[] = [];
  const result = await work({
    ...tx,
    queue: (...more) => {
      statements.push(...more);
    },
  });
  if (statements.length > 0) await tx.run(...statements);
  return result;
}
