import { statement } from '../../platform/statements/statement.ts';
import { inRange, type OrderCheck, type OrderRange, rowsMax, type WrongRow } from './data-check.ts';

/** Checks that the amounts of each order add up (docs/PRICING.md), from the rows as they are stored. */

type RangeParameters = { [Key in keyof OrderRange]: string };

const selectWrongTotals = statement<RangeParameters, WrongRow>(
  'verify_order_totals',
  `with o as (
     select * from orders where organization_id = :organizationId and id > :after::uuid and id <= :until::uuid
   ), l as (
     select t.order_id, sum(t.final_price_cents) as final, sum(t.gross_cents) as gross
       from order_line_items t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   ), d as (
     select t.order_id, coalesce(sum(t.amount_used_cents) filter (where t.order_line_item_id is null), 0) as of_order,
            sum(t.amount_used_cents) as total
       from order_discounts t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   ), r as (
     select t.order_id, sum(t.amount_used_cents) as used from order_loyalty_redemptions t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   ), c as (
     select t.order_id, sum(t.amount_used_cents) as used from order_credits t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   ), a as (
     select t.order_id, sum(t.amount_cents) as amount from order_adjustments t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   ), x as (
     select t.order_id, sum(t.amount_cents) as added from order_taxes t where t.organization_id = :organizationId and ${inRange} and not t.included group by t.order_id
   ), p as (
     select t.order_id, sum(t.amount_cents) as paid, sum(t.fee_amount_cents) as fees
       from order_payments t where t.organization_id = :organizationId and ${inRange} group by t.order_id
   )
   select 'orders' as in_table, o.id::text as row_key, o.number as order_number,
          case when made.cents is null then made.column_name || ' is ' || made.kept || ', but there are no lines'
               else made.column_name || ' is ' || made.kept || ', ' || made.parts || ' make ' || made.cents end as words
     from o
     left join l on l.order_id = o.id
     left join d on d.order_id = o.id
     left join r on r.order_id = o.id
     left join c on c.order_id = o.id
     left join a on a.order_id = o.id
     left join x on x.order_id = o.id
     left join p on p.order_id = o.id
    cross join lateral (values
      ('total_price_cents', o.total_price_cents, 'the final prices of its lines', l.final),
      ('merchandise_cents', o.merchandise_cents, 'the gross amounts of its lines', l.gross),
      ('merchandise_cents', o.merchandise_cents, 'total price, discounts and rewards',
       o.total_price_cents - coalesce(d.of_order, 0) - coalesce(r.used, 0)),
      ('discounts_total_cents', o.discounts_total_cents, 'its discounts', coalesce(d.total, 0)),
      ('net_price_cents', o.net_price_cents, 'merchandise, adjustments, taxes and credits',
       o.merchandise_cents + coalesce(a.amount, 0) + coalesce(x.added, 0) - coalesce(c.used, 0)),
      ('customer_grand_total_cents', o.customer_grand_total_cents, 'net price and fees',
       o.net_price_cents + coalesce(o.delivery_fee_cents, 0) + o.payment_fees_cents),
      ('payment_fees_cents', o.payment_fees_cents, 'its payments', coalesce(p.fees, 0)),
      ('net price and delivery fee', o.net_price_cents + coalesce(o.delivery_fee_cents, 0), 'its payments',
       coalesce(p.paid, o.net_price_cents + coalesce(o.delivery_fee_cents, 0)))
    ) made(column_name, kept, parts, cents)
    where made.cents is distinct from made.kept
    order by o.id limit ${rowsMax}`,
);

const selectWrongLines = statement<RangeParameters, WrongRow>(
  'verify_order_lines',
  `with t as (select * from order_line_items t where t.organization_id = :organizationId and ${inRange}), d as (
     select t.order_id, t.order_line_item_id, sum(t.amount_used_cents) as used
       from order_discounts t where t.organization_id = :organizationId and ${inRange} and t.order_line_item_id is not null group by 1, 2
   )
   select 'order_line_items' as in_table, t.order_id || ' ' || t.id as row_key, o.number as order_number,
          made.column_name || ' is ' || made.kept || ', ' || made.parts || ' make ' || made.cents as words
     from t
     left join d on d.order_id = t.order_id and d.order_line_item_id = t.id
     left join orders o on o.organization_id = t.organization_id and o.id = t.order_id
    cross join lateral (values
      ('unit_price_cents', t.unit_price_cents, 'the prices of its option',
       coalesce(t.option_sales_price_cents, t.option_price_cents)),
      ('subtotal_price_cents', t.subtotal_price_cents, 'quantity and unit price', t.quantity * t.unit_price_cents),
      ('final_price_cents', t.final_price_cents, 'subtotal and discounts',
       t.subtotal_price_cents - coalesce(d.used, 0))
    ) made(column_name, kept, parts, cents)
    where made.kept <> made.cents
    order by t.order_id, t.id limit ${rowsMax}`,
);

