/**
 * Front door of carts: the request of a shopper or cashier, the facts, the decision and the preview (D19, D20).
 * Previews and orders take the same decision from the same facts. Carts own no table and write nothing. They do not
 * calculate prices (pricing/) and do not place orders (orders/).
 */

export { deliveryAddress, missingAddress, missingContact, postalCodeOf } from './cart-body.ts';
export { type CartCustomerRow, selectCartCustomersOf } from './cart-customer-queries.ts';
export { customerExample, idempotencyKeyExample, pricingExample, taxExample } from './cart-examples.ts';
export { cartFactStatements, contactsOf, type FactRows, lockBuyer } from './cart-facts.ts';
export { shownRedemption, shownStaffPricing } from './cart-pricing.ts';
export {
  assertQuantities,
  type CartAdjustment,
  type CartPayment,
  type CartRequest,
  type LineReduction,
  type PriceOverride,
  readCart,
  readPayments,
} from './cart-request.ts';
export {
  AddressBody,
  adjustmentFields,
  CartCustomer,
  CartLineItem,
  CartPaymentBody,
  CartPricing,
  cartFields,
  discountFields,
  Explanation,
  IgnoredExpectation,
  LimitShare,
  linesPerCartMax,
  listMax,
  type OrderType,
  orderTypes,
  paymentCentsMax,
  placeFields,
  quantityMax,
  taxFields,
} from './cart-schemas.ts';
export { canShareFacts, SharedFacts, sharedFactStatements } from './cart-terms.ts';
export {
  assertWithinLimits,
  audienceOf,
  checkLimits,
  legalEligibility,
  limitsFor,
} from './customer-rules.ts';
export { type DecidedCart, decideCart, intendedPayments, priceRulesOf } from './decide-cart.ts';
export { assertOptionsKnown, knownPaymentTypes } from './known-names.ts';
export { assertPageMaySend, proofOf, withProof, withProvenContact } from './page-carts.ts';
export { cartFailures, ExplainQuery } from './preview-routes.ts';
export { PricingInputsCache } from './pricing-inputs-cache.ts';
export {
  type RecentPurchaseRow,
  selectBoughtByCustomer,
  selectRecentPurchases,
} from './purchase-history-queries.ts';
export { orderRoles } from './seller-roles.ts';
export {
  type SpecialPrice,
  type SpecialPriceRows,
  specialPriceStatements,
  specialPrices,
  specialsInForce,
} from './special-prices.ts';
export { placesOf, ShelvesInMemory, shelfStatements, shelvesOf, stockWarnings } from './stock-warnings.ts';
