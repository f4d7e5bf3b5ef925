import type { SortQuery } from '../../kernel/list-sort.ts';
import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { type SortOf, sortedList } from '../../platform/lists/sorted-list.ts';
import {
  type BoundStatement,
  insertMany,
  type SqlParameters,
  statement,
} from '../../platform/statements/statement.ts';
import type { TaxPart } from './return-charges.ts';
import type { ReturnedFulfillment } from './return-stock.ts';

/** All SQL on returns. */

/** The return that a key made of an order, if any. */
export const selectReturnOfKey = statement<{ orderId: string; idempotencyKey: string }, { id: number }>(
  'select_order_return_of_key',
  `select id from order_returns
    where organization_id = :organizationId and order_id = :orderId and idempotency_key = :idempotencyKey`,
);

export interface ReturnedLineRow {
  order_return_id: number;
  order_line_item_id: number;
  quantity: number;
  subtotal_cents: number;
  adjustments_cents: number;
  discounts_cents: number;
  loyalty_cents: number;
  promo_codes_cents: number;
  store_credits_cents: number;
  tax_shares: readonly TaxPart[];
  fulfillment_shares: readonly ReturnedFulfillment[];
}

/** Returned units of an order that are not voided. */
export const selectReturnedLines = statement<{ orderId: string }, ReturnedLineRow>(
  'select_returned_lines',
  `select l.order_return_id, l.order_line_item_id, l.quantity, l.subtotal_cents, l.adjustments_cents, l.discounts_cents,
          l.loyalty_cents, l.promo_codes_cents, l.store_credits_cents, l.tax_shares, l.fulfillment_shares
     from order_return_lines l
     join order_returns r on r.organization_id = l.organization_id and r.id = l.order_return_id
    where l.organization_id = :organizationId and l.order_id = :orderId and r.voided_at is null
    order by l.order_return_id, l.position`,
);

export interface ReturnedSums {
  refunded_cents: number;
  /** Refunded by adjustments, beyond the goods. */
  refunded_beyond_cents: number;
  reward_taken_back_cents: number;
  earned_points: string;
  redeemed_points: string;
  cash_refunded_cents: number;
  cash_refund_rounding_cents: number;
}

/** The totals of an order's returns that are not voided. One row. */
export const selectReturnedSums = statement<{ orderId: string }, ReturnedSums>(
  'select_returned_sums',
  `select coalesce(-sum(refund_total_cents), 0)::bigint as refunded_cents,
          coalesce(-sum(least(adjustment_cents - reward_taken_back_cents - points_charged_cents, 0)), 0)::bigint as refunded_beyond_cents,
          coalesce(sum(reward_taken_back_cents), 0)::bigint as reward_taken_back_cents,
          coalesce(sum(earned_points), 0)::text as earned_points,
          coalesce(sum(redeemed_points), 0)::text as redeemed_points,
          coalesce(-sum(refund_total_cents) filter (where cash_rounding_cents is not null), 0)::bigint as cash_refunded_cents,
          coalesce(sum(cash_rounding_cents), 0)::bigint as cash_refund_rounding_cents
     from order_returns
    where organization_id = :organizationId and order_id = :orderId and voided_at is null`,
);

export const insertOrderReturns = insertMany<{
  id: number;
  orderId: string;
  idempotencyKey: string | null;
  refundType: string;
  paymentTypeId: number | null;
  paymentTypeName: string;
  refundInitialCents: number;
  discountsTotalCents: number;
  loyaltyTotalCents: number;
  creditsTotalCents: number;
  taxesTotalCents: number;
  adjustmentCents: number;
  adjustmentDescription: string;
  rewardTakenBackCents: number;
  pointsChargedCents: number;
  refundTotalCents: number;
  cashRoundingCents: number | null;
  customerCreditId: number | null;
  earnedPoints: string;
  redeemedPoints: string;
  pointsTakenBack: string;
  pointsGivenBack: string;
  createdByStaffId: number;
  createdAt: string;
  document: string;
}>('order_returns', {
  id: 'id',
  orderId: 'order_id',
  idempotencyKey: 'idempotency_key',
  refundType: 'refund_type',
  paymentTypeId: 'payment_type_id',
  paymentTypeName: 'payment_type_name',
  refundInitialCents: 'refund_initial_cents',
  discountsTotalCents: 'discounts_total_cents',
  loyaltyTotalCents: 'loyalty_total_cents',
  creditsTotalCents: 'credits_total_cents',
  taxesTotalCents: 'taxes_total_cents',
  adjustmentCents: 'adjustment_cents',
  adjustmentDescription: 'adjustment_description',
  rewardTakenBackCents: 'reward_taken_back_cents',
  pointsChargedCents: 'points_charged_cents',
  refundTotalCents: 'refund_total_cents',
  cashRoundingCents: 'cash_rounding_cents',
  customerCreditId: 'customer_credit_id',
  earnedPoints: 'earned_points',
  redeemedPoints: 'redeemed_points',
  pointsTakenBack: 'points_taken_back',
  pointsGivenBack: 'points_given_back',
  createdByStaffId: 'created_by_staff_id',
  createdAt: 'created_at',
  document: 'document',
});

