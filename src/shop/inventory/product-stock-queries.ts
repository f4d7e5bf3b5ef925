import { statement } from '../../platform/statements/statement.ts';

/** SQL that takes changes of stock into the sums of products. */

/** Some products with changes that their sums lack. */
const chosen = `select distinct product_id from product_stock_changes
      where organization_id = :organizationId order by product_id limit :productsMax::bigint`;

/** A product from a copy of the tables may lack its sum. */
export const ensureProductStocks = statement<{ productsMax: number }, never>(
  'ensure_product_stocks',
  `insert into product_stocks (organization_id, product_id, on_hand_millionths)
   select p.organization_id, p.id, 0
     from (${chosen}) c
     join products p on p.organization_id = :organizationId and p.id = c.product_id
   on conflict do nothing`,
);

/** Two processes that change the same sums take turns here; no sale takes these locks. */
export const lockProductStocks = statement<{ productsMax: number }, { product_id: number }>(
  'lock_product_stocks',
  `select product_id from product_stocks
    where organization_id = :organizationId and product_id in (${chosen})
    order by product_id for update`,
);

/**
 * Sums the balances of locked products and deletes their changes, on one snapshot, which begins after the lock: a change that is
 * committed later is in neither, and is kept.
 */
export const foldProductStocks = statement<{ productIds: readonly number[] }, { changes: number }>(
  'fold_product_stocks',
  `with taken as (
     delete from product_stock_changes
      where organization_id = :organizationId and product_id = any(:productIds::bigint[])
     returning 1),
   summed as (
     update product_stocks s set on_hand_millionths = b.millionths
       from (select p.id, stock_millionths(sum(b.on_hand)) as millionths
               from unnest(:productIds::bigint[]) as p(id)
               left join stock_balances b on b.organization_id = :organizationId and b.product_id = p.id
              group by p.id) b
      where s.organization_id = :organizationId and s.product_id = b.id and s.on_hand_millionths <> b.millionths)
   select count(*)::int as changes from taken`,
);
