import type { DeliveryZoneRow } from './delivery-zone-queries.ts';
import { holdsAt, type SalePlace } from './locality.ts';
import type { DatedTaxRow, TaxRow } from './tax-queries.ts';

/* Chooses the taxes of a cart. Pure. */

/** Those of the taxes that are in force at an instant. */
export function taxesInForce<Row extends DatedTaxRow>(taxes: readonly Row[], atMs: number): Row[] {
  return taxes.filter(
    ({ starts_at, ends_at }) =>
      (starts_at === null || starts_at <= atMs) && (ends_at === null || ends_at > atMs),
  );
}

/**
 * The taxes in force that apply to an order. A zone can name the taxes that are charged there, and then no others
 * apply; a tax can be limited to such zones, to one type of customer, or to sales in a city, county or district.
 */
export function taxesOf<Row extends TaxRow>(
  place: SalePlace,
  zone: DeliveryZoneRow | null,
  isMedical: boolean,
  inForce: readonly Row[],
): readonly Row[] {
  const zoneTaxIds = place.orderType === 'delivery' ? zone?.tax_ids : null;
  const otherType = isMedical ? 'adult-use' : 'medical';
  return inForce.filter(
    (tax) =>
      tax.customer_type !== otherType &&
      (zoneTaxIds == null ? !tax.only_in_zones && holdsAt(tax.locality, place) : zoneTaxIds.includes(tax.id)),
  );
}

/** Names the taxes that a patient may owe and that are not charged until the owner decides (D35). */
export function undecidedInWords(taxes: readonly TaxRow[]): string[] {
  return taxes
    .filter(({ patients_undecided: isUndecided }) => isUndecided)
    .map(
      ({ description }) =>
        `Not charged: "${description}". The organization has not decided whether patients owe it.`,
    );
}
