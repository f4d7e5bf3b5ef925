import { statement } from '../database/statement.ts';

/* Reads what other slices write, and writes nothing. Every report is one statement over a range of one index. */

export const selectReportZone = statement<Record<never, never>, { tz: string }>(
  'select_report_zone',
  'select tz from organizations where id = :organizationId',
);

export interface SalesRow {
  /** Of the last row: what all rows are together. */
  is_total: boolean;
  key: string | null;
  name: string | null;
  orders: number;
  units: number;
  gross_cents: number;
  net_cents: number;
  tax_cents: number;
  refunds_cents: number;
  refunded_tax_cents: number;
}

/**
 * Everything is summed over lines, which hold their shares of what lies on the whole order: however it is grouped, the
 * sums are the same to the cent. An order with lines in several groups counts in each, and once in the total.
 */
const sales = (key: string, name: string): string =>
  `with sold as (
     select ${key} as key, ${name} as name, o.id as order_id, l.quantity, l.subtotal_price_cents, l.gross_cents,
            (select coalesce(sum((a ->> 'amountCents')::bigint), 0)
               from jsonb_array_elements(l.tax_allocations) a) as tax_cents,
            coalesce(back.refund_cents, 0) as refund_cents, coalesce(back.tax_cents, 0) as refunded_tax_cents
       from orders o
       join order_line_items l on l.organization_id = o.organization_id and l.order_id = o.id
       left join lateral (
         select sum(rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents) as refund_cents,
                sum((select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                       from jsonb_array_elements(rl.tax_shares) a)) as tax_cents
           from order_return_lines rl
           join order_returns r on r.organization_id = rl.organization_id and r.id = rl.order_return_id
          where rl.organization_id = l.organization_id and rl.order_id = l.order_id
            and rl.order_line_item_id = l.id and r.voided_at is null and r.refund_type <> 'none'
       ) back on l.returned_quantity > 0
      where o.organization_id = :organizationId and o.status = 'fulfilled'
        and o.fulfilled_at >= :from and o.fulfilled_at < :until
   )
   select grouping(key) = 1 as is_total, key, max(name) as name, count(distinct order_id) as orders,
          coalesce(sum(quantity), 0)::bigint as units,
          coalesce(sum(subtotal_price_cents), 0)::bigint as gross_cents,
          coalesce(sum(gross_cents), 0)::bigint as net_cents, coalesce(sum(tax_cents), 0)::bigint as tax_cents,
          coalesce(sum(refund_cents), 0)::bigint as refunds_cents,
          coalesce(sum(refunded_tax_cents), 0)::bigint as refunded_tax_cents
     from sold group by grouping sets ((key), ()) order by is_total, key`;

type Range = { from: string; until: string };

export const selectSalesByDay = statement<Range & { tz: string }, SalesRow>(
  'select_sales_by_day',
  sales(
    `to_char(o.fulfilled_at at time zone :tz, 'YYYY-MM-DD')`,
    `to_char(o.fulfilled_at at time zone :tz, 'YYYY-MM-DD')`,
  ),
);

export const selectSalesByCategory = statement<Range, SalesRow>(
  'select_sales_by_category',
  sales('l.product_category_id::text', 'l.product_category_name'),
);

export const selectSalesByProduct = statement<Range, SalesRow>(
  'select_sales_by_product',
  sales('l.product_id::text', 'l.product_name'),
);

export const selectSalesByType = statement<Range, SalesRow>(
  'select_sales_by_type',
  sales('o.type', 'o.type'),
);

export const selectSalesBySource = statement<Range, SalesRow>(
  'select_sales_by_source',
  sales('o.source', 'o.source'),
);

export interface TaxRow {
  is_total: boolean;
  tax_id: number | null;
  description: string | null;
  rate: string | null;
  included: boolean | null;
  orders: number;
  goods_cents: number;
  fees_cents: number;
  exempted_cents: number;
  refunded_cents: number;
}

export const selectTaxes = statement<Range, TaxRow>(
  'select_taxes_charged',
  `with charged as (
     select t.tax_id, t.description, t.rate, t.included, t.order_id, t.amount_cents, t.fee_allocation_cents,
            t.amount_exempted_cents,
            (select coalesce(sum(-rt.amount_cents), 0)
               from order_returns r
               join order_return_taxes rt on rt.organization_id = r.organization_id and rt.order_return_id = r.id
              where r.organization_id = o.organization_id and r.order_id = o.id and rt.tax_id = t.tax_id
                and r.voided_at is null and r.refund_type <> 'none') as refunded_cents
       from orders o
       join order_taxes t on t.organization_id = o.organization_id and t.order_id = o.id
      where o.organization_id = :organizationId and o.status = 'fulfilled'
        and o.fulfilled_at >= :from and o.fulfilled_at < :until
   )
   select grouping(tax_id) = 1 as is_total, tax_id, description, trim_scale(rate)::text as rate, included,
          count(distinct order_id) as orders,
          coalesce(sum(amount_cents - fee_allocation_cents), 0)::bigint as goods_cents,
          coalesce(sum(fee_allocation_cents), 0)::bigint as fees_cents,
          coalesce(sum(amount_exempted_cents), 0)::bigint as exempted_cents,
          coalesce(sum(refunded_cents), 0)::bigint as refunded_cents
     from charged group by grouping sets ((tax_id, description, rate, included), ())
    order by is_total, tax_id, description, rate, included`,
);

export interface InventoryValueRow {
  is_total: boolean;
  location_id: number | null;
  name: string | null;
  value: string;
  items: number;
  without_cost: number;
}

/** Stock that is kept for a product as a whole (option 0) has the product's cost, any other its option's. */
export const selectInventoryValue = statement<Record<never, never>, InventoryValueRow>(
  'select_inventory_value',
  `with lying as (
     select l.id as location_id, l.name, b.on_hand * c.cost as value, c.cost is null as lacks_cost,
            b.product_id, b.product_option_id
       from stock_balances b
       join inventory_locations l on l.organization_id = b.organization_id and l.id = b.inventory_location_id
       join products p on p.organization_id = b.organization_id and p.id = b.product_id
       left join product_options v on v.organization_id = b.organization_id and v.id = b.product_option_id
       cross join lateral (
         select case when b.product_option_id = 0 then p.moving_average_cost_per_unit
                     else v.moving_average_cost_per_unit end as cost) c
      where b.organization_id = :organizationId and b.on_hand > 0
   )
   select grouping(location_id) = 1 as is_total, location_id, max(name) as name,
          trim_scale(coalesce(sum(value), 0))::text as value, count(distinct (product_id, product_option_id)) as items,
          count(distinct (product_id, product_option_id)) filter (where lacks_cost) as without_cost
     from lying group by grouping sets ((location_id), ()) order by is_total, location_id`,
);
