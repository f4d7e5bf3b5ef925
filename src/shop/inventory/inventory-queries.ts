import type { PackageBlock } from '../../engines/state-reports/state-package.ts';
import { insertMany, insertRows, statement } from '../../platform/statements/statement.ts';
import { type PackageDetails, packageDetailColumns } from './package-details.ts';

/** All SQL on locations, packages, balances and the ledger. */

export interface LocationRow {
  id: number;
  name: string;
  description: string | null;
  type: 'standard' | 'vehicle';
}

/** D16: by id. Without archived locations. */
export const selectLocations = statement<Record<never, never>, LocationRow>(
  'select_locations',
  `select id, name, description, type from inventory_locations
    where organization_id = :organizationId and archived_at is null order by id`,
);

/** The location whose stock is not sold, held against archiving; no row before it is first needed. */
export const selectQuarantine = statement<Record<never, never>, { id: number }>(
  'select_quarantine',
  `select id from inventory_locations
    where organization_id = :organizationId and is_quarantine and archived_at is null for share`,
);

/** No row if another request has made it. */
export const insertQuarantine = statement<
  { id: number; name: string; description: string; createdAt: string },
  { id: number }
>(
  'insert_quarantine',
  `insert into inventory_locations (organization_id, id, name, description, type, is_quarantine, created_at)
   values (:organizationId, :id, :name, :description, 'standard', true, :createdAt)
   on conflict (organization_id) where is_quarantine and archived_at is null do nothing
   returning id`,
);

/** D48: the locations that each order type uses, in order. */
export const selectOrderTypeLocations = statement<
  Record<never, never>,
  { order_type: string; inventory_location_id: number }
>(
  'select_order_type_locations',
  `select order_type, inventory_location_id from order_type_locations
    where organization_id = :organizationId order by order_type, position`,
);

/** Deletes the order of locations, so that a new one can be inserted (D48). */
export const deleteOrderTypeLocations = statement<{ orderTypes: readonly string[] }, never>(
  'delete_order_type_locations',
  `delete from order_type_locations where organization_id = :organizationId and order_type = any(:orderTypes)`,
);

export interface SellableStockRow {
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  package_id: number;
  on_hand: string;
  package_label: string | null;
  package_unit: string | null;
  package_cost_per_unit: string | null;
}

/** Whether a package `k` with an expiration date is expired at `:at`. */
export const expiredBy = `(k.expiration_date < (
    select (:at::timestamptz at time zone z.tz)::date from organizations z where z.id = :organizationId))`;

/**
 * Packages on hold, here or at the state, trade samples, expired packages and packages that are not received are never sold (D53); a package
 * expires at the end of its day in the organization's time zone. Nothing in quarantine is sold. For a balance `b` and its package `k`, at `:at`.
 */
export const isSellable = `((b.package_id = 0 or (k.status = 'received' and not k.on_hold and k.state_block is null and not k.trade_sample
  and (k.expiration_date is null or not ${expiredBy})))
  and b.inventory_location_id <> coalesce((select q.id from inventory_locations q
    where q.organization_id = :organizationId and q.is_quarantine and q.archived_at is null), 0))`;

/** The sellable stock of some options' products, oldest package first (D24; loose stock counts as oldest). */
export const selectSellableStockOfOptions = statement<
  { optionIds: readonly number[]; at: string },
  SellableStockRow
>(
  'select_sellable_stock_of_options',
  `select b.product_id, b.product_option_id, b.inventory_location_id, b.package_id, b.on_hand,
          k.label as package_label, k.unit as package_unit, k.cost_per_unit as package_cost_per_unit
     from stock_balances b
     left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
    where b.organization_id = :organizationId and b.on_hand > 0 and ${isSellable}
      and b.product_id in (
        select o.product_id from product_options o
         where o.organization_id = :organizationId and o.id = any(:optionIds))
    order by k.received_at nulls first, b.package_id`,
);

/**
 * Locks the balances of some options' products, in key order to avoid deadlocks. Only for writes that lost a race for
 * stock once; the first attempt runs without these locks.
 */
export const lockStockOfOptions = statement<{ optionIds: readonly number[] }, never>(
  'lock_stock_of_options',
  `select 1 as locked from stock_balances b
    where b.organization_id = :organizationId and b.product_id in (
      select o.product_id from product_options o
       where o.organization_id = :organizationId and o.id = any(:optionIds))
    order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id
      for update of b`,
);

