import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import type { OrderRecord, ShownReturn } from '../orders/orders.ts';
import { sumCents } from '../pricing/cents.ts';
import {
  type RefundAmounts,
  type ReturnedShares,
  refundAmounts,
  sharesOfReturn,
  sumParts,
} from './return-amounts.ts';
import { type ChargeParts, chargedTaxes, lineCharges, paidCents } from './return-charges.ts';
import type { ReturnedLine } from './return-document.ts';
import { type PointShares, pointsOfReturn } from './return-points.ts';
import type { ReturnedLineRow, ReturnedSums } from './return-queries.ts';
import { type ReturnedFulfillment, stockOfReturn } from './return-stock.ts';
import { decideSettlement, type Settlement } from './settle-return.ts';

/** What is decided of a return without I/O. */

export interface ReturnRequest {
  readonly refundType: ShownReturn['refundType'];
  /** For `payment-method`, and only there. */
  readonly paymentTypeId: number | null;
  readonly lines: readonly ReturnedLine[];
  /** Negative: more for the customer. */
  readonly adjustmentCents: number;
  readonly adjustmentDescription: string;
  /** Makes a retry harmless; null: every request is a return of its own. */
  readonly idempotencyKey: string | null;
  /** Of who takes the goods back; left out, no limit of a role holds. */
  readonly role?: StaffRole;
}

/** A line of a request with its shares of what the order's line cost and of the stock that it took. */
export type LineToReturn = ReturnedLine & {
  readonly parts: ChargeParts;
  readonly stock: readonly ReturnedFulfillment[];
};

/** What a return is decided by, beside the order. */
export interface ReturnFacts {
  /** What came back of it before, and was not voided. */
  readonly returned: readonly ReturnedLineRow[];
  readonly sums: ReturnedSums;
  readonly paymentTypes: readonly { readonly id: number; readonly name: string }[];
  /** By the order. */
  readonly earnedPoints: string;
  /** The customer's points as they are. */
  readonly balance: string;
  /** Of the locations that the order's stock came from. */
  readonly openLocationIds: readonly number[];
}

export interface DecidedReturn {
  readonly paymentTypeName: string;
  readonly lines: readonly LineToReturn[];
  readonly amounts: RefundAmounts;
  readonly points: PointShares;
  readonly settlement: Settlement;
}

/**
 * Decides a return (D39). Fails with INVALID_PARAMS, PAYMENT_TYPE_NOT_FOUND, INVALID_ORDER_TRANSITION or
 * RETURN_QUANTITY_EXCEEDED, in this order (D13); with INVALID_PARAMS and INSUFFICIENT_PERMISSIONS also for what only
 * the amounts show.
 */
export function decideReturn(order: OrderRecord, request: ReturnRequest, facts: ReturnFacts): DecidedReturn {
  const { status, userId } = order.head;
  const { refundType } = request;
  const { returned, sums } = facts;
  refuseContradictions(order, request);
  const paymentTypeName = paymentTypeOf(order, request, facts.paymentTypes);
  if (status !== 'fulfilled') {
    throw failure('INVALID_ORDER_TRANSITION', `Of an order that is ${status} nothing can be returned`, {
      status,
      action: 'return',
    });
  }
  const lines = sharesOfLines(order, request.lines, returned);
  assertMoreWithinRole(order, request, sums);
  const amounts = decideAmounts(order, request, sumParts(lines.map(({ parts }) => parts)), sums);
  refuseArchivedLocations(order, lines, facts.openLocationIds);
  const parts = sumParts([...lines, ...returned.map(sharesOf)].map((it) => it.parts));
  const points = pointsOfReturn(order, facts.earnedPoints, parts, {
    earned: sums.earned_points,
    redeemed: sums.redeemed_points,
  });
  const settlement = decideSettlement({
    userId,
    refundType,
    refundCents: -amounts.refundTotalCents,
    storeCreditCents: sumCents(lines, (line) => line.parts.storeCreditsCents),
    points,
    balance: facts.balance,
  });
  return { paymentTypeName, lines, amounts, points, settlement };
}

/** What cannot be asked of the order, whatever its status. */
function refuseContradictions(
  { head, lines }: OrderRecord,
  { refundType, paymentTypeId, adjustmentCents, lines: wanted }: ReturnRequest,
): void {
  const strange = wanted.findIndex((entry) => !lines.some(({ id }) => id === entry.orderLineItemId));
  if (strange !== -1) {
    throw failure(
      'INVALID_PARAMS',
      `lineItems[${strange}].orderLineItemId must be the id of a line of this order`,
    );
  }
  if (refundType !== 'payment-method' && paymentTypeId !== null) {
    throw failure('INVALID_PARAMS', 'paymentTypeId must be left out unless refundType is payment-method');
  }
  if (refundType === 'none' && adjustmentCents !== 0) {
    throw failure('INVALID_PARAMS', 'adjustmentAmount must be 0 or left out when refundType is none');
  }
  if (refundType === 'store-credit' && head.userId === null) {
    throw failure('INVALID_PARAMS', 'refundType must not be store-credit: the order has no customer');
  }
}

