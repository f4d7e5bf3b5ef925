import {
  type CashRounding,
  cashRefundRoundingCents,
  cashRoundingCents,
} from '../../engines/offline-pricing/cash-rounding.ts';
import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import { assertPlaceForGoods, placeOfGoodsBack } from '../inventory/stock.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { ShownReturn } from '../orders/order-return-schema.ts';
import { type BrokenReward, brokenRewards } from './broken-rewards.ts';
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
import { defaultAction, isPutBack, type ReturnedFulfillment, stockOfReturn } from './return-stock.ts';
import { decideSettlement, type Settlement } from './settle-return.ts';

/** Decides a return without I/O. */

/** A line of the request; without an action, the goods decide it. */
type RequestedLine = Omit<ReturnedLine, 'inventoryAction'> & Partial<Pick<ReturnedLine, 'inventoryAction'>>;

export interface ReturnRequest {
  readonly refundType: ShownReturn['refundType'];
  /** Set for `payment-method` only. */
  readonly paymentTypeId: number | null;
  readonly lines: readonly RequestedLine[];
  /** Negative: the customer gets more. */
  readonly adjustmentCents: number;
  readonly adjustmentDescription: string;
  /** Whether the customer keeps rewards whose condition the return breaks (D89); absent: they do. */
  readonly brokenRewards?: 'keep' | 'take-back';
  /** Makes a retry return the first result; null: every request is a separate return. */
  readonly idempotencyKey: string | null;
  /** Where goods for sale again go; null or absent: where they came from. */
  readonly inventoryLocationId?: number | null;
  /** The code of the gift card that gets the refund; absent: the cards that the order was paid with. */
  readonly giftCard?: string | null;
  /** The register that gives the money back; null: none (D74). */
  readonly registerId?: number | null;
  /** The part of the refund that pays for other goods in an exchange; absent: none. */
  readonly exchangedCents?: number;
  /** Role of the staff member who takes the goods back; absent: no role limit applies. */
  readonly role?: StaffRole;
}

/** A requested line with its shares of the order line's amounts and of the stock that the line took. */
export type LineToReturn = ReturnedLine & {
  readonly parts: ChargeParts;
  readonly stock: readonly ReturnedFulfillment[];
};

type OpenPlaces = Parameters<typeof placeOfGoodsBack>[1];

/** A way to give money back; `cashRounding` null: not in cash. */
interface RefundType {
  readonly id: number;
  readonly name: string;
  readonly cashRounding: CashRounding | null;
  readonly takesGiftCards: boolean;
}

/** The facts that decide a return, besides the order. */
export interface ReturnFacts {
  /** Earlier returns of the order that are not voided. */
  readonly returned: readonly ReturnedLineRow[];
  readonly sums: ReturnedSums;
  readonly paymentTypes: readonly RefundType[];
  /** Earned and redeemed by the order. */
  readonly earnedPoints: string;
  /** The customer's current points. */
  readonly balance: string;
  readonly owedPointCents: number | null;
  /** Where its stock can go. */
  readonly openPlaces: OpenPlaces;
}

export interface DecidedReturn {
  readonly paymentTypeName: string;
  readonly lines: readonly LineToReturn[];
  readonly amounts: RefundAmounts;
  readonly points: PointShares;
  readonly settlement: Settlement;
  readonly broken: readonly BrokenReward[];
  /** The request's adjustment with what is taken back for rewards and points. */
  readonly adjustment: RefundAdjustment;
  /** What rounding adds to a refund in cash; null: not in cash. */
  readonly cashRoundingCents: number | null;
}

/** The adjustment of a refund, in cents: positive reduces it. */
interface RefundAdjustment {
  readonly adjustmentCents: number;
  readonly adjustmentDescription: string;
  /** The part for rewards; negative: what earlier returns took back and this one gives. */
  readonly rewardTakenBackCents: number;
  /** The part for points that are owed. */
  readonly pointsChargedCents: number;
}

/**
 * Decides a return (D39). Fails with INVALID_PARAMS, PAYMENT_TYPE_NOT_FOUND, INVENTORY_LOCATION_NOT_FOUND, INVALID_ORDER_TRANSITION
 * or RETURN_QUANTITY_EXCEEDED, in this order (D13). Refusals that depend on the computed amounts come last, with
 * INVALID_PARAMS or INSUFFICIENT_PERMISSIONS.
 */
