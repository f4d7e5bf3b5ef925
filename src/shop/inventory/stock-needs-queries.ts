import { statement } from '../../platform/statements/statement.ts';

interface StockNeedRow {
  product_id: number;
  /** 0: stock is kept per product. */
  product_option_id: number;
  product_name: string;
  option_name: string | null;
  unit: 'gram' | 'item';
  /** What can be sold of it, at all locations. */
  on_hand: string;
  /** What left the stock by sales since the moment, less what came back. */
  sold: string;
  /** The number of all, not only of those shown. */
  count: number;
}

/**
 * Items that do not last: what can be sold is less than what sold since a moment, times `weeks` divided by `ofWeeks`. Exact. The
 * shortest lasting first; ties by product and option. By the ledger, because sales of an option are in no sum: a range of the
 * index for each location, so its length follows the sales of those weeks and not the age of the shop.
 */
export const selectStockNeeds = statement<
  { since: string; today: string; weeks: number; ofWeeks: number; rowsMax: number },
  StockNeedRow
>(
  'select_stock_needs',
  `with sold as (
       select e.product_id, e.product_option_id, -sum(e.delta) as amount
         from inventory_locations l
         join stock_ledger_entries e on e.organization_id = :organizationId and e.inventory_location_id = l.id
          and e.created_at >= :since::timestamptz
        where l.organization_id = :organizationId and e.cause in ('taken', 'given-back', 'returned')
        group by e.product_id, e.product_option_id having sum(e.delta) < 0
     ), held as (
       select sold.product_id, sold.product_option_id, sold.amount,
              coalesce(sum(b.on_hand) filter (where b.package_id = 0 or (k.status = 'received' and not k.on_hold
                and k.state_block is null and not k.trade_sample and (k.expiration_date is null or k.expiration_date >= :today::date))), 0) as on_hand
         from sold
         left join stock_balances b on b.organization_id = :organizationId and b.product_id = sold.product_id
          and b.product_option_id = sold.product_option_id
         left join packages k on k.organization_id = :organizationId and k.id = b.package_id
        group by sold.product_id, sold.product_option_id, sold.amount
     )
   select h.product_id, h.product_option_id, p.name as product_name, o.name as option_name, p.unit,
          trim_scale(h.on_hand)::text as on_hand, trim_scale(h.amount)::text as sold, count(*) over ()::integer as count
     from held h
     join products p on p.organization_id = :organizationId and p.id = h.product_id and p.deleted_at is null
     left join product_options o on o.organization_id = :organizationId and o.id = h.product_option_id
    where o.deleted_at is null and h.on_hand * :ofWeeks::bigint < h.amount * :weeks::bigint
    order by h.on_hand / h.amount, h.product_id, h.product_option_id limit :rowsMax`,
  { isLong: true },
);