/** A location that is archived takes nothing back. */
function refuseArchivedLocations(
  order: OrderRecord,
  lines: readonly LineToReturn[],
  openLocationIds: readonly number[],
): void {
  const shares = new Set(putBack(lines).map(({ fulfillmentId }) => fulfillmentId));
  const isOpen = order.fulfillments
    .filter(({ id }) => shares.has(id))
    .every(({ locationId }) => openLocationIds.includes(locationId));
  if (isOpen) return;
  const index = lines.findIndex(({ inventoryAction }) => inventoryAction === 'inventory');
  throw failure(
    'INVALID_PARAMS',
    `lineItems[${index}].inventoryAction must not be inventory: the location that the stock came from is archived`,
  );
}

/** One after the other, each as if those before it had come back already. */
function sharesOfLines(
  order: OrderRecord,
  wanted: readonly ReturnedLine[],
  returned: readonly ReturnedLineRow[],
): LineToReturn[] {
  const charges = new Map(lineCharges(order).map((charge) => [charge.orderLineItemId, charge]));
  const charged = chargedTaxes(order);
  const shares: ReturnedShares[] = returned.map(sharesOf);
  const stockShares = returned.flatMap((row) => row.fulfillment_shares);
  return wanted.map((entry, index) => {
    const line = order.lines.find(({ id }) => id === entry.orderLineItemId);
    const charge = charges.get(entry.orderLineItemId);
    assert(line !== undefined && charge !== undefined, 'a line of another order was refused');
    const ofLine = shares.filter(({ orderLineItemId }) => orderLineItemId === line.id);
    const returnable = line.quantity - sumCents(ofLine, ({ quantity }) => quantity);
    if (entry.quantity > returnable) {
      throw failure(
        'RETURN_QUANTITY_EXCEEDED',
        `lineItems[${index}].quantity must not be more than what is left to return of the line: ${returnable}`,
        { orderLineItemId: line.id, quantity: entry.quantity, returnable },
      );
    }
    const parts = sharesOfReturn(charge, ofLine, entry.quantity, charged);
    const stock = stockOfReturn(line, entry.quantity, order.fulfillments, stockShares);
    shares.push({ orderLineItemId: line.id, quantity: entry.quantity, parts });
    stockShares.push(...stock);
    return { ...entry, parts, stock };
  });
}

/** A row of a former return as the arithmetic takes it. */
function sharesOf(row: ReturnedLineRow): ReturnedShares {
  return {
    orderLineItemId: row.order_line_item_id,
    quantity: row.quantity,
    parts: {
      subtotalCents: row.subtotal_cents,
      adjustmentsCents: row.adjustments_cents,
      discountsCents: row.discounts_cents,
      loyaltyCents: row.loyalty_cents,
      promoCodesCents: row.promo_codes_cents,
      storeCreditsCents: row.store_credits_cents,
      taxes: row.tax_shares,
    },
  };
}

/** The amounts, within what was paid (D39). An adjustment may refund fees, which no line has. */
function decideAmounts(
  order: OrderRecord,
  { refundType, adjustmentCents }: ReturnRequest,
  shares: ChargeParts,
  { refunded_cents }: ReturnedSums,
): RefundAmounts {
  const charged = chargedTaxes(order);
  const refunds = refundType !== 'none';
  const amounts = refundAmounts(shares, charged, { refunds, adjustmentCents });
  if (!refunds) return amounts;
  const sharesCents = paidCents(shares, charged);
  if (amounts.refundTotalCents > 0) {
    throw failure(
      'INVALID_PARAMS',
      `adjustmentAmount must be at most ${sharesCents}: what is refunded for these goods`,
    );
  }
  const leftCents = order.head.customerGrandTotalCents - refunded_cents;
  if (-amounts.refundTotalCents > leftCents) {
    throw failure(
      'INVALID_PARAMS',
      `adjustmentAmount must be at least ${sharesCents - leftCents}: no more can be refunded than was paid`,
    );
  }
  return amounts;
}

/**
 * What a budtender refunds beyond the goods is fees that were not refunded yet: more would be a credit, which only
 * owners and managers give.
 */
function assertMoreWithinRole(
  { head }: OrderRecord,
  { role, adjustmentCents }: ReturnRequest,
  { refunded_beyond_cents }: ReturnedSums,
): void {
  if (role !== 'budtender' || adjustmentCents >= 0) return;
  const feesCents = (head.deliveryFeeCents ?? 0) + head.paymentFeesCents;
  const leftCents = Math.max(0, feesCents - refunded_beyond_cents);
  if (-adjustmentCents <= leftCents) return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The role ${role} may refund at most the fees that were not refunded yet beyond the goods: ${leftCents} cents; adjustmentAmount is ${adjustmentCents}`,
  );
}

/** How the return names the way that the money goes: empty unless by a payment type. */
function paymentTypeOf(
  order: OrderRecord,
  { refundType, paymentTypeId }: ReturnRequest,
  paymentTypes: readonly { readonly id: number; readonly name: string }[],
): string {
  if (refundType !== 'payment-method') return '';
  // Money can go back the way it came, also where that type has been archived since.
  const name =
    paymentTypes.find(({ id }) => id === paymentTypeId)?.name ??
    order.payments.find((payment) => payment.paymentTypeId === paymentTypeId)?.name;
  if (name === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
  return name;
}

/** The stock that goes back to be sold. */
export function putBack(lines: readonly LineToReturn[]): ReturnedFulfillment[] {
  return lines.flatMap(({ inventoryAction, stock }) => (inventoryAction === 'inventory' ? stock : []));
}
