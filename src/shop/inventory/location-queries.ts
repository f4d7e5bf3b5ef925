import { type BoundStatement, statement } from '../../platform/database/statement.ts';

/** SQL on locations for staff, including archived ones. */

export interface KeptLocationRow {
  id: number;
  name: string;
  description: string | null;
  type: 'standard' | 'vehicle';
  created_at: number;
  /** Null: never changed. */
  updated_at: number | null;
  archived_at: number | null;
}

/** D16: by id. */
export const selectKeptLocations = statement<Record<never, never>, KeptLocationRow>(
  'select_kept_locations',
  `select id, name, description, type, created_at, updated_at, archived_at from inventory_locations
    where organization_id = :organizationId order by id`,
);

/**
 * Writers that name locations in order types or zones lock the organization's settings; archiving and these writes
 * wait for each other.
 */
export const lockSettings = statement<Record<never, never>, never>(
  'lock_settings',
  `select 1 as locked from organizations where id = :organizationId for no key update`,
);

/** Writers that add stock to the location lock it too, so they wait for this transaction. */
export const lockLocation = statement<{ id: number }, KeptLocationRow>(
  'lock_location',
  `select id, name, description, type, created_at, updated_at, archived_at from inventory_locations
    where organization_id = :organizationId and id = :id for update`,
);

export const updateLocationRow = statement<
  { id: number; name: string; description: string | null; type: string; updatedAt: string },
  never
>(
  'update_location_row',
  `update inventory_locations set name = :name, description = :description, type = :type, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const archiveLocationRow = statement<{ id: number; archivedAt: string }, never>(
  'archive_location_row',
  `update inventory_locations set archived_at = :archivedAt, updated_at = :archivedAt
    where organization_id = :organizationId and id = :id`,
);

/** Locks the balances of a location, in key order, so that the following check stays true. */
export const lockStockOfLocation = statement<{ id: number }, never>(
  'lock_stock_of_location',
  `select 1 as locked from stock_balances b
    where b.organization_id = :organizationId and b.inventory_location_id = :id
    order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id
      for update of b`,
);

export interface LocationUseRow {
  stock_item: string | null;
  order_type: string | null;
}

/** The reasons in the stock against archiving a location: an example of each, or null. Always one row. */
export const selectLocationUse = statement<{ id: number }, LocationUseRow>(
  'select_location_use',
  `select (select p.name from stock_balances b
             join products p on p.organization_id = b.organization_id and p.id = b.product_id
            where b.organization_id = :organizationId and b.inventory_location_id = :id and b.on_hand > 0
            order by p.id limit 1) as stock_item,
          (select t.order_type from order_type_locations t
            where t.organization_id = :organizationId and t.inventory_location_id = :id
            order by t.order_type limit 1) as order_type`,
);

type AskUser = (parameters: { locationId: number }) => BoundStatement<{ name: string }>;

/**
 * Ask the slices above which delivery zone draws from a location, and which open order would give stock back to it:
 * one each, or no row. `app.ts` hands them in: inventory stands below both slices.
 */
export interface LocationUsers {
  readonly zone: AskUser;
  readonly order: AskUser;
}
