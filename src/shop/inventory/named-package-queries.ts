import type { PackageBlock } from '../../engines/state-reports/state-package.ts';
import { statement } from '../../platform/statements/statement.ts';
import { expiredBy } from './inventory-queries.ts';
import type { PackageStatus } from './package-queries.ts';

/** SQL on packages that staff sell from by name. */

/** A package, and what of it is at one place. */
export interface NamedPackageRow {
  id: number;
  label: string;
  product_id: number | null;
  product_name: string | null;
  product_unit: 'gram' | 'item' | null;
  inventory_type: 'option' | 'product' | 'none' | null;
  status: PackageStatus;
  block: PackageBlock | null;
  hold_reason: string | null;
  trade_sample: boolean;
  expiration_date: string | null;
  is_expired: boolean;
  /** Null: nothing of it is left. */
  location_id: number | null;
  location_name: string | null;
  is_quarantine: boolean | null;
  on_hand: string | null;
}

/** Packages with what is left of them, those with most at a place first. */
export const selectNamedPackages = statement<{ ids: readonly number[]; at: string }, NamedPackageRow>(
  'select_named_packages',
  `select k.id, k.label, k.product_id, p.name as product_name, p.unit as product_unit, p.inventory_type, k.status,
          coalesce(k.state_block, case when k.on_hold then 'shop-hold' end) as block, k.hold_reason, k.trade_sample,
          k.expiration_date, coalesce(${expiredBy}, false) as is_expired,
          b.inventory_location_id as location_id, l.name as location_name, l.is_quarantine, b.on_hand
     from packages k
     left join products p on p.organization_id = k.organization_id and p.id = k.product_id
     left join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id and b.on_hand > 0
     left join inventory_locations l on l.organization_id = b.organization_id and l.id = b.inventory_location_id
    where k.organization_id = :organizationId and k.id = any(:ids::bigint[])
    order by k.id, b.on_hand desc, b.inventory_location_id`,
);
