/**
 * Front door of settings: the terms on which an organization sells — taxes, delivery zones, payment types.
 * Owns those tables. A tax's rate is never edited: it ends and another begins. Prices nothing itself.
 */
export { createTerms, type NewTerms } from './create-terms.ts';

import type { CartTax } from '../pricing/pricing-facts.ts';
import type { TaxRow } from './settings-queries.ts';

export {
  type DatedTaxRow,
  type DeliveryZoneRow,
  insertDeliveryZonePostalCodes,
  insertDeliveryZones,
  insertPaymentTypes,
  insertTaxes,
  type PaymentTypeRow,
  selectDeliveryZone,
  selectPaymentTypes,
  selectTaxes,
  selectTaxesInForce,
  selectTermsVersion,
  type TaxRow,
  taxesInForce,
} from './settings-queries.ts';

/** A tax as the pricing engine takes it. */
export function cartTax(row: TaxRow): CartTax {
  return {
    id: row.id,
    description: row.description,
    rate: row.rate,
    tier: row.tier,
    type: row.type,
    included: row.included,
    encompass: row.encompass,
    exemptable: row.exemptable,
    appliesToFees: row.applies_to_fees,
    rounding: row.rounding,
    excludedProductCategoryIds: row.excluded_category_ids,
    nonExemptableProductCategoryIds: row.non_exemptable_category_ids,
  };
}

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