const selectWrongTaxes = statement<RangeParameters, WrongRow>(
  'verify_order_taxes',
  `with t as (select * from order_taxes t where t.organization_id = :organizationId and ${inRange}), l as (
     select t.order_id, (a ->> 'taxId')::bigint as tax_id, sum((a ->> 'amountCents')::bigint) as cents
       from order_line_items t cross join lateral jsonb_array_elements(t.tax_allocations) a where t.organization_id = :organizationId and ${inRange} group by 1, 2
   )
   select case when t.order_id is null then 'order_line_items' else 'order_taxes' end as in_table,
          coalesce(t.order_id || ' ' || t.id, l.order_id || ' tax ' || l.tax_id) as row_key, o.number as order_number,
          case when t.order_id is null then 'the lines have ' || l.cents || ' cents of a tax that the order does not have'
               else made.words end as words
     from t
     full join l on l.order_id = t.order_id and l.tax_id = t.tax_id
     left join orders o on o.organization_id = :organizationId and o.id = case when t.order_id is null then l.order_id else t.order_id end
    cross join lateral (values
      ('amount_cents is ' || t.amount_cents || ', lines and fee have ' || coalesce(l.cents, 0) + t.fee_allocation_cents,
       t.amount_cents <> coalesce(l.cents, 0) + t.fee_allocation_cents),
      ('amount_cents is ' || t.amount_cents || ', less the exemption it is ' ||
         t.amount_before_exemption_cents - t.amount_exempted_cents,
       t.amount_cents <> t.amount_before_exemption_cents - t.amount_exempted_cents)
    ) made(words, is_wrong)
    where made.is_wrong or (t.order_id is null and made.words is null and l.cents is not null)
    order by 2 limit ${rowsMax}`,
);

const selectWrongReturns = statement<RangeParameters, WrongRow>(
  'verify_order_returns',
  `with b as (
     select t.order_id, t.order_line_item_id, sum(t.quantity) as quantity
       from order_return_lines t
       join order_returns r on r.organization_id = t.organization_id and r.id = t.order_return_id and r.voided_at is null
      where t.organization_id = :organizationId and ${inRange} group by 1, 2
   ), wrong as (
     select 'order_line_items' as in_table, t.order_id || ' ' || t.id as row_key, t.order_id,
            'returned_quantity is ' || t.returned_quantity || ', its returns have ' || coalesce(b.quantity, 0) as words
       from order_line_items t
       left join b on b.order_id = t.order_id and b.order_line_item_id = t.id
      where t.organization_id = :organizationId and ${inRange} and t.returned_quantity <> coalesce(b.quantity, 0)
      union all
     select 'order_returns', t.id::text, t.order_id,
            case when l.taxes is null and l.subtotals is null then 'it has no lines'
                 else made.column_name || ' is ' || made.kept || ', its lines make ' || made.cents end
       from order_returns t
       left join lateral (
         select sum(l.subtotal_cents + l.adjustments_cents) as subtotals, sum(l.discounts_cents) as discounts,
                sum(l.loyalty_cents) as loyalty, sum(l.promo_codes_cents + l.store_credits_cents) as credits,
                (select coalesce(sum(x.amount_cents), 0) from order_return_taxes x
                  where x.organization_id = t.organization_id and x.order_return_id = t.id) as taxes
           from order_return_lines l where l.organization_id = t.organization_id and l.order_return_id = t.id
         having count(*) > 0
       ) l on true
      cross join lateral (values
        ('refund_initial_cents', t.refund_initial_cents, -l.subtotals),
        ('discounts_total_cents', t.discounts_total_cents, l.discounts),
        ('loyalty_total_cents', t.loyalty_total_cents, l.loyalty),
        ('credits_total_cents', t.credits_total_cents, l.credits),
        ('taxes_total_cents', t.taxes_total_cents, l.taxes)
      ) made(column_name, kept, cents)
      where t.organization_id = :organizationId and ${inRange} and t.refund_type <> 'none' and made.kept is distinct from made.cents
   )
   select w.in_table, w.row_key, o.number as order_number, w.words
     from wrong w left join orders o on o.organization_id = :organizationId and o.id = w.order_id
    order by 1, 2 limit ${rowsMax}`,
);

export const orderAmountChecks: readonly OrderCheck[] = [
  {
    name: 'order-totals',
    promise: 'each amount of an order is what its lines, discounts, taxes, credits and payments make',
    find: selectWrongTotals,
  },
  {
    name: 'order-lines',
    promise: 'each line is its quantity at its price, less its discounts',
    find: selectWrongLines,
  },
  {
    name: 'order-taxes',
    promise: 'each tax of an order is what its lines and the delivery fee have of it',
    find: selectWrongTaxes,
  },
  {
    name: 'order-returns',
    promise: 'each return is what its lines make, and each line counts the units that came back',
    find: selectWrongReturns,
  },
];
