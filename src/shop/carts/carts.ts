/**
 * Front door of carts: the request of a shopper or cashier, the facts, the decision and the preview (D19, D20).
 * Previews and orders take the same decision from the same facts. Carts own no table and write nothing. They do not
 * calculate prices (pricing/) and do not place orders (orders/).
 */

export { deliveryAddress, missingAddress, missingContact, postalCodeOf } from './cart-body.ts';
export { selectCartCustomersOf } from './cart-customer-queries.ts';
export { customerExample, idempotencyKeyExample, pricingExample, taxExample } from './cart-examples.ts';
export { cartFactStatements, contactsOf, lockBuyers, readOwnFacts } from './cart-facts.ts';
export { shownRedemption, shownStaffPricing } from './cart-pricing.ts';
export { assertQuantities, readCart, readPayments } from './cart-request.ts';
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
  orderTypes,
  paymentCentsMax,
  placeFields,
  quantityMax,
  taxFields,
} from './cart-schemas.ts';
export { canShareTerms, readSharedFacts } from './cart-terms.ts';
export {
  assertWithinLimits,
  audienceOf,
  checkLimits,
  legalEligibility,
  limitsFor,
} from './customer-rules.ts';
export { decideCart, intendedPayments, priceRulesOf } from './decide-cart.ts';
export { assertOptionsKnown, knownPaymentTypes } from './known-names.ts';
export { assertPageMaySend, proofOf, withProof, withProvenContact } from './page-carts.ts';
export { cartFailures, ExplainQuery } from './preview-routes.ts';
export { PricingInputsCache } from './pricing-inputs-cache.ts';
export { selectBoughtByCustomer, selectRecentPurchases } from './purchase-history-queries.ts';
export { orderRoles } from './seller-roles.ts';
export { specialPriceStatements, specialPrices, specialsInForce } from './special-prices.ts';
export { placesOf, ShelvesInMemory, shelfStatements, shelvesOf, stockWarnings } from './stock-warnings.ts';
