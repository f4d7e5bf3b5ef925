import { decimal } from '../../kernel/decimal.ts';
import type { FactRows } from '../carts/cart-facts.ts';
import type { KeptDiscount } from '../promotions/kept-discounts.ts';
import { keptDiscounts, type LoyaltyRewardRow, type OfferedDiscountRow } from '../promotions/promotions.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import type { DatedTaxRow } from '../settings/tax-queries.ts';
import type { OrderRequest } from './build-order.ts';
import type { OrderChange } from './edited-order.ts';
import type { OrderRecord, OrderTerms } from './order-record.ts';

/* The terms on which an edit prices an order again (D88): those of the order, except for what the edit touches. Pure. */

/** What is read besides the facts of a new order. */
interface KeptRows {
  readonly discounts: readonly OfferedDiscountRow[];
  readonly taxes: readonly DatedTaxRow[];
  readonly customers: FactRows[5];
  /** The options of the order's lines, also those that are deleted. */
  readonly options: FactRows[1];
}

/** The facts for an edit, and the discounts that the order may have now. */
export function keptFacts(
  before: OrderRecord,
  change: OrderChange,
  request: OrderRequest,
  facts: FactRows,
  rows: KeptRows,
  nowMs: number,
): { readonly facts: FactRows; readonly discounts: readonly KeptDiscount[]; readonly terms: OrderTerms } {
  const [
    [organization],
    options,
    ,
    zones,
    paymentTypes,
    customers,
    limits,
    bought,
    offered,
    rewards,
    caregivers,
  ] = facts;
  const { terms } = before.head.asked;
  const lines = new Map(before.lines.map((line) => [line.productOptionId, line]));
  const asked = [...new Set(request.lineItems.map(({ productOptionId }) => productOptionId))];
  // Another weight is another price.
  const isReweighed = (id: number) =>
    request.lineItems.some(
      ({ productOptionId, weight }) =>
        productOptionId === id && weight !== undefined && !isOfWeight(lines.get(id), weight),
    );
  const keptOptionIds = asked.filter((id) => lines.has(id) && !isReweighed(id));
  const discounts = keptDiscounts(terms, rows.discounts, offered, {
    former: {
      discountCodes: before.head.asked.discountCodes,
      chosenDiscountIds: before.head.asked.discountIds,
    },
    request,
    keptOptionIds,
    newOptionIds: asked.filter((id) => !keptOptionIds.includes(id)),
    timeZone: organization!.tz,
    nowMs,
  });
  const keptOptions = rows.options.filter(({ option_id }) => keptOptionIds.includes(option_id));
  return {
    discounts,
    terms,
    facts: [
      [
        {
          ...organization!,
          maximum_discount_percent: terms.maximumPercent,
        },
      ],
      [
        ...options.filter(({ option_id }) => !keptOptionIds.includes(option_id)),
        ...keptOptions.map((row) => asSold(row, before, request)),
      ],
      rows.taxes.filter(({ id }) => terms.taxIds.includes(id)),
      change.address === undefined ? zones.map((zone) => withFeeOf(before, zone)) : zones,
      change.payments === undefined ? withFeesOf(before, paymentTypes) : paymentTypes,
      customers.map((row) => withCreditsOf(before, row, rows.customers)),
      limits,
      bought,
      discounts.map((it) => it.offered),
      change.loyaltyRewards === undefined ? withRewardsOf(before, rewards) : rewards,
      ...(caregivers === undefined ? ([] as const) : ([caregivers] as const)),
    ],
  };
}

function isOfWeight(line: OrderRecord['lines'][number] | undefined, weight: string): boolean {
  return line?.isWeighed === true && decimal(line.optionAmount).eq(weight);
}

/** An option at the price, on the menu and in the category of its line. */
function asSold(row: FactRows[1][number], before: OrderRecord, request: OrderRequest): FactRows[1][number] {
  const line = before.lines.find(({ productOptionId }) => productOptionId === row.option_id)!;
  const wanted = request.lineItems.filter(({ productOptionId }) => productOptionId === row.option_id);
  const hasMore = wanted.reduce((sum, { quantity }) => sum + quantity, 0) > line.quantity;
  return {
    ...row,
    price_cents: line.optionPriceCents,
    sales_price_cents: line.optionSalesPriceCents,
    product_name: line.productName,
    brand_id: line.productBrandId,
    brand_name: line.productBrand,
    category_id: line.productCategoryId,
    category_name: line.productCategoryName,
    ...{
      option_content: line.optionContent,
      option_thc_percent: line.optionThcPercent,
      option_thc_mg: line.optionThcMg,
    },
    ...(line.isWeighed && {
      ...{ option_amount: line.optionAmount, option_content: line.optionContent },
      ...{ sizes: null, is_weighed: true as const },
    }),
    // More of it is sold now.
    ...(!hasMore && { product_is_active: true, product_is_deleted: false }),
  };
}

/** The delivery fee stays while the address does. */
function withFeeOf({ head }: OrderRecord, zone: FactRows[3][number]): FactRows[3][number] {
  return {
    ...zone,
    delivery_fee_cents: head.deliveryFeeCents,
    delivery_fee_description: head.deliveryFeeDescription,
  };
}

/** Payments that stay have the fees of their types as they were, also if a type was archived. */
function withFeesOf({ payments }: OrderRecord, types: FactRows[4]): PaymentTypeRow[] {
  const kept = payments.map(
    (payment): PaymentTypeRow => ({
      ...(types.find(({ id }) => id === payment.paymentTypeId) ?? {
        id: payment.paymentTypeId,
        method: 'other',
        available_delivery: true,
        created_at: payment.createdAt,
        cash_rounding: null,
        state: '',
        takes_gift_cards: false,
      }),
      name: payment.name,
      fee_cents: payment.feeCents,
      fee_percent: payment.feePercent,
      fee_description: payment.feeDescription,
    }),
  );
  return [...kept, ...types.filter(({ id }) => !kept.some((it) => it.id === id))];
}

/** The credits of the customer, and those that the order uses and that ended since. */
function withCreditsOf(
  { credits }: OrderRecord,
  row: FactRows[5][number],
  then: FactRows[5],
): FactRows[5][number] {
  const now = row.credits ?? [];
  const ended = (then.find(({ id }) => id === row.id)?.credits ?? []).filter(
    ({ id }) =>
      credits.some(({ customerCreditId }) => customerCreditId === id) && !now.some((it) => it.id === id),
  );
  return ended.length === 0 ? row : { ...row, credits: [...now, ...ended] };
}

/** Rewards that stay have the terms on which the order took them. */
function withRewardsOf({ loyaltyRedemptions }: OrderRecord, rewards: FactRows[9]): LoyaltyRewardRow[] {
  const kept = loyaltyRedemptions.map(
    (it): LoyaltyRewardRow => ({
      id: it.loyaltyRewardId,
      name: it.description,
      type: it.type,
      points_requirement: it.pointsRequirement,
      discount_amount: it.discountAmount,
      product_option_id: it.productOptionId,
      created_at: it.createdAt,
      updated_at: it.updatedAt,
      ended_at: null,
    }),
  );
  return [...kept, ...rewards.filter(({ id }) => !kept.some((it) => it.id === id))];
}