export interface StockLevelRow {
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  on_hand: string;
  sellable: string;
  /** Why some of it is not sold; null: all of it is. */
  block: PackageBlock | null;
}

const stockLevels = (condition: string): string =>
  `select b.product_id, b.product_option_id, b.inventory_location_id, sum(b.on_hand) as on_hand,
          coalesce(sum(b.on_hand) filter (where ${isSellable}), 0) as sellable,
          max(coalesce(k.state_block, case when k.on_hold then 'shop-hold' end)) filter (where k.status = 'received') as block
     from stock_balances b
     left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
    where b.organization_id = :organizationId and b.on_hand > 0 ${condition}
    group by b.product_id, b.product_option_id, b.inventory_location_id
    order by b.product_id, b.product_option_id, b.inventory_location_id`;

/** All stock, summed per item and location: stock on hand and sellable stock. For menus. */
export const selectStockLevels = statement<{ at: string }, StockLevelRow>(
  'select_stock_levels',
  stockLevels(''),
);

/** The same of some products. */
export const selectStockLevelsOfProducts = statement<
  { productIds: readonly number[]; at: string },
  StockLevelRow
>('select_stock_levels_of_products', stockLevels('and b.product_id = any(:productIds)'));

/** The same of the products of some options. */
export const selectStockLevelsOfOptions = statement<
  { optionIds: readonly number[]; at: string },
  StockLevelRow
>(
  'select_stock_levels_of_options',
  stockLevels(`and b.product_id in (select o.product_id from product_options o
      where o.organization_id = :organizationId and o.id = any(:optionIds))`),
);

/**
 * Decrements or increments any number of balances in one statement: the table's check constraint refuses to go below
 * zero, so nothing is sold twice. The rows are locked in key order first, to avoid deadlocks. A transaction that
 * waited applies its change to the committed value (READ COMMITTED reads the row again).
 */
export const moveBalances = statement<
  {
    productIds: readonly number[];
    optionIds: readonly number[];
    locationIds: readonly number[];
    packageIds: readonly number[];
    deltas: readonly string[];
  },
  never
>(
  'move_balances',
  `with moved as (
     select b.product_id, b.product_option_id, b.inventory_location_id, b.package_id, m.delta
       from unnest(:productIds::bigint[], :optionIds::bigint[], :locationIds::bigint[], :packageIds::bigint[],
                   :deltas::numeric[])
              as m(product_id, product_option_id, inventory_location_id, package_id, delta)
       join stock_balances b on b.organization_id = :organizationId and b.product_id = m.product_id
        and b.product_option_id = m.product_option_id and b.inventory_location_id = m.inventory_location_id
        and b.package_id = m.package_id
      order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id
        for update of b)
   update stock_balances b set on_hand = b.on_hand + moved.delta
     from moved
    where b.organization_id = :organizationId and b.product_id = moved.product_id
      and b.product_option_id = moved.product_option_id
      and b.inventory_location_id = moved.inventory_location_id and b.package_id = moved.package_id`,
);

export const stockGuard = 'stock_balances_never_negative';

export const insertLedgerEntries = insertRows<{
  id: number;
  productId: number;
  optionId: number;
  locationId: number;
  packageId: number;
  delta: string;
  cause: string;
  causeId: number;
  orderLineItemId: number | null;
  actor: string;
  createdAt: string;
}>('stock_ledger_entries', 'stock_ledger_entry_row', {
  id: 'id',
  productId: 'product_id',
  optionId: 'product_option_id',
  locationId: 'inventory_location_id',
  packageId: 'package_id',
  delta: 'delta',
  cause: 'cause',
  causeId: 'cause_id',
  orderLineItemId: 'order_line_item_id',
  actor: 'actor',
  createdAt: 'created_at',
});

export const insertLocations = insertMany<{
  id: number;
  name: string;
  description: string | null;
  type: string;
  createdAt: string;
}>('inventory_locations', {
  id: 'id',
  name: 'name',
  description: 'description',
  type: 'type',
  createdAt: 'created_at',
});

export const insertOrderTypeLocations = insertMany<{
  orderType: string;
  position: number;
  locationId: number;
}>('order_type_locations', {
  orderType: 'order_type',
  position: 'position',
  locationId: 'inventory_location_id',
});

export const insertPackages = insertMany<
  {
    id: number;
    label: string;
    productId: number | null;
    optionId: number | null;
    status: string;
    unit: string;
    initialAmount: string;
    /** What a manifest or a person says it has; null: a reception made the package. */
    announcedAmount: string | null;
    multiplier: string;
    costPerUnit: string | null;
    receivedAt: string | null;
    complianceTransferId: number | null;
    createdAt: string;
  } & PackageDetails
