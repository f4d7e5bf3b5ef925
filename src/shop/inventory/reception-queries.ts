import { statement } from '../../platform/statements/statement.ts';
import type { StockedGoods } from './package-units.ts';
import type { StockedProductRow } from './stock-operation-queries.ts';

/** SQL that receives stock. */

/**
 * Locked exclusively, because their costs are read and written. Transactions that share-lock them for a movement wait,
 * or are waited for.
 */
export const lockCostedProducts = statement<{ ids: readonly number[] }, StockedProductRow & StockedGoods>(
  'lock_costed_products',
  `select id, name, unit, inventory_type from products
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null order by id
      for no key update`,
);

/** The cost of an item, its total stock and its stock in one package. */
export interface CostRow {
  product_id: number;
  option_id: number;
  package_id: number;
  cost_per_unit: string | null;
  on_hand: string;
  package_on_hand: string;
}

export const selectCostsOfItems = statement<
  { productIds: readonly number[]; optionIds: readonly number[]; packageIds: readonly number[] },
  CostRow
>(
  'select_costs_of_items',
  `select i.product_id, i.option_id, i.package_id,
          case when i.option_id = 0 then p.moving_average_cost_per_unit
               else o.moving_average_cost_per_unit end as cost_per_unit, s.on_hand, s.package_on_hand
     from (select distinct product_id, option_id, package_id
             from unnest(:productIds::bigint[], :optionIds::bigint[], :packageIds::bigint[])
                    as u(product_id, option_id, package_id)) i
     join products p on p.organization_id = :organizationId and p.id = i.product_id
     left join product_options o on o.organization_id = :organizationId and o.id = i.option_id
     cross join lateral (
       select coalesce(sum(b.on_hand), 0) as on_hand,
              coalesce(sum(b.on_hand) filter (where b.package_id = i.package_id), 0) as package_on_hand
         from stock_balances b
        where b.organization_id = :organizationId and b.product_id = i.product_id
          and b.product_option_id = i.option_id) s`,
);
