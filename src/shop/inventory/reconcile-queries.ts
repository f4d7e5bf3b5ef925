import { statement } from '../../platform/statements/statement.ts';

/** SQL that compares balances with the ledger. */

export interface StockDriftRow {
  product_id: number;
  product_option_id: number;
  inventory_location_id: number;
  package_id: number;
  balance: string;
  ledger: string;
}

/** Balances that differ from the sum of their ledger entries, in either table. Normally none. */
export const selectStockDrift = statement<Record<never, never>, StockDriftRow>(
  'select_stock_drift',
  `select product_id, product_option_id, inventory_location_id, package_id,
          coalesce(b.on_hand, 0) as balance, coalesce(l.total, 0) as ledger
     from (select product_id, product_option_id, inventory_location_id, package_id, on_hand
             from stock_balances where organization_id = :organizationId) b
     full join (select product_id, product_option_id, inventory_location_id, package_id, sum(delta) as total
             from stock_ledger_entries where organization_id = :organizationId
            group by product_id, product_option_id, inventory_location_id, package_id) l
       using (product_id, product_option_id, inventory_location_id, package_id)
    where coalesce(b.on_hand, 0) <> coalesce(l.total, 0)
    order by product_id, product_option_id, inventory_location_id, package_id`,
  { isLong: true },
);

/** Sets a balance to the sum of its ledger entries. Its row must be locked. */
export const setBalance = statement<
  { productId: number; optionId: number; locationId: number; packageId: number; onHand: string },
  never
>(
  'set_balance',
  `update stock_balances set on_hand = :onHand
    where organization_id = :organizationId and product_id = :productId and product_option_id = :optionId
      and inventory_location_id = :locationId and package_id = :packageId`,
);
