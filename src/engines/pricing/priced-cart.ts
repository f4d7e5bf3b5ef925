import { assert } from '../../kernel/assert.ts';
import type { DiscountRefusal } from './discounts/choose-discounts.ts';
import { sumCents, wholeCents } from './exact-amounts.ts';
import type { PriceStep } from './price-step.ts';
import type { ChosenReward, Percent, TaxTier, TaxType } from './pricing-facts.ts';

export type { PriceStep };

/** A discount in use, on a line or on the order. */
export interface UsedDiscount {
  readonly id: number;
  readonly type: 'flat' | 'percent';
  /** Decimal text: cents when flat, percent when percent. */
  readonly amount: string;
  readonly amountUsedCents: number;
  readonly description: string;
}

export interface UsedCredit {
  readonly id: number;
  readonly type: 'promo-code' | 'store-credit';
  readonly amountUsedCents: number;
  readonly description: string;
  /** Null for a credit in cents. */
  readonly percent: Percent | null;
}

/** A reward that took something off the order, and its price in points. */
export interface LoyaltyRedemption {
  readonly rewardId: number;
  readonly type: ChosenReward['type'];
  readonly description: string;
  /** Points, as decimal text. */
  readonly pointsRequirement: string;
  /** Points to take from the customer, as decimal text. */
  readonly pointsAmount: string;
  /** Cents per point, cents or percent by type; null for a free product. */
  readonly discountAmount: string | null;
  readonly amountUsedCents: number;
  readonly productOptionId: number | null;
}

export interface Adjustment {
  /** Negative for a reduction. */
  readonly amountCents: number;
  readonly description: string;
  readonly isTaxExemption: boolean;
  readonly taxId: number | null;
}

export interface TaxAllocation {
  readonly taxId: number;
  readonly amountCents: number;
}

export interface PricedLine {
  readonly productOptionId: number;
  readonly productId: number;
  readonly productCategoryId: number;
  readonly quantity: number;
  readonly unitPriceCents: number;
  /** All units, before discounts. */
  readonly subtotalPriceCents: number;
  /** After the discounts of the line. */
  readonly finalPriceCents: number;
  readonly discounts: readonly UsedDiscount[];
  /** Also after the line's share of order discounts and loyalty rewards. */
  readonly grossCents: number;
  /** One entry for each tax on the line, including amounts of 0. */
  readonly taxAllocations: readonly TaxAllocation[];
}

export interface PricedTax {
  readonly id: number;
  readonly amountCents: number;
  readonly amountBeforeExemptionCents: number;
  readonly amountExemptedCents: number;
  readonly description: string;
  readonly rate: Percent;
  readonly normalRate: Percent;
  readonly included: boolean;
  readonly exemptable: boolean;
  readonly encompass: boolean;
  readonly excludedProductCategoryIds: readonly number[];
  readonly nonExemptableProductCategoryIds: readonly number[];
  readonly type: TaxType;
  readonly tier: TaxTier;
  /** The delivery fee's part of `amountCents`; the rest is the lines' part. */
  readonly feeAllocationCents: number;
}

export interface PricedPayment {
  readonly paymentTypeId: number;
  readonly name: string;
  readonly amountCents: number;
  /** `amountCents` with the fee. */
  readonly finalAmountCents: number;
  /** Flat part of the fee. */
  readonly feeCents: number;
  readonly feePercent: Percent;
  /** The whole fee, flat and percent. */
  readonly feeAmountCents: number;
  readonly feeDescription: string | null;
}

/** Whether the payments cover net price + delivery fee exactly. */
export type PaymentsVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly expectedCents: number; readonly givenCents: number };

export interface PricedCart {
  /** One per product option, in the order in which the options first appeared. */
  readonly lines: readonly PricedLine[];
  readonly totalPriceCents: number;
  /** After all discounts, before credits, taxes and fees: compared with an order minimum (D27). */
  readonly merchandiseCents: number;
  readonly netPriceCents: number;
  readonly deliveryFeeCents: number | null;
  readonly paymentFeesCents: number;
  readonly customerGrandTotalCents: number;
  /** Order-level discounts. */
  readonly discounts: readonly UsedDiscount[];
  /** They reduce the total price besides the discounts, and are in no sum of discounts. */
  readonly loyaltyRedemptions: readonly LoyaltyRedemption[];
  /** Rewards that took nothing because the organization's cap was reached, ascending. */
  readonly rewardIdsBeyondCap: readonly number[];
  /** Discounts that took something off a line or the order, ascending: this order is a use of each. */
  readonly usedDiscountIds: readonly number[];
  readonly discountRefusals: readonly DiscountRefusal[];
  readonly credits: readonly UsedCredit[];
  readonly adjustments: readonly Adjustment[];
  /** By tier, then id. */
  readonly taxes: readonly PricedTax[];
  readonly payments: readonly PricedPayment[];
  readonly paymentsVerdict: PaymentsVerdict;
  /** Line and order discounts. */
  readonly discountsTotalCents: number;
  readonly discountsOverBudtenderLimit: boolean;
  readonly discountsOverManagerLimit: boolean;
  /** Null unless an explanation was requested. */
  readonly steps: readonly PriceStep[] | null;
}

