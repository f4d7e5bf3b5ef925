import type { PackageBlock, StateBlock } from '../../engines/state-reports/state-package.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { PackageStatus } from './package-queries.ts';

/** SQL on what the state's system says of packages here. */

/** Whose stock it is: of one location, or of all but some. */
export type OfLocations = { readonly only: number | null; readonly others: readonly number[] };

const ofLocations = `(:only::bigint is null or b.inventory_location_id = :only::bigint)
      and not b.inventory_location_id = any(:others::bigint[])`;

/** For orders `o`: they are accepted, and what they hold has left the shelf and not the shop. */
const isAccepted = `o.type = any(array['delivery', 'pickup', 'in-store'])
          and o.status = any(array['new', 'packed'])`;

export interface PackagedStockRow {
  id: number;
  label: string;
  unit: string;
  multiplier: string;
  status: PackageStatus;
  /** In units of stock, with what accepted orders hold. */
  on_hand: string;
}

/**
 * Packages with stock at some locations. What accepted orders hold has left the shelf and not the shop: the state hears of it when they
 * are handed over, so it counts here, from the same snapshot.
 */
export const selectPackagedStock = statement<OfLocations, PackagedStockRow>(
  'select_packaged_stock',
  `select k.id, k.label, k.unit, k.multiplier, k.status, sum(b.amount) as on_hand
     from (
       select package_id, inventory_location_id, on_hand as amount from stock_balances
        where organization_id = :organizationId and on_hand > 0
       union all
       select f.package_id, f.inventory_location_id, f.amount from orders o
         join order_line_fulfillments f on f.organization_id = o.organization_id and f.order_id = o.id
        where o.organization_id = :organizationId and ${isAccepted}) b
     join packages k on k.organization_id = :organizationId and k.id = b.package_id
    where ${ofLocations}
    group by k.id, k.label, k.unit, k.multiplier, k.status order by k.id`,
);

/** Whether accepted orders hold goods of a package. */
export const selectIsPackageHeld = statement<{ packageId: number }, { is_held: boolean }>(
  'select_is_package_held',
  `select exists (select from orders o
         join order_line_fulfillments f on f.organization_id = o.organization_id and f.order_id = o.id
        where o.organization_id = :organizationId and ${isAccepted} and f.package_id = :packageId) as is_held`,
);

/** Packages by their labels, with or without stock. */
export const selectLabelledPackages = statement<
  { labels: readonly string[] },
  Omit<PackagedStockRow, 'on_hand'>
>(
  'select_labelled_packages',
  `select id, label, unit, multiplier, status from packages
    where organization_id = :organizationId and label = any(:labels)`,
);

/** Locks and returns the balances of a package at some locations, those with most stock first. */
export const lockBalancesOfPackage = statement<
  { id: number } & OfLocations,
  { product_id: number; product_option_id: number; inventory_location_id: number; on_hand: string }
>(
  'lock_balances_of_package',
  `select b.product_id, b.product_option_id, b.inventory_location_id, b.on_hand from stock_balances b
    where b.organization_id = :organizationId and b.package_id = :id and ${ofLocations}
    order by b.on_hand desc, b.product_id, b.product_option_id, b.inventory_location_id for update of b`,
);

/**
 * Packages among them, or with stock of the products of options, that the state does not let be sold, or that the shop has put
 * on hold: the first by label.
 */
export const selectBlockedPackages = statement<
  { ids: readonly number[]; optionIds: readonly number[] },
  { id: number; label: string; block: PackageBlock; hold_reason: string | null }
>(
  'select_blocked_packages',
  `select k.id, k.label, coalesce(k.state_block, 'shop-hold') as block, k.hold_reason from packages k
    where k.organization_id = :organizationId and (k.state_block is not null or k.on_hold) and k.status = 'received'
      and (k.id = any(:ids) or k.product_id in (select o.product_id from product_options o
                                                 where o.organization_id = :organizationId and o.id = any(:optionIds)))
    order by k.label limit 1`,
);

/** The last movements of some packages, the latest first. */
export const selectLastMovements = statement<
  { ids: readonly number[]; ofEach: number },
  { package_id: number; cause: string; delta: string; created_at: number; reason: string | null }
>(
  'select_last_movements_of_packages',
  `select e.package_id, e.cause, e.delta, e.created_at, s.reason
     from unnest(:ids::bigint[]) as k(id)
     cross join lateral (select l.package_id, l.cause, l.cause_id, l.delta, l.created_at, l.id from stock_ledger_entries l
                          where l.organization_id = :organizationId and l.package_id = k.id
                          order by l.created_at desc, l.id desc limit :ofEach) e
     left join stock_operations s on s.organization_id = :organizationId and s.id = e.cause_id
    order by e.package_id, e.created_at desc, e.id desc`,
);

/** The packages that change by it, as they are now. A fact that is null leaves what is known. */
export const setStateFacts = statement<{ facts: string }, { id: number; state_block: StateBlock | null }>(
  'set_state_facts',
  `update packages k
      set state_block = case when f.block = 'keep' then k.state_block else f.block end, wholesale_cents = coalesce(f.wholesale_cents, k.wholesale_cents),
          lab_name = coalesce(k.lab_name, f.lab_name), lab_license = coalesce(k.lab_license, f.lab_license),
          lab_date = coalesce(k.lab_date, f.lab_date), thc_percent = coalesce(k.thc_percent, f.thc_percent),
          cbd_percent = coalesce(k.cbd_percent, f.cbd_percent),
          initial_amount = case when k.status = 'ready' then coalesce(f.announced, k.initial_amount) else k.initial_amount end,
          announced_amount = case when k.status = 'ready' then coalesce(f.announced, k.announced_amount) else k.announced_amount end
     from jsonb_to_recordset(:facts::jsonb) as f(label text, block text, wholesale_cents bigint, announced numeric, lab_name text,
            lab_license text, lab_date date, thc_percent numeric, cbd_percent numeric)
    where k.organization_id = :organizationId and k.label = f.label
      and ((f.block is distinct from 'keep' and k.state_block is distinct from f.block)
           or k.wholesale_cents is distinct from coalesce(f.wholesale_cents, k.wholesale_cents)
           or (k.status = 'ready' and k.announced_amount <> f.announced)
           or (k.lab_name is null and f.lab_name is not null) or (k.lab_date is null and f.lab_date is not null)
           or (k.thc_percent is null and f.thc_percent is not null) or (k.cbd_percent is null and f.cbd_percent is not null))
   returning k.id, k.state_block`,
);
