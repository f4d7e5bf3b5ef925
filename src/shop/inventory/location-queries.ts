import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/** What archiving a location locks and asks. */

/**
 * Writers that name locations in order types or zones lock the organization's settings; archiving and these writes
 * wait for each other.
 */
export const lockSettings = statement<Record<never, never>, never>(
  'lock_settings',
  `select 1 as locked from organizations where id = :organizationId for no key update`,
);

/** Locks the balances of a location, in key order, so that the following check stays true. */
export const lockStockOfLocation = statement<{ id: number }, never>(
  'lock_stock_of_location',
  `select 1 as locked from stock_balances b
    where b.organization_id = :organizationId and b.inventory_location_id = :id
    order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id
      for update of b`,
);

interface LocationUseRow {
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
