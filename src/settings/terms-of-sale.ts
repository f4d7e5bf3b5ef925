/**
 * Front door of settings: the terms on which an organization sells — taxes, delivery zones, payment types, its own
 * purchase limits. Owns those tables; what staff set of the organization and its locations it writes by the
 * statements of their slices. A tax's rate is never edited: it ends and another begins. Whoever changes taxes, zones
 * or the organization locks the organization first. Prices nothing itself.
 */
export { taxesOf, undecidedInWords } from './cart-taxes.ts';
export { createTerms, type NewTerms } from './create-terms.ts';

export { type DeliveryZoneRow, selectDeliveryZone, selectZoneAtLocation } from './delivery-zone-queries.ts';
export { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
export type { SalePlace } from './locality.ts';
export { ownLimitsOf } from './own-limits.ts';
export { type PaymentTypeRow, selectPaymentTypes } from './payment-type-queries.ts';
export { postalCodePatterns } from './postal-code-patterns.ts';
export {
  type PurchaseLimitRuleRow,
  selectPurchaseLimitRules,
} from './purchase-limit-queries.ts';
export { selectTermsVersion, termsLease } from './settings-queries.ts';
export {
  type DatedTaxRow,
  selectTaxes,
  selectTaxesInForce,
  type TaxRow,
  taxesInForce,
} from './tax-queries.ts';
export { cartTax } from './tax-settings.ts';
