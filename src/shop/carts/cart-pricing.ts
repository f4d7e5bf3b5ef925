import type { LoyaltyRedemption, UsedDiscount } from '../../engines/pricing/priced-cart.ts';
import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { dutyWarnings } from './cart-duties.ts';
import type { CartWarning } from './cart-schemas.ts';
import type { DecidedCart } from './decide-cart.ts';

/** A priced cart as the API returns it. `idempotencyKey` is a key for placing it. */
export function shownPricing(
  cart: DecidedCart,
  idempotencyKey: string,
  ofStock: readonly CartWarning[] = [],
) {
  const { priced } = cart;
  const shown = {
    lineItems: priced.lines.map((line) => ({
      productOptionId: line.productOptionId,
      productCategoryId: line.productCategoryId,
      quantity: line.quantity,
      unitPrice: line.unitPriceCents,
      subtotalPrice: line.subtotalPriceCents,
      finalPrice: line.finalPriceCents,
      discounts: line.discounts.map(usedDiscount),
    })),
    totalPrice: priced.totalPriceCents,
    netPrice: priced.netPriceCents,
    customerGrandTotal: priced.customerGrandTotalCents,
    discounts: priced.discounts.map(usedDiscount),
    credits: priced.credits.map(({ amountUsedCents, ...credit }) => ({
      ...credit,
      amountUsed: amountUsedCents,
    })),
    adjustments: priced.adjustments.map(({ amountCents, ...adjustment }) => ({
      ...adjustment,
      amount: amountCents,
    })),
    taxes: priced.taxes.map((tax) => ({
      id: tax.id,
      amount: tax.amountCents,
      amountBeforeExemption: tax.amountBeforeExemptionCents,
      amountExempted: tax.amountExemptedCents,
      description: tax.description,
      rate: tax.rate,
      normalRate: tax.normalRate,
      included: tax.included,
      exemptable: tax.exemptable,
      encompass: tax.encompass,
      excludedProductCategoryIds: tax.excludedProductCategoryIds,
      nonExemptableProductCategoryIds: tax.nonExemptableProductCategoryIds,
      type: tax.type,
    })),
    orderMinimum: cart.orderMinimumCents,
    metOrderMinimum: cart.metOrderMinimum,
    discountsTotal: priced.discountsTotalCents,
    discountsOverBudtenderLimit: priced.discountsOverBudtenderLimit,
    discountsOverManagerLimit: priced.discountsOverManagerLimit,
    idempotencyKey,
    deliveryFee: cart.deliveryFee?.cents ?? null,
    deliveryFeeDescription: cart.deliveryFee?.description ?? null,
    paymentFees: priced.paymentFeesCents,
    purchaseLimits: cart.purchaseLimits.limits,
    warnings: [...cart.warnings, ...dutyWarnings(cart.dutyRefusals), ...ofStock],
  };
  // Set outside the literal: a spread there makes V8 build every preview's object the slow way, and few requests ask
  // for this.
  return priced.steps === null ? shown : { ...shown, explanation: priced.steps, lawEdition: cart.lawEdition };
}

/**
 * The priced cart for staff. It includes rewards, which staff can choose; without them the amounts would not add up.
 */
export function shownStaffPricing(
  cart: DecidedCart,
  idempotencyKey: string,
  ofStock?: readonly CartWarning[],
) {
  return {
    ...shownPricing(cart, idempotencyKey, ofStock),
    loyaltyRedemptions: cart.priced.loyaltyRedemptions.map(shownRedemption),
  };
}

/** Names each property: a rest pattern takes longer than everything else here, and carts can use many discounts. */
function usedDiscount({ id, type, amount, amountUsedCents, description }: UsedDiscount) {
  return { id, type, amount: Number(amount), amountUsed: amountUsedCents, description };
}

/** A reward that reduced the price of an order or of a cart that is only priced. */
export function shownRedemption(redemption: Omit<LoyaltyRedemption, 'rewardId'>) {
  return {
    type: redemption.type,
    description: redemption.description,
    pointsRequirement: canonicalDecimalText(redemption.pointsRequirement),
    // The response shows points as signed (D31a); the row stores the number.
    pointsAmount: decimalText(decimal(redemption.pointsAmount).neg()),
    discountAmount:
      redemption.discountAmount === null ? null : canonicalDecimalText(redemption.discountAmount),
    amountUsed: redemption.amountUsedCents,
    productOptionId: redemption.productOptionId,
  };
}