export const insertReturnLines = insertMany<{
  orderReturnId: number;
  position: number;
  orderId: string;
  orderLineItemId: number;
  quantity: number;
  type: string;
  inventoryAction: string;
  reason: string;
  subtotalCents: number;
  adjustmentsCents: number;
  discountsCents: number;
  loyaltyCents: number;
  promoCodesCents: number;
  storeCreditsCents: number;
  /** JSON text. */
  taxShares: string;
  /** JSON text. */
  fulfillmentShares: string;
}>('order_return_lines', {
  orderReturnId: 'order_return_id',
  position: 'position',
  orderId: 'order_id',
  orderLineItemId: 'order_line_item_id',
  quantity: 'quantity',
  type: 'type',
  inventoryAction: 'inventory_action',
  reason: 'reason',
  subtotalCents: 'subtotal_cents',
  adjustmentsCents: 'adjustments_cents',
  discountsCents: 'discounts_cents',
  loyaltyCents: 'loyalty_cents',
  promoCodesCents: 'promo_codes_cents',
  storeCreditsCents: 'store_credits_cents',
  taxShares: 'tax_shares',
  fulfillmentShares: 'fulfillment_shares',
});

export const insertReturnTaxes = insertMany<{
  orderReturnId: number;
  taxId: number;
  amountCents: number;
  refunded: boolean;
}>('order_return_taxes', {
  orderReturnId: 'order_return_id',
  taxId: 'tax_id',
  amountCents: 'amount_cents',
  refunded: 'refunded',
});

export const selectOrderOfReturn = statement<{ id: number }, { order_id: string }>(
  'select_order_of_return',
  `select order_id from order_returns where organization_id = :organizationId and id = :id`,
);

interface ReturnToVoidRow {
  voided_at: number | null;
  customer_credit_id: number | null;
  points_taken_back: string;
  points_given_back: string;
  payment_type_id: number | null;
  refund_total_cents: number;
  cash_rounding_cents: number;
}

/** Read it after locking the order. */
export const selectReturnToVoid = statement<{ id: number }, ReturnToVoidRow>(
  'select_order_return_to_void',
  `select voided_at, customer_credit_id, points_taken_back, points_given_back, payment_type_id, refund_total_cents,
          coalesce(cash_rounding_cents, 0) as cash_rounding_cents
     from order_returns where organization_id = :organizationId and id = :id`,
);

export interface LineToVoidRow {
  order_line_item_id: number;
  quantity: number;
  inventory_action: 'inventory' | 'quarantine' | 'waste' | 'vendor';
  fulfillment_shares: readonly ReturnedFulfillment[];
}

export const selectLinesToVoid = statement<{ id: number }, LineToVoidRow>(
  'select_order_return_lines_to_void',
  `select order_line_item_id, quantity, inventory_action, fulfillment_shares
     from order_return_lines where organization_id = :organizationId and order_return_id = :id order by position`,
);

export const voidOrderReturn = statement<
  { id: number; staffId: number; reason: string; at: string; document: string },
  never
>(
  'void_order_return',
  `update order_returns
      set voided_at = :at, voided_by_staff_id = :staffId, voided_reason = :reason, document = :document
    where organization_id = :organizationId and id = :id`,
);

/** D14. */
export const returnsPerPage = 50;

interface ListedReturnRow {
  order_id: string;
  document: string;
}

/*
 * The list, with the filter in the text of its statements, so that each is a plain index range.
 */
const filters = {
  voided: 'and r.voided_at is not null',
  valid: 'and r.voided_at is null',
} as const;
type ReturnFilter = keyof typeof filters;

const returns = 'from order_returns r where r.organization_id = :organizationId';
const newestFirst = 'order by r.created_at desc, r.id desc';

export const returnList = sortedList<ListedReturnRow, 'createdAt' | 'refundTotal', ReturnFilter>({
  name: 'list_order_returns',
  rows: returns,
  ids: ['r.id'],
  sorts: {
    createdAt: { key: 'r.created_at', own: 'descending' },
    // What is given back is stored as a negative amount.
    refundTotal: { key: 'r.refund_total_cents', own: 'ascending' },
  },
  filters,
  isPossible: (asked) => asked.length < 2,
  few: ([filter], limit) => `select r.id ${returns} ${filters[filter!]} ${newestFirst} limit ${limit}`,
  rowsPerPage: returnsPerPage,
  show: (page) => `select r.order_id, r.document from ${page}
     join order_returns r on r.organization_id = :organizationId and r.id = page.id0`,
});

const countStatements = new Map(
  (['', 'voided', 'valid'] as const).map((filter) => [
    filter,
    statement<SqlParameters, { count: number }>(
      `count_order_returns_${filter || 'all'}`,
      countOfRows(`select ${returns} ${filter && filters[filter]} ${newestFirst}`),
    ),
  ]),
);

/** How many returns a list has, wherever the page starts. */
export function countReturns({ voided }: ReturnListFilter): BoundStatement<{ count: number }> {
  return countStatements.get(filtersOf(voided)[0] ?? '')!({});
}

function filtersOf(voided: boolean | undefined): ReturnFilter[] {
  return voided === undefined ? [] : [voided ? 'voided' : 'valid'];
}

export interface ReturnListFilter extends SortQuery<SortOf<typeof returnList>> {
  readonly voided?: boolean | undefined;
  readonly startingAfter?: number | undefined;
}

/** A page of the list with the given filter. */
export function listReturnsPage({ voided, ...page }: ReturnListFilter): BoundStatement<ListedReturnRow> {
  return returnList.page(page, {}, filtersOf(voided));
}
