import { statement } from '../../platform/statements/statement.ts';

/** SQL that creates and locks balances for writes that read them before changing them. */

/** Keys of balances, one by one. */
type BalanceKeys = {
  productIds: readonly number[];
  optionIds: readonly number[];
  locationIds: readonly number[];
  packageIds: readonly number[];
};

/** Creates missing balances with 0, in key order like every lock on them. */
export const ensureBalances = statement<BalanceKeys, never>(
  'ensure_balances',
  `insert into stock_balances (organization_id, product_id, product_option_id, inventory_location_id, package_id,
                               on_hand)
   select :organizationId::bigint, product_id, product_option_id, inventory_location_id, package_id, 0
     from unnest(:productIds::bigint[], :optionIds::bigint[], :locationIds::bigint[], :packageIds::bigint[])
            as k(product_id, product_option_id, inventory_location_id, package_id)
    order by product_id, product_option_id, inventory_location_id, package_id
       on conflict do nothing`,
);

/** Locks balances in key order and returns their values after any waiting. `position` starts at 1. */
export const lockBalances = statement<BalanceKeys, { position: number; on_hand: string }>(
  'lock_balances',
  `select k.position, b.on_hand
     from unnest(:productIds::bigint[], :optionIds::bigint[], :locationIds::bigint[], :packageIds::bigint[])
            with ordinality
            as k(product_id, product_option_id, inventory_location_id, package_id, position)
     join stock_balances b on b.organization_id = :organizationId and b.product_id = k.product_id
      and b.product_option_id = k.product_option_id and b.inventory_location_id = k.inventory_location_id
      and b.package_id = k.package_id
    order by b.product_id, b.product_option_id, b.inventory_location_id, b.package_id
      for update of b`,
);
