/**
 * Front door of carts: the request of a shopper or cashier, the facts, the decision and the preview (D19, D20).
 * Previews and orders take the same decision from the same facts. Carts own no table and write nothing. They do not
 * calculate prices (pricing/) and do not place orders (orders/).
 */

export {
  selectBoughtByCustomer,
  selectCartCustomersOf,
  selectRecentPurchases,
} from './cart-customer-queries.ts';
export { assertLawful, shopDutiesOf } from './cart-duties.ts';
export { cartFactStatements, contactsOf, lockBuyers, readOwnFacts } from './cart-facts.ts';
export { shownRedemption, shownStaffPricing } from './cart-pricing.ts';
export {
  deliveryAddress,
  missingAddress,
  missingContact,
  postalCodeOf,
  readCart,
  readLines,
  readPayments,
  readProvenCart,
} from './cart-request.ts';
export { canShareTerms, readSharedFacts } from './cart-terms.ts';
export {
  audienceOf,
  checkLimits,
  legalEligibility,
  limitsFor,
} from './customer-rules.ts';
export {
  assertOptionsKnown,
  decideCart,
  intendedPayments,
  knownPaymentTypes,
  priceRulesOf,
} from './decide-cart.ts';
export { countLackingOptions } from './lacking-facts.ts';
export { PricingInputsCache } from './pricing-inputs-cache.ts';
export { specialPriceStatements, specialPrices, specialsInForce } from './special-prices.ts';
export { placesOf, shelfStatements, stockWarnings } from './stock-warnings.ts';