/**
 * Fails when a priced cart contradicts itself: the display list adds up to the grand total, lines add up to
 * totals, allocations add up to their tax, and only adjustments are negative.
 */
export function assertPricedCart(cart: PricedCart): void {
  for (const line of cart.lines) assertLine(line);
  for (const tax of cart.taxes) assertTax(tax, cart.lines);
  for (const payment of cart.payments) assertPayment(payment);
  for (const credit of cart.credits) wholeCents(credit.amountUsedCents, 'credit used');
  for (const adjustment of cart.adjustments) {
    assert(Number.isSafeInteger(adjustment.amountCents), 'an adjustment is not in whole cents');
  }

  const discountsCents = usedCents(cart.discounts);
  const rewardsCents = usedCents(cart.loyaltyRedemptions);
  const reductionsCents = discountsCents + rewardsCents;
  const chargedTaxesCents = sumCents(cart.taxes, (tax) => (tax.included ? 0 : tax.amountCents));
  const creditsCents = sumCents(cart.credits, (credit) => credit.amountUsedCents);
  const adjustmentsCents = sumCents(cart.adjustments, (adjustment) => adjustment.amountCents);
  const feesCents = (cart.deliveryFeeCents ?? 0) + cart.paymentFeesCents;

  assertSame(
    cart.totalPriceCents,
    sumCents(cart.lines, (line) => line.finalPriceCents),
    'total price',
  );
  assertSame(
    cart.merchandiseCents,
    sumCents(cart.lines, (line) => line.grossCents),
    'merchandise',
  );
  assertSame(cart.merchandiseCents, cart.totalPriceCents - reductionsCents, 'merchandise after discounts');
  assertSame(
    cart.discountsTotalCents,
    discountsCents + sumCents(cart.lines, (line) => usedCents(line.discounts)),
    'discounts total',
  );
  assertSame(
    cart.paymentFeesCents,
    sumCents(cart.payments, (payment) => payment.feeAmountCents),
    'payment fees',
  );
  const displayedCents =
    cart.totalPriceCents - creditsCents - reductionsCents + adjustmentsCents + chargedTaxesCents;
  assertSame(cart.netPriceCents, displayedCents, 'net price');
  assertSame(cart.customerGrandTotalCents, displayedCents + feesCents, 'grand total');
  wholeCents(cart.netPriceCents, 'net price');
  wholeCents(feesCents, 'fees');
  wholeCents(cart.customerGrandTotalCents, 'grand total');
}

function assertLine(line: PricedLine): void {
  wholeCents(line.subtotalPriceCents, 'subtotal of a line');
  wholeCents(line.grossCents, 'gross of a line');
  assertSame(line.subtotalPriceCents, line.unitPriceCents * line.quantity, 'subtotal of a line');
  assertSame(
    line.finalPriceCents,
    line.subtotalPriceCents - usedCents(line.discounts),
    'final price of a line',
  );
  assert(line.grossCents <= line.finalPriceCents, 'gross of a line is above its final price');
}

function assertTax(tax: PricedTax, lines: readonly PricedLine[]): void {
  wholeCents(tax.amountCents, 'tax');
  wholeCents(tax.amountExemptedCents, 'exempted tax');
  assertSame(
    tax.amountBeforeExemptionCents,
    tax.amountCents + tax.amountExemptedCents,
    'tax before exemption',
  );
  let allocatedCents = wholeCents(tax.feeAllocationCents, "fee's part of a tax");
  for (const { taxAllocations } of lines) {
    for (const allocation of taxAllocations) {
      if (allocation.taxId !== tax.id) continue;
      allocatedCents += wholeCents(allocation.amountCents, "line's part of a tax");
    }
  }
  assertSame(tax.amountCents, allocatedCents, 'allocations of a tax');
}

function assertPayment(payment: PricedPayment): void {
  wholeCents(payment.amountCents, 'payment');
  wholeCents(payment.feeAmountCents, 'fee of a payment');
  assertSame(
    payment.finalAmountCents,
    payment.amountCents + payment.feeAmountCents,
    'final amount of a payment',
  );
}

function usedCents(reductions: readonly { readonly amountUsedCents: number }[]): number {
  return sumCents(reductions, (reduction) => wholeCents(reduction.amountUsedCents, 'reduction used'));
}

function assertSame(statedCents: number, computedCents: number, what: string): void {
  assert(
    statedCents === computedCents,
    () => `${what} is stated as ${statedCents}, but adds up to ${computedCents}`,
  );
}
