import { statement } from '../database/statement.ts';

/* Reads other slices' tables and writes none. Every report is one statement over one index range. */

export const selectReportZone = statement<Record<never, never>, { tz: string }>(
  'select_report_zone',
  'select tz from organizations where id = :organizationId',
);

export interface SalesRow {
  /** The last row: the total of all rows. */
  is_total: boolean;
  key: string | null;
  name: string | null;
  orders: number;
  units: number;
  gross_cents: number;
  net_cents: number;
  adjustments_cents: number;
  credits_cents: number;
  tax_cents: number;
  refunds_cents: number;
  refunded_adjustments_cents: number;
  refunded_credits_cents: number;
  refunded_tax_cents: number;
  other_refunds_cents: number;
}

/**
 * Goods are summed over lines, which contain their shares of discounts. Amounts of a whole order (adjustments,
 * credits, tax on the delivery fee) are summed over orders, including what returns refunded of them. Every grouping
 * gives the same sums, to the cent. An order that counts in several groups counts once in the total.
 *
 * A return's share of a tax includes the tax on the fee: the goods' part of it is the line's tax by returned units,
 * complete with the last unit, and the rest belongs to the fee.
 */
const sales = (
  [key, name]: readonly [string, string],
  [keyOfWhole, nameOfWhole]: readonly [string, string],
): string =>
  `with taken as (
     select o.organization_id, o.id, o.type, o.source, o.fulfilled_at
       from orders o
      where o.organization_id = :organizationId and o.status = 'fulfilled'
        and o.fulfilled_at >= :from and o.fulfilled_at < :until
   ), lines as (
     select o.id as order_id, ${key} as key, ${name} as name, ${keyOfWhole} as key_of_whole,
            ${nameOfWhole} as name_of_whole, l.quantity, l.subtotal_price_cents, l.gross_cents, charged.tax_cents,
            coalesce(back.refund_cents, 0) as refund_cents,
            least(back.tax_cents, floor(charged.tax_cents::numeric * back.quantity / l.quantity)) as goods_tax_cents,
            back.tax_cents as back_tax_cents, back.adjustments_cents, back.credits_cents, back.other_cents
       from taken o
       join order_line_items l on l.organization_id = o.organization_id and l.order_id = o.id
       cross join lateral (
         select coalesce(sum((a ->> 'amountCents')::bigint), 0) as tax_cents
           from jsonb_array_elements(l.tax_allocations) a
       ) charged
       left join lateral (
         select sum(rl.quantity) as quantity, sum(rl.subtotal_cents - rl.discounts_cents - rl.loyalty_cents) as refund_cents,
                sum((select coalesce(sum((a ->> 'amountCents')::bigint), 0)
                       from jsonb_array_elements(rl.tax_shares) a)) as tax_cents,
                sum(rl.adjustments_cents) as adjustments_cents,
                sum(rl.promo_codes_cents + rl.store_credits_cents) as credits_cents,
                -- Every return has a first line, so its adjustment counts once.
                sum(-r.adjustment_cents) filter (where rl.position = 0) as other_cents
           from order_return_lines rl
           join order_returns r on r.organization_id = rl.organization_id and r.id = rl.order_return_id
          where rl.organization_id = l.organization_id and rl.order_id = l.order_id
            and rl.order_line_item_id = l.id and r.voided_at is null and r.refund_type <> 'none'
       ) back on l.returned_quantity > 0
   ), wholes as (
     select b.*, fees.tax_cents, added.adjustments_cents, paid.credits_cents
       from taken o
       join (
         select order_id, min(key_of_whole) as key, min(name_of_whole) as name,
                coalesce(sum(back_tax_cents - goods_tax_cents), 0) as back_tax_cents,
                coalesce(sum(adjustments_cents), 0) as back_adjustments_cents,
                coalesce(sum(credits_cents), 0) as back_credits_cents, coalesce(sum(other_cents), 0) as other_cents
           from lines group by order_id
       ) b on b.order_id = o.id
       cross join lateral (
         select coalesce(sum(t.fee_allocation_cents), 0) as tax_cents
           from order_taxes t where t.organization_id = o.organization_id and t.order_id = o.id
       ) fees
       cross join lateral (
         select coalesce(sum(a.amount_cents), 0) as adjustments_cents
           from order_adjustments a where a.organization_id = o.organization_id and a.order_id = o.id
       ) added
       cross join lateral (
         select coalesce(sum(c.amount_used_cents), 0) as credits_cents
           from order_credits c where c.organization_id = o.organization_id and c.order_id = o.id
       ) paid
   ), sold as (
     select order_id, key, name, quantity, subtotal_price_cents, gross_cents, tax_cents, refund_cents,
            coalesce(goods_tax_cents, 0) as refunded_tax_cents, 0 as adjustments_cents, 0 as credits_cents,
            0 as refunded_adjustments_cents, 0 as refunded_credits_cents, 0 as other_refunds_cents
       from lines
     union all
     select order_id, key, name, 0, 0, 0, tax_cents, 0, back_tax_cents, adjustments_cents, credits_cents,
            back_adjustments_cents, back_credits_cents, other_cents
       from wholes
      where tax_cents <> 0 or adjustments_cents <> 0 or credits_cents <> 0 or back_tax_cents <> 0
         or back_adjustments_cents <> 0 or back_credits_cents <> 0 or other_cents <> 0
   )
   select grouping(key) = 1 as is_total, key, max(name) as name, count(distinct order_id) as orders,
          coalesce(sum(quantity), 0)::bigint as units,
          coalesce(sum(subtotal_price_cents), 0)::bigint as gross_cents,
          coalesce(sum(gross_cents), 0)::bigint as net_cents,
          coalesce(sum(adjustments_cents), 0)::bigint as adjustments_cents,
          coalesce(sum(credits_cents), 0)::bigint as credits_cents, coalesce(sum(tax_cents), 0)::bigint as tax_cents,
          coalesce(sum(refund_cents), 0)::bigint as refunds_cents,
          coalesce(sum(refunded_adjustments_cents), 0)::bigint as refunded_adjustments_cents,
          coalesce(sum(refunded_credits_cents), 0)::bigint as refunded_credits_cents,
          coalesce(sum(refunded_tax_cents), 0)::bigint as refunded_tax_cents,
          coalesce(sum(other_refunds_cents), 0)::bigint as other_refunds_cents
     from sold group by grouping sets ((key), ()) order by is_total, key = '', key`;

