/**
 * Front door of settings: the terms on which an organization sells — taxes, delivery zones, payment types, its own
 * purchase limits. Owns those tables; what staff set of the organization and its locations it writes by the
 * statements of their slices. A tax's rate is never edited: it ends and another begins. Whoever changes taxes, zones
 * or the organization locks the organization first. Prices nothing itself.
 */
export { createTerms, type NewTerms } from './create-terms.ts';

export { type DeliveryZoneRow, selectDeliveryZone } from './delivery-zone-queries.ts';
export { FactSource, factSourceExample, shownSource } from './fact-sources.ts';
export { type PaymentTypeRow, selectPaymentTypes } from './payment-type-queries.ts';
export {
  type PurchaseLimitRuleRow,
  purchaseLimitRuleOf,
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

/**
 * Every zone pattern that fits a postal code, for a look-up by key. "94607-1234" counts as "94607": zones
 * are made of five-digit codes.
 */
export function postalCodePatterns(postalCode: string): string[] {
  const code = postalCode
    .trim()
    .toUpperCase()
    .replace(/^(\d{5})-\d{4}$/, '$1');
  if (!/^[0-9A-Z]{1,10}$/.test(code)) return [];
  return [code, ...Array.from(code, (_, index) => `${code.slice(0, index + 1)}*`)];
}
