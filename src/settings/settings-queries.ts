import { insertMany, statement } from '../database/statement.ts';
import type { TaxRounding, TaxTier, TaxType } from '../pricing/pricing-facts.ts';

/** All SQL on taxes, delivery zones and payment types. */

export interface TaxRow {
  id: number;
  description: string;
  rate: string;
  tier: TaxTier;
  type: TaxType;
  included: boolean;
  encompass: boolean;
  exemptable: boolean;
  applies_to_fees: boolean;
  rounding: TaxRounding;
  excluded_category_ids: number[];
  non_exemptable_category_ids: number[];
}

/**
 * Which version of the terms is in force; grows with every change of what prices a cart (by triggers, so it
 * cannot be forgotten). No row: nothing has changed since versions are counted.
 */
export const selectTermsVersion = statement<Record<never, never>, { version: number }>(
  'select_terms_version',
  `select version from terms_versions where organization_id = :organizationId`,
);

const taxColumns = `id, description, rate, tier, type, included, encompass, exemptable, applies_to_fees, rounding,
          excluded_category_ids, non_exemptable_category_ids`;

/** A tax with its time; it is in force from its start until before its end. */
export type DatedTaxRow = TaxRow & { starts_at: number | null; ends_at: number | null };

/** All taxes, ended and coming ones too. */
export const selectTaxes = statement<Record<never, never>, DatedTaxRow>(
  'select_taxes',
  `select ${taxColumns}, starts_at, ends_at from taxes where organization_id = :organizationId order by tier, id`,
);

/** Of all taxes those in force at an instant. */
export function taxesInForce(taxes: readonly DatedTaxRow[], atMs: number): DatedTaxRow[] {
  return taxes.filter(
    ({ starts_at, ends_at }) =>
      (starts_at === null || starts_at <= atMs) && (ends_at === null || ends_at > atMs),
  );
}

/** The taxes in force at an instant: begun, and not ended. */
export const selectTaxesInForce = statement<{ at: string }, TaxRow>(
  'select_taxes_in_force',
  `select ${taxColumns}
     from taxes
    where organization_id = :organizationId
      and (starts_at is null or starts_at <= :at) and (ends_at is null or ends_at > :at)
    order by tier, id`,
);

export const insertTaxes = insertMany<{
  id: number;
  description: string;
  rate: string;
  tier: string;
  type: string;
  included: boolean;
  encompass: boolean;
  exemptable: boolean;
  appliesToFees: boolean;
  rounding: string;
  excludedCategoryIds: readonly number[];
  nonExemptableCategoryIds: readonly number[];
  startsAt: string | null;
  createdAt: string;
}>('taxes', {
  id: 'id',
  description: 'description',
  rate: 'rate',
  tier: 'tier',
  type: 'type',
  included: 'included',
  encompass: 'encompass',
  exemptable: 'exemptable',
  appliesToFees: 'applies_to_fees',
  rounding: 'rounding',
  excludedCategoryIds: 'excluded_category_ids',
  nonExemptableCategoryIds: 'non_exemptable_category_ids',
  startsAt: 'starts_at',
  createdAt: 'created_at',
});

export interface DeliveryZoneRow {
  id: number | null;
  order_minimum_cents: number | null;
  delivery_fee_cents: number | null;
  delivery_fee_description: string | null;
  inventory_location_ids: number[] | null;
  has_zones: boolean;
}

/**
 * The zone of a postal code, given as the patterns that fit it ("94607", "9460*", …, "9*"): point look-ups
 * on the primary key, longest pattern first. Always one row; `id` is null when no pattern fits, and
 * `has_zones` then says whether that refuses a delivery.
 */
export const selectDeliveryZone = statement<{ patterns: readonly string[] }, DeliveryZoneRow>(
  'select_delivery_zone',
  `select z.id, z.order_minimum_cents, z.delivery_fee_cents, z.delivery_fee_description,
          z.inventory_location_ids,
          exists (select from delivery_zones any_zone where any_zone.organization_id = :organizationId) as has_zones
     from (select 1) as one
     left join lateral (
       select c.delivery_zone_id from delivery_zone_postal_codes c
        where c.organization_id = :organizationId and c.pattern = any(:patterns)
        order by length(rtrim(c.pattern, '*')) desc, c.pattern limit 1) as fit on true
     left join delivery_zones z on z.organization_id = :organizationId and z.id = fit.delivery_zone_id`,
);

export const insertDeliveryZones = insertMany<{
  id: number;
  name: string;
  orderMinimumCents: number;
  deliveryFeeCents: number;
  deliveryFeeDescription: string | null;
  createdAt: string;
}>('delivery_zones', {
  id: 'id',
  name: 'name',
  orderMinimumCents: 'order_minimum_cents',
  deliveryFeeCents: 'delivery_fee_cents',
  deliveryFeeDescription: 'delivery_fee_description',
  createdAt: 'created_at',
});

export const insertDeliveryZonePostalCodes = insertMany<{ pattern: string; deliveryZoneId: number }>(
  'delivery_zone_postal_codes',
  { pattern: 'pattern', deliveryZoneId: 'delivery_zone_id' },
);

export interface PaymentTypeRow {
  id: number;
  name: string;
  fee_cents: number;
  fee_description: string | null;
  fee_percent: string;
  method: 'cash' | 'debit' | 'other' | 'processor';
  available_delivery: boolean;
  created_at: number;
}

/** D16: by id. Archived ones can no longer be used. */
export const selectPaymentTypes = statement<Record<never, never>, PaymentTypeRow>(
  'select_payment_types',
  `select id, name, fee_cents, fee_description, fee_percent, method, available_delivery, created_at
     from payment_types where organization_id = :organizationId and archived_at is null order by id`,
);

export const insertPaymentTypes = insertMany<{
  id: number;
  name: string;
  feeCents: number;
  feeDescription: string | null;
  feePercent: string;
  method: string;
  availableDelivery: boolean;
  createdAt: string;
}>('payment_types', {
  id: 'id',
  name: 'name',
  feeCents: 'fee_cents',
  feeDescription: 'fee_description',
  feePercent: 'fee_percent',
  method: 'method',
  availableDelivery: 'available_delivery',
  createdAt: 'created_at',
});
