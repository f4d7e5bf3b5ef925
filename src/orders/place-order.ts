import { v7 as uuidV7 } from 'uuid';
import { optionLabel } from '../catalog/products.ts';
import { customerUniqueConstraints, rememberCustomer } from '../customers/customers.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import {
  allocateStock,
  lockStockOfOptions,
  moveStock,
  selectOrderTypeLocations,
  selectSellableStockOfOptions,
  stockGuard,
} from '../inventory/stock.ts';
import { assert } from '../kernel/assert.ts';
import { canonicalDecimalText } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { needsOfLines, outOfStock, placesOf, stockMovements, withStock } from './held-stock.ts';
import {
  claimIdempotencyKey,
  insertOrders,
  insertTransitions,
  loadOrder,
  selectClaimedOrder,
} from './order-queries.ts';
import type { OrderLine, OrderRecord, OrderSource, OrderStatus, StaffName } from './order-record.ts';
import { type CartRequest, cartFactStatements, type DecidedCart, decideCart } from './price-request.ts';

/** An order as it is asked for (D19). */
export interface OrderRequest extends CartRequest {
  readonly address: {
    readonly street1: string;
    readonly street2: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  } | null;
  readonly deliveryNotes: string | null;
  readonly expectedCustomerGrandTotalCents: number | null;
}

/** Where an order comes from (D23). */
export interface Placement {
  readonly organizationId: OrganizationId;
  readonly source: OrderSource;
  /** The integrator behind the keys, with the key that makes a retry harmless (D22); null for the staff's own. */
  readonly integrator: {
    readonly id: number;
    readonly name: string;
    readonly idempotencyKey: string;
  } | null;
  /** The staff member who took the order; null for an integrator's or the customer's own. */
  readonly placedBy: StaffName | null;
  /** The name that a customer without a profile left. */
  readonly customerName: string | null;
}

/**
 * Places an order (D18–D23, D25, D27, D28, D30, D33): claims the key, decides on the facts of the same
 * transaction, and writes order, customer, stock, ledger, audit and event together. Two round trips.
 *
 * Stock: the first try decrements without a lock, so buyers of well-stocked goods do not wait for each other
 * while one of them thinks; the balance's check refuses a decrement below zero. Whoever trips it tries again
 * with the balances locked, and then knows for certain whether it is OUT_OF_STOCK.
 */
