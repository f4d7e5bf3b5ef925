import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on the owner's limits of offline sales. */

export interface OfflineLimitRow {
  id: number;
  /** Null: of the organization. */
  inventory_location_id: number | null;
  is_on: boolean;
  hours_max: number;
  sale_cents_max: number;
  outage_cents_max: number;
  updated_at: number;
}

/** Those of the organization first, then by location. */
export const selectOfflineLimits = statement<Record<never, never>, OfflineLimitRow>(
  'select_offline_limits',
  `select id, inventory_location_id, is_on, hours_max, sale_cents_max, outage_cents_max, updated_at
     from offline_sale_limits where organization_id = :organizationId
    order by inventory_location_id nulls first`,
);

/** Until the commit, no other transaction changes them; an advisory lock, because they may have no row yet. */
export const lockOfflineLimits = statement<Record<never, never>, never>(
  'lock_offline_limits',
  `select pg_advisory_xact_lock(hashtextextended('offline limits of ' || (:organizationId::bigint)::text, 0))`,
);

export const deleteOfflineLimits = statement<Record<never, never>, never>(
  'delete_offline_limits',
  'delete from offline_sale_limits where organization_id = :organizationId',
);

export const insertOfflineLimits = insertMany<{
  id: number;
  inventoryLocationId: number | null;
  isOn: boolean;
  hoursMax: number;
  saleCentsMax: number;
  outageCentsMax: number;
  updatedAt: string;
}>('offline_sale_limits', {
  id: 'id',
  inventoryLocationId: 'inventory_location_id',
  isOn: 'is_on',
  hoursMax: 'hours_max',
  saleCentsMax: 'sale_cents_max',
  outageCentsMax: 'outage_cents_max',
  updatedAt: 'updated_at',
});