export function decideReturn(order: OrderRecord, request: ReturnRequest, facts: ReturnFacts): DecidedReturn {
  const { status, userId } = order.head;
  const { refundType } = request;
  const { returned, sums } = facts;
  refuseContradictions(order, request);
  const paymentTypeName = paymentTypeOf(order, request, facts.paymentTypes);
  const named = request.inventoryLocationId ?? null;
  if (named !== null) assertPlaceForGoods(named, facts.openPlaces, 'inventoryLocationId');
  if (status !== 'fulfilled') {
    throw failure(
      'INVALID_ORDER_TRANSITION',
      `Goods of an order cannot be returned while its status is ${status}`,
      {
        status,
        action: 'return',
      },
    );
  }
  const shared = sharesOfLines(order, request.lines, returned);
  assertMoreWithinRole(order, request, sums);
  const shares = sumParts(shared.map(({ parts }) => parts));
  const asked = decideAmounts(order, request, shares, sums);
  const broken = brokenRewards(order, unitsOf([...returned.map(sharesOf), ...shared]));
  const rewardTakenBackCents = takenBackCents(request, asked, broken, sums);
  const lines = placedLines(order, shared, named, facts.openPlaces);
  const parts = sumParts([...lines, ...returned.map(sharesOf)].map((it) => it.parts));
  const points = pointsOfReturn(order, facts.earnedPoints, parts, {
    earned: sums.earned_points,
    redeemed: sums.redeemed_points,
  });
  const settlement = decideSettlement({
    userId,
    refundType,
    refundCents:
      rewardTakenBackCents === 0 ? -asked.refundTotalCents : -asked.refundTotalCents - rewardTakenBackCents,
    storeCreditCents: sumCents(lines, (line) => line.parts.storeCreditsCents),
    points,
    balance: facts.balance,
    owedPointCents: facts.owedPointCents,
  });
  const adjustment = adjustmentOf(request, broken, rewardTakenBackCents, settlement.pointsChargedCents);
  const amounts = refundAmounts(shares, chargedTaxes(order), {
    refunds: refundType !== 'none',
    adjustmentCents: adjustment.adjustmentCents,
  });
  const cashRoundingCents = roundingOf(order, request, -amounts.refundTotalCents, facts);
  return { paymentTypeName, lines, amounts, points, settlement, broken, adjustment, cashRoundingCents };
}

/** What rounding adds to this refund, if it is given in cash: then the customer has paid the rounded amount of what is kept. */
function roundingOf(
  { payments }: OrderRecord,
  { paymentTypeId, exchangedCents = 0 }: ReturnRequest,
  refundCents: number,
  { paymentTypes, sums }: ReturnFacts,
): number | null {
  const rounding = paymentTypes.find(({ id }) => id === paymentTypeId)?.cashRounding ?? null;
  if (rounding === null) return null;
  // Only what is given is rounded: the rest pays for other goods.
  if (exchangedCents > 0) return cashRoundingCents(refundCents - exchangedCents, rounding);
  const cash = payments.filter(
    (payment) =>
      payment.orderReturnId === null &&
      paymentTypes.some(({ id, cashRounding }) => id === payment.paymentTypeId && cashRounding !== null),
  );
  const so = {
    paidCents: sumCents(cash, ({ finalAmountCents }) => finalAmountCents),
    paidRoundingCents: sumCents(cash, ({ roundingCents }) => roundingCents),
    refundedCents: sums.cash_refunded_cents,
    refundedRoundingCents: sums.cash_refund_rounding_cents,
  };
  return cashRefundRoundingCents(refundCents, so, rounding);
}

/** The returned units of each line. */
function unitsOf(
  lines: readonly { readonly orderLineItemId: number; readonly quantity: number }[],
): ReadonlyMap<number, number> {
  const units = new Map<number, number>();
  for (const { orderLineItemId: id, quantity } of lines) units.set(id, (units.get(id) ?? 0) + quantity);
  return units;
}

/**
 * What this return takes back of rewards: what is broken now, less what earlier returns took back, at most the refund. Where less is
 * broken than was taken back, as when all goods have come back, the difference is given back, whatever the request says.
 */
function takenBackCents(
  { brokenRewards: decision = 'keep', refundType }: ReturnRequest,
  { refundTotalCents }: RefundAmounts,
  broken: readonly BrokenReward[],
  { reward_taken_back_cents: had }: ReturnedSums,
): number {
  if (refundType === 'none') return 0;
  const due = sumCents(broken, ({ amountCents }) => amountCents) - had;
  if (due < 0) return due;
  return decision === 'keep' ? 0 : Math.min(due, -refundTotalCents);
}

function adjustmentOf(
  { adjustmentCents, adjustmentDescription }: ReturnRequest,
  broken: readonly BrokenReward[],
  rewardTakenBackCents: number,
  pointsChargedCents: number,
): RefundAdjustment {
  const names = broken.map(({ description }) => description).join(', ');
  const words = [
    adjustmentDescription,
    rewardTakenBackCents > 0 ? `Reward taken back: ${names}` : '',
    rewardTakenBackCents < 0 ? 'Reward taken back earlier, given back' : '',
    pointsChargedCents > 0 ? 'Points that were spent' : '',
  ];
  return {
    adjustmentCents: adjustmentCents + rewardTakenBackCents + pointsChargedCents,
    adjustmentDescription: words
      .filter((it) => it !== '')
      .join('; ')
      .slice(0, 500),
    rewardTakenBackCents,
    pointsChargedCents,
  };
}