export async function placeOrder(
  context: Context,
  origin: Origin,
  placement: Placement,
  request: OrderRequest,
): Promise<{ readonly order: OrderRecord; readonly replayed: boolean }> {
  const { integrator } = placement;
  return context.database.write(
    placement.organizationId,
    async (tx) => {
      const nowMs = context.clock.now();
      const orderId = uuidV7({ msecs: nowMs, random: context.randomBytes(16) });
      const optionIds = [...new Set(request.lineItems.map((line) => line.productOptionId))];
      // The claim comes before all other work (D22), also before the lock of a second try: whoever holds
      // the key never waits for somebody who waits for the key.
      const [claimed, , locations, stock, ...facts] = await tx.run(
        integrator === null
          ? null
          : claimIdempotencyKey({
              integratorId: integrator.id,
              idempotencyKey: integrator.idempotencyKey,
              orderId,
            }),
        tx.attempt > 1 ? lockStockOfOptions({ optionIds }) : null,
        selectOrderTypeLocations({}),
        selectSellableStockOfOptions({ optionIds, at: isoTimestamp(nowMs) }),
        ...cartFactStatements(request, nowMs),
      );
      if (integrator !== null && claimed.length === 0) return replay(tx, integrator);

      const cart = decideCart(request, facts, nowMs, false);
      if (!cart.metOrderMinimum) {
        throw failure(
          'ORDER_MINIMUM_NOT_MET',
          `The order minimum of ${dollars(cart.orderMinimumCents)} is not met: the cart comes to ${dollars(cart.priced.merchandiseCents)}`,
          { minimum: dollars(cart.orderMinimumCents) },
        );
      }
      const actual = cart.priced.customerGrandTotalCents;
      const expected = request.expectedCustomerGrandTotalCents;
      if (expected !== null && expected !== actual) {
        throw failure('PRICE_CHANGED', `The order would cost ${actual} cents, not ${expected}`, {
          expected,
          actual,
        });
      }
      const locationIds = placesOf(request.type, cart.zone, locations);
      // D21; what is sold over the counter leaves the stock at once.
      const status: OrderStatus = {
        delivery: cart.organization.delivery_status_on_creation,
        pickup: cart.organization.pickup_status_on_creation,
        'in-store': 'new' as const,
      }[request.type];
      const customer =
        request.customer === null
          ? null
          : await rememberCustomer(tx, context, origin, nowMs, request.customer, cart.customerCandidates);
      const draft = await buildOrder(context, { orderId, nowMs, request, placement, cart, status, customer });
      // D21: a draft takes nothing, but is refused all the same when it could not be served.
      const verdict = allocateStock(needsOfLines(draft.lines), stock, locationIds);
      if (!verdict.ok) throw outOfStock(draft.lines[verdict.shortLineIndex]!);
      const order =
        status === 'new'
          ? withStock(draft, verdict.picks, cart.options, await context.ids.take(verdict.picks.length))
          : draft;
      const transitionId = await context.ids.takeOne();
      tx.queue(
        ...insertOrders([order]),
        ...insertTransitions([
          {
            orderId,
            id: transitionId,
            action: 'create',
            fromStatus: null,
            toStatus: status,
            actor: origin.actor,
            createdAt: isoTimestamp(nowMs),
          },
        ]),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'order.placed',
        subjectType: 'order',
        subjectId: orderId,
        payload: { orderId, status, type: request.type, source: order.head.source },
      });
      // Last, so that hot balances stay locked for as little of the transaction as possible.
      await moveStock(tx, context, origin, {
        cause: 'taken',
        causeId: transitionId,
        atMs: nowMs,
        movements: stockMovements(order.fulfillments, 'take'),
      });
      return { order, replayed: false };
    },
    { retryOnConstraints: [stockGuard, ...customerUniqueConstraints] },
  );
}

/** D22: the order that the key stands for, as it is now. */
async function replay(tx: TenantTransaction, { id, idempotencyKey }: NonNullable<Placement['integrator']>) {
  const [[claimed]] = await tx.run(selectClaimedOrder({ integratorId: id, idempotencyKey }));
  assert(claimed !== undefined, 'a taken key names an order');
  const order = await loadOrder(tx, claimed.order_id, { lock: false });
  assert(order !== null, 'a key and its order are written together');
  return { order, replayed: true };
}

export interface OrderParts {
  readonly orderId: string;
  readonly nowMs: number;
  readonly request: OrderRequest;
  readonly placement: Placement;
  readonly cart: DecidedCart;
  readonly status: OrderStatus;
  readonly customer: { readonly id: number; readonly fullName: string } | null;
}