>('packages', {
  id: 'id',
  label: 'label',
  productId: 'product_id',
  optionId: 'product_option_id',
  status: 'status',
  unit: 'unit',
  initialAmount: 'initial_amount',
  announcedAmount: 'announced_amount',
  multiplier: 'multiplier',
  costPerUnit: 'cost_per_unit',
  receivedAt: 'received_at',
  complianceTransferId: 'compliance_transfer_id',
  createdAt: 'created_at',
  ...packageDetailColumns,
});

/** What files for a state say of a package. */
export interface PackageForFiles {
  id: number;
  label: string;
  external_id: string;
  product_id: number;
  product_option_id: number | null;
  product_name: string;
  option_name: string | null;
  strain: string | null;
  strain_type: string;
  category_id: number;
  unit: 'gram' | 'item';
  content: string | null;
  initial: string;
  on_hand: string;
  package_unit: string;
  /** Units of stock in one unit of the package. */
  multiplier: string;
  cost_per_unit: string | null;
  trade_sample: boolean;
  received_at: number;
  shipper_license: string | null;
  source_label: string | null;
  /** Why the state does not let it be sold. */
  state_block: string | null;
}

/** Packages of cannabis that the shop has, or finished after a moment, with their stock. */
export const selectPackagesForFiles = statement<{ finishedSince: string; limit: number }, PackageForFiles>(
  'select_packages_for_files',
  `select k.id, k.label, coalesce(k.external_id, k.label) as external_id, k.product_id, k.product_option_id,
          p.name as product_name, coalesce(o.name, o.amount::text) as option_name, p.strain, p.strain_type,
          p.primary_category_id as category_id, p.unit, o.content, k.initial_amount * k.multiplier as initial, k.unit as package_unit, k.multiplier,
          coalesce(b.on_hand, 0) as on_hand, k.cost_per_unit, k.trade_sample, k.received_at,
          t.shipper_license_number as shipper_license, k.original_source_label as source_label, k.state_block
     from packages k
     join products p on p.organization_id = k.organization_id and p.id = k.product_id
     join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id
     left join product_options o on o.organization_id = k.organization_id and o.id = k.product_option_id
     left join compliance_transfers t on t.organization_id = k.organization_id and t.id = k.compliance_transfer_id
     left join lateral (select sum(s.on_hand) as on_hand from stock_balances s
                         where s.organization_id = :organizationId and s.package_id = k.id) b on true
    where k.organization_id = :organizationId and k.received_at is not null and k.void_reason is null
      and c.cannabis_type <> 'none'
      and (k.status = 'received' or k.status = 'finished' and k.finished_at >= :finishedSince)
    order by k.id limit :limit`,
);

/** A place where a package lies or lay: of several, the one with the most. */
export const selectLocationOfPackage = statement<{ packageId: number }, { location_id: number }>(
  'select_location_of_package',
  `select inventory_location_id as location_id from stock_balances
    where organization_id = :organizationId and package_id = :packageId
    order by on_hand desc, inventory_location_id limit 1`,
);

/** Units of stock in one unit of each package. */
export const selectPackageMultipliers = statement<
  { ids: readonly number[] },
  { id: number; label: string; unit: string; multiplier: string }
>(
  'select_package_multipliers',
  `select id, label, unit, multiplier from packages where organization_id = :organizationId and id = any(:ids::bigint[])`,
);

export interface StockAtLocationRow {
  location_id: number;
  product_id: number;
  product_option_id: number;
  package_id: number;
  product_name: string;
  option_name: string | null;
  package_label: string | null;
  on_hand: string;
}

/** What is on hand at some locations, by item. */
export const selectStockAtLocations = statement<{ locationIds: readonly number[] }, StockAtLocationRow>(
  'select_stock_at_locations',
  `select b.inventory_location_id as location_id, b.product_id, b.product_option_id, b.package_id, p.name as product_name,
          o.name as option_name, k.label as package_label, trim_scale(b.on_hand)::text as on_hand
     from stock_balances b
     join products p on p.organization_id = b.organization_id and p.id = b.product_id
     left join product_options o on o.organization_id = b.organization_id and o.id = b.product_option_id
     left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
    where b.organization_id = :organizationId and b.inventory_location_id = any(:locationIds) and b.on_hand > 0
    order by p.name, b.product_id, b.product_option_id, b.package_id`,
);
