/**
 * Front door of promotions: everything that lowers a price. Owns discounts with their codes and counted uses,
 * credits on customers' accounts, loyalty rewards, points and the earning rule. An order takes its uses,
 * credits and points in its transaction, and a cancelation returns them once; the database refuses a use, cent
 * or point beyond the limit. Does not price: the engine in `pricing` does, from the values of this slice.
 */

export {
  eraseCreditDescriptions,
  erasePointReasons,
  moveAccount,
  selectPointsForExport,
} from './account-of-customer.ts';
export { accountGuards } from './account-queries.ts';
export * from './barred-discounts.ts';
export * from './cart-promotions.ts';
export { createDiscount } from './create-discount.ts';
export { selectCreditsOfCustomer } from './credit-queries.ts';
export { accountColumns, accountColumnsFor, questionsOf } from './customer-account-queries.ts';
export { noConditions } from './discount-setup.ts';
export {
  discountUsesGuards,
  lockDiscountUses,
  recountDiscountUses,
  selectDiscountUses,
  selectSpentDiscounts,
} from './discount-use-queries.ts';
export { discountEndMs, discountsInForce } from './discounts-in-force.ts';
export { earnedPoints } from './earned-points.ts';
export { issueCustomerCredit } from './issue-customer-credit.ts';
export { discountsOnLines, keptDiscounts, usedTerms } from './kept-discounts.ts';
export {
  countLoyaltyEvents,
  lockLoyaltyBalance,
  loyaltyEventList,
  loyaltyEventsPerPage,
  loyaltyEventTypes,
  loyaltyKeyConstraint,
  selectLoyaltyBalance,
  selectLoyaltyEventOfKey,
  selectOwedPointCents,
} from './loyalty-queries.ts';
export { loyaltyRewards } from './loyalty-reward-setting.ts';
export { moveBrandTargets } from './move-brand-targets.ts';
export { movePoints } from './move-points.ts';
export { createOpenReduction } from './open-reduction.ts';
export { noOwnTerms } from './own-terms.ts';
export * from './promotion-queries.ts';
export { issueRefundCredit, selectEarnedPoints, withdrawRefundCredit } from './refund-credits.ts';
export { setLoyaltyProgram } from './set-loyalty-program.ts';
export { askingFor, loadTriedDiscount, newDiscountId, offeredWith } from './tried-discount.ts';
export { selectNamedDiscounts, selectUnconditionalDiscounts } from './unconditional-discounts.ts';
export { giveBackPromotions, useDiscountsOf, usePromotions, usePromotionsOfAll } from './use-promotions.ts';
