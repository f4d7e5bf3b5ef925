/**
 * Front door of settings: the terms of sale of an organization — taxes, delivery zones, payment types, its own
 * purchase limits. Owns those tables; it writes the organization's and its locations' settings with the statements of
 * their slices. A tax's rate is never edited: the tax ends and another one begins. Writers of taxes, zones or the
 * organization lock the organization first. Settings calculates no prices.
 */
export { taxesInForce, taxesOf, undecidedInWords } from './cart-taxes.ts';
export { createTax } from './create-tax.ts';
export { createTerms } from './create-terms.ts';

export { selectDeliveryZone, selectZoneAtLocation, selectZones } from './delivery-zone-queries.ts';
export {
  Equivalences,
  FactSource,
  factSourceExample,
  shownEquivalences,
  shownSource,
} from './fact-sources.ts';
export { readLeftTaxes } from './left-taxes.ts';
export { ownLimitsOf } from './own-limits.ts';
export { selectPaymentTypeSettings, selectPaymentTypes } from './payment-type-queries.ts';
export { postalCodePatterns } from './postal-code-patterns.ts';
export { purchaseLimitRules, selectPurchaseLimitRules } from './purchase-limit-setting.ts';
export { selectTermsVersion, termsLease } from './settings-queries.ts';
export { selectTaxes, selectTaxesInForce } from './tax-queries.ts';
export { cartTax } from './tax-settings.ts';
export { changeShopProfile } from './update-shop-profile.ts';
