import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on delivery zones. */

export interface DeliveryZoneRow {
  id: number | null;
  order_minimum_cents: number | null;
  delivery_fee_cents: number | null;
  delivery_fee_description: string | null;
  inventory_location_ids: number[] | null;
  /**
   * Exactly these of the taxes in force are charged on deliveries to the zone; null: all except those for zones only.
   */
  tax_ids: number[] | null;
  has_zones: boolean;
}

/**
 * The zone of a ZIP code, given as the patterns that match it ("94607", "9460*", …, "9*"): point lookups on the
 * primary key, longest pattern first. Always one row; `id` is null when no pattern matches, and `has_zones` then says
 * whether the delivery is refused.
 */
export const selectDeliveryZone = statement<{ patterns: readonly string[] }, DeliveryZoneRow>(
  'select_delivery_zone',
  `select z.id, z.order_minimum_cents, z.delivery_fee_cents, z.delivery_fee_description,
          z.inventory_location_ids, z.tax_ids,
          exists (select from delivery_zones any_zone where any_zone.organization_id = :organizationId) as has_zones
     from (select 1) as one
     left join lateral (
       select c.delivery_zone_id from delivery_zone_postal_codes c
        where c.organization_id = :organizationId and c.pattern = any(:patterns)
        order by length(rtrim(c.pattern, '*')) desc, c.pattern limit 1) as fit on true
     left join delivery_zones z on z.organization_id = :organizationId and z.id = fit.delivery_zone_id`,
);

/** A zone in the form of its setting. */
export interface ZoneRow {
  id: number;
  name: string;
  postalCodes: string[];
  orderMinimum: number;
  deliveryFee: number;
  deliveryFeeDescription: string | null;
  taxIds: number[] | null;
  inventoryLocationIds: number[];
  createdAt: number;
  updatedAt: number;
  archivedAt: null;
}

/** All zones by id, with their ZIP codes: grouped, because zones have no index on them. */
export const selectZones = statement<Record<never, never>, ZoneRow>(
  'list_delivery_zones',
  `select z.id, z.name, coalesce(c.patterns, '{}') as "postalCodes", z.order_minimum_cents as "orderMinimum",
          z.delivery_fee_cents as "deliveryFee", z.delivery_fee_description as "deliveryFeeDescription",
          z.tax_ids as "taxIds", z.inventory_location_ids as "inventoryLocationIds", z.created_at as "createdAt",
          coalesce(z.updated_at, z.created_at) as "updatedAt", null::timestamptz as "archivedAt"
     from delivery_zones z
     left join (select delivery_zone_id, array_agg(pattern order by pattern) as patterns
                  from delivery_zone_postal_codes where organization_id = :organizationId group by 1) as c
       on c.delivery_zone_id = z.id
    where z.organization_id = :organizationId order by z.id`,
);

/** The other zones that have some of these ZIP codes. */
export const selectZonesOfPatterns = statement<
  { patterns: readonly string[]; exceptId: number },
  { pattern: string; name: string }
>(
  'select_zones_of_patterns',
  `select c.pattern, z.name from delivery_zone_postal_codes c
     join delivery_zones z on z.organization_id = c.organization_id and z.id = c.delivery_zone_id
    where c.organization_id = :organizationId and c.pattern = any(:patterns) and z.id <> :exceptId
    order by c.pattern`,
);

/** A tax that replaces another one replaces it in the zones too. The former one stays: it may still be in force. */
export const addTaxToZones = statement<{ formerId: number; id: number; at: string }, never>(
  'add_tax_to_zones',
  `update delivery_zones set tax_ids = tax_ids || :id::bigint, updated_at = :at
    where organization_id = :organizationId and tax_ids @> array[:formerId::bigint]
      and not tax_ids @> array[:id::bigint]`,
);

export const deleteZonePatterns = statement<{ deliveryZoneId: number; patterns: readonly string[] }, never>(
  'delete_zone_patterns',
  `delete from delivery_zone_postal_codes
    where organization_id = :organizationId and delivery_zone_id = :deliveryZoneId and pattern = any(:patterns)`,
);

export const insertDeliveryZones = insertMany<{
  id: number;
  name: string;
  orderMinimumCents: number;
  deliveryFeeCents: number;
  deliveryFeeDescription: string | null;
  inventoryLocationIds: readonly number[];
  taxIds: readonly number[] | null;
  createdAt: string;
}>('delivery_zones', {
  id: 'id',
  name: 'name',
  orderMinimumCents: 'order_minimum_cents',
  deliveryFeeCents: 'delivery_fee_cents',
  deliveryFeeDescription: 'delivery_fee_description',
  inventoryLocationIds: 'inventory_location_ids',
  taxIds: 'tax_ids',
  createdAt: 'created_at',
});

export const insertDeliveryZonePostalCodes = insertMany<{ pattern: string; deliveryZoneId: number }>(
  'delivery_zone_postal_codes',
  { pattern: 'pattern', deliveryZoneId: 'delivery_zone_id' },
);

/** The first delivery zone that draws from a location. Inventory asks by it, through its caller. */
export const selectZoneAtLocation = statement<{ locationId: number }, { name: string }>(
  'select_zone_at_location',
  `select name from delivery_zones
    where organization_id = :organizationId and inventory_location_ids @> array[:locationId::bigint]
    order by id limit 1`,
);
