import { statement } from '../../platform/statements/statement.ts';

/* SQL of the reports that are read from the orders of a short range, because no sums are kept by these parts. */

export interface PartRow {
  is_total: boolean;
  key: string | null;
  name: string | null;
  orders: number;
  units: number;
  gross_cents: number;
  net_cents: number;
  cost_cents: number;
  refunds_cents: number;
  /** What the discount took off; of other parts, what all discounts did. */
  discounts_cents: number;
}

type PartParameters = { from: string; until: string };

/** The rows of a part that each fulfilled order of the range contributes to reports, with its returns so far. */
const soldRows = (part: 'product' | 'order') => `sold as (
       select o.id, o.user_id, p.key, p.units, p.gross_cents, p.net_cents, p.cost_cents, p.refunds_cents
         from orders o
        cross join lateral (
          select array(select r.id from order_returns r
                        where r.organization_id = :organizationId and r.order_id = o.id
                          and r.refund_type <> 'none' and r.voided_at is null) as ids) back
        cross join lateral report_sales_of_order(o.organization_id, o.id, back.ids) p
        where o.organization_id = :organizationId and o.status = 'fulfilled'
          and o.type = any(array['delivery', 'pickup', 'in-store'])
          and o.fulfilled_at >= :from and o.fulfilled_at < :until and p.report = '${part}'
     )`;

const sums = ['units', 'gross_cents', 'net_cents', 'cost_cents', 'refunds_cents'];
/** Whole orders have several parts: each order is once in the total. */
const onceInTotal = (column: string) => `sum(s.${column}) filter (where s.place = 1)`;

/** The rows of `parted` by key, and their total: an order counts in each part that it belongs to, and once in the total. */
const byKey = (discounts: string, inTotal = (column: string) => `sum(s.${column})`) =>
  `select grouping(s.key) = 1 as is_total, s.key, max(s.name) as name, count(distinct s.id)::integer as orders,
          ${sums.map((it) => `(case when grouping(s.key) = 1 then ${inTotal(it)} else sum(s.${it}) end)::bigint as ${it}`).join(', ')},
          sum(${discounts})::bigint as discounts_cents
     from parted s group by grouping sets ((s.key), ()) having count(*) > 0
    order by is_total, net_cents desc, key`;

/** A product's vendor is the one of its newest purchase order. */
export const selectSalesByVendor = statement<PartParameters, PartRow>(
  'select_sales_by_vendor',
  `with ${soldRows('product')}, vendors as (
       select distinct on (l.product_id) l.product_id, v.id, v.name
         from purchase_order_lines l
         join purchase_orders p on p.organization_id = :organizationId and p.id = l.purchase_order_id
         join inventory_vendors v on v.organization_id = :organizationId and v.id = p.inventory_vendor_id
        where l.organization_id = :organizationId
        order by l.product_id, p.created_at desc, p.id desc
     ), parted as (
       select s.id, coalesce(v.id::text, 'none') as key, coalesce(v.name, 'Without vendor') as name, s.units, s.gross_cents,
              s.net_cents, s.cost_cents, s.refunds_cents
         from sold s left join vendors v on v.product_id = s.key::bigint
     )
   ${byKey('s.gross_cents - s.net_cents')}`,
  { isLong: true },
);

export const selectSalesByCustomer = statement<PartParameters, PartRow>(
  'select_sales_by_customer',
  `with ${soldRows('order')}, parted as (
       select s.id, coalesce(s.user_id::text, 'none') as key,
              case when s.user_id is null then 'Walk-ins' when c.erased_at is not null then 'Erased'
                   else concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, '')) end as name,
              s.units, s.gross_cents, s.net_cents, s.cost_cents, s.refunds_cents
         from sold s
         left join customers c on c.organization_id = :organizationId and c.id = s.user_id
     )
   ${byKey('s.gross_cents - s.net_cents')}`,
  { isLong: true },
);

/**
 * A discount has the sales of the orders that used it, and what it took off their lines and them; prices by hand likewise, where they
 * are below the price of the menu.
 */
export const selectSalesByDiscount = statement<PartParameters, PartRow>(
  'select_sales_by_discount',
  `with ${soldRows('order')}, used as (
       select d.order_id, d.discount_id, max(d.description) as name, sum(d.amount_used_cents) as taken_off
         from order_discounts d
        where d.organization_id = :organizationId and d.order_id in (select s.id from sold s)
        group by d.order_id, d.discount_id
       union all
       select l.order_id, null, 'Price overrides',
              sum((coalesce(l.option_sales_price_cents, l.option_price_cents) - l.unit_price_cents) * l.quantity)
         from order_line_items l
         join orders o on o.organization_id = :organizationId and o.id = l.order_id
        where l.organization_id = :organizationId and l.order_id in (select s.id from sold s)
          and coalesce(l.option_sales_price_cents, l.option_price_cents) > l.unit_price_cents
          and (o.asked -> 'priceOverrides' @> jsonb_build_array(jsonb_build_object('productOptionId', l.product_option_id))
            or o.asked -> 'lineReductions' @> jsonb_build_array(jsonb_build_object('productOptionId', l.product_option_id)))
        group by l.order_id
     ), parted as (
       select s.id, coalesce(u.discount_id::text, 'price-overrides') as key, u.name, s.units, s.gross_cents, s.net_cents, s.cost_cents, s.refunds_cents,
              u.taken_off, row_number() over (partition by s.id) as place
         from sold s join used u on u.order_id = s.id
     )
   ${byKey('s.taken_off', onceInTotal)}`,
  { isLong: true },
);
