import { statement } from '../../platform/statements/statement.ts';
import { type OrganizationCheck, type OrganizationCheckInput, rowsMax, type WrongRow } from './data-check.ts';

/** Checks of one organization as a whole: keys, events and the accounts of customers. */

type None = Record<never, never>;

const selectWrongOrderKeys = statement<None, WrongRow>(
  'verify_order_keys',
  `select 'order_idempotency_keys' as in_table,
          coalesce(k.integrator_id, o.integrator_id) || ' ' || coalesce(k.idempotency_key, o.idempotency_key) as row_key,
          o.number as order_number,
          case when k.order_id is null then 'the key of the order is missing: a retry would place it again'
               when o.id is null then 'the key names the order ' || k.order_id || ', which does not have it'
               else 'the key names the order ' || k.order_id || ', and belongs to ' || o.id end as words
     from (select * from order_idempotency_keys where organization_id = :organizationId) k
     full join (
       -- Orders of staff have keys of no integrator.
       select id, number, coalesce(integrator_id, 0) as integrator_id, idempotency_key from orders
        where organization_id = :organizationId and idempotency_key is not null
     ) o on o.integrator_id = k.integrator_id and o.idempotency_key = k.idempotency_key
    where k.order_id is distinct from o.id
    order by 2 limit ${rowsMax}`,
  { isLong: true },
);

const selectUnfinishedReplies = statement<None, WrongRow>(
  'verify_kept_replies',
  `select 'idempotency_keys' as in_table, k.caller || ' ' || encode(k.key_digest, 'hex') as row_key,
          null::bigint as order_number, 'the key is claimed, and has no reply: each retry fails' as words
     from idempotency_keys k
    where k.organization_id = :organizationId and (k.status is null or k.sealed_reply is null)
    order by 2 limit ${rowsMax}`,
);

const selectMissingEvents = statement<{ eventsAfter: string }, WrongRow>(
  'verify_events',
  `with told as (
     select action as type, subject_id, count(*) as entries, min(subject_type) as subject_type from audit_entries
      where organization_id = :organizationId and created_at > :eventsAfter group by 1, 2
   ), sent as (
     select type, subject_id, count(*) as events from outbox_events
      where organization_id = :organizationId and created_at > :eventsAfter group by 1, 2
   )
   select 'outbox_events' as in_table, t.type || ' ' || t.subject_id as row_key,
          case when t.subject_type = 'order' then (
            select o.number from orders o
             where o.organization_id = :organizationId and o.id::text = t.subject_id) end as order_number,
          'the audit log has ' || t.entries || ' entries, and there are ' || coalesce(s.events, 0) || ' events' as words
     from told t left join sent s on s.type = t.type and s.subject_id = t.subject_id
    where coalesce(s.events, 0) < t.entries
    order by 2 limit ${rowsMax}`,
  { isLong: true },
);

const selectEventsWithoutOrder = statement<None, WrongRow>(
  'verify_events_of_orders',
  `select 'outbox_events' as in_table, e.id::text as row_key, null::bigint as order_number,
          'it is about the order ' || e.subject_id || ', which does not exist' as words
     from outbox_events e
     left join orders o on o.organization_id = e.organization_id and o.id::text = e.subject_id
    where e.organization_id = :organizationId and e.type in ('order.placed', 'order.accepted', 'order.fulfilled')
      and o.id is null
    order by e.id limit ${rowsMax}`,
  { isLong: true },
);