/** Refuses requests that do not fit the order, whatever its status. */
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

/** The lines with where the goods go that are for sale again: to `named`, else where they came from, which must be in use. */
function placedLines(
  { fulfillments }: OrderRecord,
  lines: readonly LineToReturn[],
  named: number | null,
  open: OpenPlaces,
): LineToReturn[] {
  return lines.map((line, index) => {
    if (line.inventoryAction !== 'inventory') return line;
    const stock = line.stock.map((share) => {
      const from = fulfillments.find(({ id }) => id === share.fulfillmentId);
      assert(from !== undefined, 'a share is of stock of the order');
      const locationId = named ?? placeOfGoodsBack(from, open);
      if (locationId === null) {
        throw failure(
          'INVALID_PARAMS',
          `lineItems[${index}].inventoryAction must not be inventory: the location that the stock came from is archived. Name another one in inventoryLocationId.`,
        );
      }
      return locationId === from.locationId ? share : { ...share, locationId };
    });
    return { ...line, stock };
  });
}

/** Shares of each line in turn, as if the earlier ones had already been returned. */
function sharesOfLines(
  order: OrderRecord,
  wanted: readonly RequestedLine[],
  returned: readonly ReturnedLineRow[],
): LineToReturn[] {
  const charges = new Map(lineCharges(order).map((charge) => [charge.orderLineItemId, charge]));
  const charged = chargedTaxes(order);
  const shares: ReturnedShares[] = returned.map(sharesOf);
  const stockShares = returned.flatMap((row) => row.fulfillment_shares);
  return wanted.map((entry, index) => {
    const line = order.lines.find(({ id }) => id === entry.orderLineItemId);
    const charge = charges.get(entry.orderLineItemId);
    assert(line !== undefined && charge !== undefined, 'the check accepted a line of another order');
    const ofLine = shares.filter(({ orderLineItemId }) => orderLineItemId === line.id);
    const returnable = line.quantity - sumCents(ofLine, ({ quantity }) => quantity);
    if (entry.quantity > returnable) {
      throw failure(
        'RETURN_QUANTITY_EXCEEDED',
        `lineItems[${index}].quantity must not exceed what is left to return of the line: ${returnable}`,
        { orderLineItemId: line.id, quantity: entry.quantity, returnable },
      );
    }
    const parts = sharesOfReturn(charge, ofLine, entry.quantity, charged);
    const stock = stockOfReturn(line, entry.quantity, order.fulfillments, stockShares);
    shares.push({ orderLineItemId: line.id, quantity: entry.quantity, parts });
    stockShares.push(...stock);
    return { ...entry, inventoryAction: entry.inventoryAction ?? defaultAction(line), parts, stock };
  });
}

/** A row of an earlier return in the form that the calculation uses. */
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

/** The amounts, limited to what was paid (D39). An adjustment can refund fees, which no line contains. */
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
      `adjustmentAmount must be at most ${sharesCents}: the refund for these goods`,
    );
  }
  const leftCents = order.head.customerGrandTotalCents - refunded_cents;
  if (-amounts.refundTotalCents > leftCents) {
    throw failure(
      'INVALID_PARAMS',
      `adjustmentAmount must be at least ${sharesCents - leftCents}: a refund cannot exceed what was paid`,
    );
  }
  return amounts;
}

/**
 * A budtender can refund, beyond the goods, only fees that are not refunded yet. Anything more would be a credit,
 * which only owners and managers can give.
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
    `The role ${role} can refund at most the fees that are not refunded yet beyond the goods: ${leftCents} cents; adjustmentAmount is ${adjustmentCents}`,
  );
}

/** The name of the refund's payment type; empty unless the refund goes by a payment type. */
function paymentTypeOf(
  order: OrderRecord,
  { refundType, paymentTypeId }: ReturnRequest,
  paymentTypes: readonly { readonly id: number; readonly name: string }[],
): string {
  if (refundType !== 'payment-method') return '';
  // Money can go back the way it was paid, even if that payment type is archived.
  const name =
    paymentTypes.find(({ id }) => id === paymentTypeId)?.name ??
    order.payments.find((payment) => payment.paymentTypeId === paymentTypeId)?.name;
  if (name === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
  return name;
}

/** The stock that is the shop's again. */
export function putBack(lines: readonly LineToReturn[]): ReturnedFulfillment[] {
  return lines.flatMap(({ inventoryAction, stock }) => (isPutBack(inventoryAction) ? stock : []));
}