/** The order as decided, before any stock is taken for it. */
export async function buildOrder(context: Context, parts: OrderParts): Promise<OrderRecord> {
  const { cart, nowMs, request, placement } = parts;
  const { priced } = cart;
  const ids = await context.ids.take(
    priced.lines.length + priced.taxes.length + priced.adjustments.length + priced.payments.length,
  );
  const nextId = (): number => ids.pop()!;
  // Ids are handed out from the end; reversing first keeps them ascending in every list.
  ids.reverse();
  const stamps = { createdAt: nowMs, updatedAt: nowMs };

  const lines = priced.lines.map((line, position): OrderLine => {
    const option = cart.options.get(line.productOptionId)!;
    return {
      id: nextId(),
      position,
      productOptionId: line.productOptionId,
      productId: line.productId,
      quantity: line.quantity,
      productName: option.product_name,
      productUnit: option.product_unit,
      productStrainType: option.product_strain_type,
      productIsFeatured: option.product_is_featured,
      productCategoryId: option.category_id,
      productCategoryName: option.category_name,
      productCannabisType: option.cannabis_type,
      productSubCategoryIds: option.sub_category_ids,
      productBrand: option.brand_name,
      productBrandId: option.brand_id,
      optionName: optionLabel(option.option_name, option.option_amount, option.product_unit),
      optionAmount: canonicalDecimalText(option.option_amount),
      optionContent: option.option_content,
      optionPriceCents: option.price_cents,
      optionSalesPriceCents: option.sales_price_cents,
      inventoryType: option.inventory_type,
      unitPriceCents: line.unitPriceCents,
      subtotalPriceCents: line.subtotalPriceCents,
      finalPriceCents: line.finalPriceCents,
      grossCents: line.grossCents,
      taxAllocations: line.taxAllocations,
      productMovingAverageCost: null,
      optionMovingAverageCost: null,
      packageLineCost: null,
      ...stamps,
    };
  });
  return {
    organizationId: placement.organizationId,
    customerFullName: parts.customer?.fullName ?? null,
    placedBy: placement.placedBy,
    fulfilledBy: null,
    lines,
    fulfillments: [],
    taxes: priced.taxes.map((tax, position) => ({
      id: nextId(),
      position,
      taxId: tax.id,
      description: tax.description,
      rate: tax.rate,
      normalRate: tax.normalRate,
      tier: tax.tier,
      type: tax.type,
      amountCents: tax.amountCents,
      amountBeforeExemptionCents: tax.amountBeforeExemptionCents,
      amountExemptedCents: tax.amountExemptedCents,
      feeAllocationCents: tax.feeAllocationCents,
      included: tax.included,
      exemptable: tax.exemptable,
      encompass: tax.encompass,
      excludedCategoryIds: tax.excludedProductCategoryIds,
      nonExemptableCategoryIds: tax.nonExemptableProductCategoryIds,
      ...stamps,
    })),
    adjustments: priced.adjustments.map((adjustment, position) => ({
      id: nextId(),
      position,
      amountCents: adjustment.amountCents,
      description: adjustment.description,
      isTaxExemption: adjustment.isTaxExemption,
      taxId: adjustment.taxId,
      adminId: null,
      ...stamps,
    })),
    payments: priced.payments.map((payment, position) => ({
      id: nextId(),
      position,
      paymentTypeId: payment.paymentTypeId,
      name: payment.name,
      amountCents: payment.amountCents,
      finalAmountCents: payment.finalAmountCents,
      feeCents: payment.feeCents,
      feePercent: payment.feePercent,
      feeAmountCents: payment.feeAmountCents,
      feeDescription: payment.feeDescription,
      createdAt: nowMs,
    })),
    head: {
      id: parts.orderId,
      userId: parts.customer?.id ?? null,
      type: request.type,
      source: placement.source,
      status: parts.status,
      integratorId: placement.integrator?.id ?? null,
      apiConsumerName: placement.integrator?.name ?? null,
      idempotencyKey: placement.integrator?.idempotencyKey ?? null,
      totalPriceCents: priced.totalPriceCents,
      netPriceCents: priced.netPriceCents,
      customerGrandTotalCents: priced.customerGrandTotalCents,
      merchandiseCents: priced.merchandiseCents,
      discountsTotalCents: priced.discountsTotalCents,
      paymentFeesCents: priced.paymentFeesCents,
      deliveryFeeCents: cart.deliveryFee?.cents ?? null,
      deliveryFeeDescription: cart.deliveryFee?.description ?? null,
      deliveryNotes: request.deliveryNotes,
      taxExempt: cart.taxExempt,
      isMedical: cart.isMedical,
      customerName: placement.customerName,
      street1: request.address?.street1 ?? null,
      street2: request.address?.street2 ?? null,
      city: request.address?.city ?? null,
      addressState: request.address?.state ?? null,
      postalCode: request.address?.postalCode ?? null,
      placedByStaffId: placement.placedBy?.id ?? null,
      packedByStaffId: null,
      fulfilledByStaffId: null,
      cancelAdminId: null,
      cancelationReason: null,
      ...stamps,
      packedAt: null,
      fulfilledAt: null,
      canceledAt: null,
    },
  };
}

/** "$75", "$75.50": how the catalogue of errors writes a minimum (D12). */
function dollars(cents: number): string {
  const whole = Math.floor(cents / 100);
  const rest = cents % 100;
  return rest === 0 ? `$${whole}` : `$${whole}.${String(rest).padStart(2, '0')}`;
}