/** An order that belongs to one group counts there with all amounts. */
const salesOfOrders = (key: string): string => sales([key, key], [key, key]);

/**
 * Orders have goods of several groups: amounts of the whole order belong to none of them, and are in a row without
 * key.
 */
const salesOfGoods = (key: string, name: string): string => sales([key, name], [`''`, `'Whole orders'`]);

type Range = { from: string; until: string };

export const selectSalesByDay = statement<Range & { tz: string }, SalesRow>(
  'select_sales_by_day',
  salesOfOrders(`to_char(o.fulfilled_at at time zone :tz, 'YYYY-MM-DD')`),
  { isLong: true },
);

export const selectSalesByCategory = statement<Range, SalesRow>(
  'select_sales_by_category',
  salesOfGoods('l.product_category_id::text', 'l.product_category_name'),
  { isLong: true },
);

export const selectSalesByProduct = statement<Range, SalesRow>(
  'select_sales_by_product',
  salesOfGoods('l.product_id::text', 'l.product_name'),
  { isLong: true },
);

export const selectSalesByType = statement<Range, SalesRow>('select_sales_by_type', salesOfOrders('o.type'), {
  isLong: true,
});

export const selectSalesBySource = statement<Range, SalesRow>(
  'select_sales_by_source',
  salesOfOrders('o.source'),
  { isLong: true },
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
  { isLong: true },
);

export interface InventoryValueRow {
  is_total: boolean;
  location_id: number | null;
  name: string | null;
  value: string;
  items: number;
  without_cost: number;
}

/** Stock that is kept per product (option 0) has the product's cost, other stock its option's. */
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
  { isLong: true },
);
