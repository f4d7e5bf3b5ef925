import { statement } from '../../platform/statements/statement.ts';
import { inRange, type OrderCheck, type OrderRange, rowsMax, type WrongRow } from './data-check.ts';

/** Checks that what belongs to an order, in other tables, is there, and that nothing is there without its order. */

type RangeParameters = { [Key in keyof OrderRange]: string };

const selectOrphans = statement<RangeParameters, WrongRow>(
  'verify_order_orphans',
  `with t as (
     select 'order_line_items' as in_table, t.order_id, t.id::text as id from order_line_items t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_taxes', t.order_id, t.id::text from order_taxes t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_payments', t.order_id, t.id::text from order_payments t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_discounts', t.order_id, t.id::text from order_discounts t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_adjustments', t.order_id, t.id::text from order_adjustments t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_credits', t.order_id, t.id::text from order_credits t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_loyalty_redemptions', t.order_id, t.id::text from order_loyalty_redemptions t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_line_fulfillments', t.order_id, t.id::text from order_line_fulfillments t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_explanations', t.order_id, '' from order_explanations t where t.organization_id = :organizationId and ${inRange}
     union all select 'order_returns', t.order_id, t.id::text from order_returns t where t.organization_id = :organizationId and ${inRange}
   )
   select t.in_table, rtrim(t.order_id || ' ' || t.id) as row_key, null::bigint as order_number,
          'its order ' || t.order_id || ' does not exist' as words
     from t left join orders o on o.organization_id = :organizationId and o.id = t.order_id
    where o.id is null
    order by 2, 1 limit ${rowsMax}`,
);

const selectWrongStock = statement<RangeParameters, WrongRow>(
  'verify_order_stock',
  `with l as (select * from order_line_items t where t.organization_id = :organizationId and ${inRange}), f as (
     select t.order_id, t.order_line_item_id, sum(t.amount) as amount
       from order_line_fulfillments t where t.organization_id = :organizationId and ${inRange} group by 1, 2
   )
   select 'order_line_fulfillments' as in_table,
          coalesce(l.order_id || ' ' || l.id, f.order_id || ' ' || f.order_line_item_id) as row_key,
          o.number as order_number,
          case when l.id is null then 'an order that is ' || o.status || ' holds ' || f.amount || ' for a line that does not exist'
               else 'a line of an order that is ' || o.status || ' needs ' || trim_scale(n.amount) || ', and holds '
                 || trim_scale(coalesce(f.amount, 0)) end as words
     from l
     full join f on f.order_id = l.order_id and f.order_line_item_id = l.id
     join orders o on o.organization_id = :organizationId and o.id = case when l.order_id is null then f.order_id else l.order_id end
    cross join lateral (
      select case when o.status in ('draft', 'canceled') then 0
                  when l.inventory_type = 'option' then l.quantity
                  when l.inventory_type = 'product' then l.quantity * l.option_amount
                  else 0 end as amount
    ) n
    where n.amount <> coalesce(f.amount, 0) or l.id is null
    order by 2 limit ${rowsMax}`,
);

const stepsOfOrders = `steps as (
     select o.id as order_id, a.id as step_id
       from o join audit_entries a on a.organization_id = :organizationId and a.subject_type = 'order'
                                  and a.subject_id = o.id::text
   )`;

const selectWrongLedger = statement<RangeParameters, WrongRow>(
  'verify_order_ledger',
  `with o as (
     select id, number from orders where organization_id = :organizationId and id > :after::uuid and id <= :until::uuid
   ), ${stepsOfOrders}, moved as (
     select s.order_id, m.order_line_item_id, m.product_id, m.product_option_id, m.inventory_location_id, m.package_id,
            -m.delta as amount
       from steps s
       join stock_ledger_entries m on m.organization_id = :organizationId and m.cause_id = s.step_id
      where m.cause in ('taken', 'given-back')
      union all
     select t.order_id, t.order_line_item_id, t.product_id, coalesce(t.product_option_id, 0), t.inventory_location_id,
            coalesce(t.package_id, 0), -t.amount
       from order_line_fulfillments t where t.organization_id = :organizationId and ${inRange}
   ), drift as (
     select order_id, order_line_item_id, product_id, sum(amount) as amount from moved
      group by order_id, order_line_item_id, product_id, product_option_id, inventory_location_id, package_id
     having sum(amount) <> 0
   )
   select 'stock_ledger_entries' as in_table, d.order_id || ' ' || d.order_line_item_id as row_key,
          o.number as order_number,
          'of product ' || d.product_id || ' the ledger took ' || trim_scale(abs(d.amount))
            || case when d.amount > 0 then ' more' else ' less' end || ' than the order holds' as words
     from drift d join o on o.id = d.order_id
    order by 2 limit ${rowsMax}`,
);

const selectWrongAudit = statement<RangeParameters, WrongRow>(
  'verify_order_audit',
  `with o as (
     select id, number, status from orders
      where organization_id = :organizationId and id > :after::uuid and id <= :until::uuid
   ), steps as (
     select o.id as order_id, a.action = 'order.placed' as is_placing,
            coalesce(a.details ->> 'to', a.details ->> 'status') as to_status
       from o join audit_entries a on a.organization_id = :organizationId and a.subject_type = 'order'
                                  and a.subject_id = o.id::text
   ), told as (
     select order_id, bool_or(is_placing) as is_placed, array_agg(distinct to_status) as statuses from steps group by 1
   )
   select 'audit_entries' as in_table, o.id::text as row_key, o.number as order_number,
          case when coalesce(t.is_placed, false) then 'no step made the order ' || o.status
               else 'no entry says that the order was placed' end as words
     from o left join told t on t.order_id = o.id
    where not coalesce(t.is_placed, false)
       or (o.status not in ('draft', 'new') and not o.status = any(t.statuses))
    order by 2 limit ${rowsMax}`,
);

export const orderLinkChecks: readonly OrderCheck[] = [
  {
    name: 'order-rows',
    promise: 'each line, tax, payment, discount and credit belongs to an order',
    find: selectOrphans,
  },
  {
    name: 'order-stock',
    promise: 'each accepted order holds the stock of its lines, and no other order holds any',
    find: selectWrongStock,
  },
  {
    name: 'order-ledger',
    promise: 'the ledger of stock took for each order what the order holds',
    find: selectWrongLedger,
  },
  {
    name: 'order-audit',
    promise: 'the audit log has the placing of each order, and the step that made its status',
    find: selectWrongAudit,
  },
];