const selectLedgerWithoutCause = statement<None, WrongRow>(
  'verify_ledger_causes',
  `select 'stock_ledger_entries' as in_table, m.id::text as row_key, null::bigint as order_number,
          'no step of an order is the cause ' || m.cause_id || ' of ' || trim_scale(m.delta) || ' ' || m.cause as words
     from stock_ledger_entries m
     left join audit_entries a on a.organization_id = m.organization_id and a.id = m.cause_id
    where m.organization_id = :organizationId and m.cause in ('taken', 'given-back') and a.id is null
    order by m.id limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongPoints = statement<None, WrongRow>(
  'verify_loyalty_balances',
  `select 'loyalty_balances' as in_table, coalesce(b.user_id, e.user_id)::text as row_key, null::bigint as order_number,
          'the balance is ' || trim_scale(coalesce(b.points, 0)) || ', its entries make ' || trim_scale(coalesce(e.points, 0)) as words
     from (select user_id, points from loyalty_balances where organization_id = :organizationId) b
     full join (select user_id, sum(points_amount) as points from loyalty_events
                 where organization_id = :organizationId group by user_id) e on e.user_id = b.user_id
    where coalesce(b.points, 0) <> coalesce(e.points, 0)
    order by 2 limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongCustomerSums = statement<None, WrongRow>(
  'verify_customer_sums',
  `with made as (
     select c.id, count(o.id) filter (where o.status <> 'canceled') as order_count,
            coalesce(sum(o.customer_grand_total_cents) filter (where o.status = 'fulfilled'), 0)::bigint as spent_cents,
            max(o.created_at) filter (where o.status <> 'canceled') as last_order_at
       from customers c
       left join orders o on o.organization_id = :organizationId and o.user_id = c.id
      where c.organization_id = :organizationId group by c.id)
   select 'customer_sums' as in_table, m.id::text as row_key, null::bigint as order_number,
          'the sums say ' || coalesce(s.order_count::text, 'no') || ' orders for ' || coalesce(s.spent_cents::text, 'no') || ' cents, the orders make '
            || m.order_count || ' for ' || m.spent_cents as words
     from made m
     left join customer_sums s on s.organization_id = :organizationId and s.user_id = m.id
    where (s.order_count, s.spent_cents, s.last_order_at) is distinct from (m.order_count, m.spent_cents, m.last_order_at)
    order by m.id limit ${rowsMax}`,
  { isLong: true },
);

/** Behind a change that the worker has not summed, lists read the balances themselves. */
const selectWrongProductStocks = statement<None, WrongRow>(
  'verify_product_stocks',
  `with made as (
     select p.id, stock_millionths(b.on_hand) as millionths
       from products p
       left join (select product_id, sum(on_hand) as on_hand from stock_balances
                   where organization_id = :organizationId group by 1) b on b.product_id = p.id
      where p.organization_id = :organizationId)
   select 'product_stocks' as in_table, m.id::text as row_key, null::bigint as order_number,
          'the sum is ' || coalesce(trim_scale(s.on_hand_millionths / 1000000.0)::text, 'missing') || ', the balances make '
            || trim_scale(m.millionths / 1000000.0) as words
     from made m
     left join product_stocks s on s.organization_id = :organizationId and s.product_id = m.id
    where s.on_hand_millionths is distinct from m.millionths
      and not exists (select from product_stock_changes c where c.organization_id = :organizationId and c.product_id = m.id)
    order by m.id limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongPackageAmounts = statement<None, WrongRow>(
  'verify_package_amounts',
  `select 'package_amounts' as in_table, k.id::text as row_key, null::bigint as order_number,
          'the noted amount is ' || coalesce(trim_scale(a.initial_millionths / 1000000.0)::text, 'missing') || ', the package has '
            || trim_scale(k.initial_amount) as words
     from packages k
     left join package_amounts a on a.organization_id = :organizationId and a.package_id = k.id
    where k.organization_id = :organizationId and a.initial_millionths is distinct from stock_millionths(k.initial_amount)
    order by k.id limit ${rowsMax}`,
  { isLong: true },
);

const selectPointsWithoutOrder = statement<None, WrongRow>(
  'verify_loyalty_orders',
  `select 'loyalty_events' as in_table, e.id::text as row_key, null::bigint as order_number,
          'its order ' || e.order_id || ' does not exist' as words
     from loyalty_events e
     left join orders o on o.organization_id = e.organization_id and o.id = e.order_id
    where e.organization_id = :organizationId and e.order_id is not null and o.id is null
    order by e.id limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongCredits = statement<None, WrongRow>(
  'verify_customer_credits',
  `with used as (
     select c.customer_credit_id as id, sum(c.amount_used_cents) as cents
       from order_credits c
       join orders o on o.organization_id = c.organization_id and o.id = c.order_id and o.status <> 'canceled'
      where c.organization_id = :organizationId group by 1
   )
   select 'customer_credits' as in_table, c.id::text as row_key, null::bigint as order_number,
          'remaining_cents is ' || c.remaining_cents || ', amount and orders make ' || c.amount_cents - coalesce(u.cents, 0) as words
     from customer_credits c left join used u on u.id = c.id
    where c.organization_id = :organizationId and c.amount_cents is not null
      and c.remaining_cents <> c.amount_cents - coalesce(u.cents, 0)
    order by c.id limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongDiscountUses = statement<None, WrongRow>(
  'verify_discount_uses',
  `with used as (
     select d.discount_id, count(distinct d.order_id) as orders
       from order_discounts d
       join orders o on o.organization_id = d.organization_id and o.id = d.order_id and o.status <> 'canceled'
      where d.organization_id = :organizationId group by 1
   )
   select 'discount_uses' as in_table, c.discount_id::text as row_key, null::bigint as order_number,
          'used is ' || c.used || ', orders with the discount are ' || coalesce(u.orders, 0) as words
     from discount_uses c left join used u on u.discount_id = c.discount_id
    where c.organization_id = :organizationId and c.used <> coalesce(u.orders, 0)
    order by c.discount_id limit ${rowsMax}`,
  { isLong: true },
);

const selectWrongStateReports = statement<None, WrongRow>(
  'verify_state_reports',
  `with r as (
     select p.id, p.order_id, p.order_number, p.state, o.id is null and p.order_id is not null as is_orphan,
            encode(sha256(convert_to(p.payload, 'UTF8')), 'hex') <> p.digest as is_changed,
            not exists (select from state_report_steps s
                         where s.organization_id = :organizationId and s.report_id = p.id and s.state = p.state) as has_no_step
       from state_reports p
       left join orders o on o.organization_id = p.organization_id and o.id = p.order_id
      where p.organization_id = :organizationId
   )
   select 'state_reports' as in_table, r.id::text as row_key, r.order_number,
          case when r.is_changed then 'what it tells the state has changed since it was written'
               when r.is_orphan then 'its order ' || r.order_id || ' does not exist'
               else 'it is ' || r.state || ', and no step of its life says so' end as words
     from r where r.is_changed or r.is_orphan or r.has_no_step
    order by r.id limit ${rowsMax}`,
  { isLong: true },
);

const withoutInput =
  (find: (parameters: None) => ReturnType<typeof selectWrongPoints>) => (_: OrganizationCheckInput) =>
    find({});

export const organizationChecks: readonly OrganizationCheck[] = [
  {
    name: 'order-keys',
    promise: 'each order that was sent with an idempotency key has it, and each key its order',
    find: withoutInput(selectWrongOrderKeys),
  },
  {
    name: 'kept-replies',
    promise: 'each idempotency key has its reply',
    find: withoutInput(selectUnfinishedReplies),
  },
  {
    name: 'events',
    promise: 'each entry of the audit log has its event, as long as events are kept',
    find: ({ eventsAfter }) => selectMissingEvents({ eventsAfter }),
  },
  {
    name: 'events-of-orders',
    promise: 'each event of an order has its order',
    find: withoutInput(selectEventsWithoutOrder),
  },
  {
    name: 'ledger-causes',
    promise: 'each entry of the ledger that an order made has the step that made it',
    find: withoutInput(selectLedgerWithoutCause),
  },
  {
    name: 'loyalty-balances',
    promise: 'each balance of points is the sum of its entries',
    find: withoutInput(selectWrongPoints),
  },
  {
    name: 'customer-sums',
    promise: 'the sums of each customer are what their orders make',
    find: withoutInput(selectWrongCustomerSums),
  },
  {
    name: 'product-stocks',
    promise: 'the stock by which products are listed is the sum of their balances',
    find: withoutInput(selectWrongProductStocks),
  },
  {
    name: 'package-amounts',
    promise: 'the amount by which packages are listed is that of the package',
    find: withoutInput(selectWrongPackageAmounts),
  },
  {
    name: 'loyalty-orders',
    promise: 'each entry of points that names an order has it',
    find: withoutInput(selectPointsWithoutOrder),
  },
  {
    name: 'customer-credits',
    promise: 'each credit has left what orders did not use of it',
    find: withoutInput(selectWrongCredits),
  },
  {
    name: 'discount-uses',
    promise: 'each discount with a limit counts the orders that used it',
    find: withoutInput(selectWrongDiscountUses),
  },
  {
    name: 'state-reports',
    promise:
      'each report to the state says what was written with its sale, and its state is the one that its steps led to',
    find: withoutInput(selectWrongStateReports),
  },
];
