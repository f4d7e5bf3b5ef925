import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { statement } from '../../src/platform/statements/statement.ts';
import { selectStockDrift } from '../../src/shop/inventory/reconcile-queries.ts';

/**
 * Invariants of the orders of an organization at any moment, after any kills, retries and races: each branch finds
 * the orders (or rows) that break one rule, from rows that different statements wrote. Sums are computed here
 * independently of the program's arithmetic.
 */
const selectBrokenRules = statement<Record<never, never>, { rule: string; subject: string }>(
  'test_select_broken_rules',
  `with o as (select * from orders where organization_id = :organizationId),
  lines as (
    select order_id, count(*) as count, sum(final_price_cents) as final, sum(gross_cents) as gross
      from order_line_items where organization_id = :organizationId group by order_id),
  taxes as (
    select order_id, coalesce(sum(amount_cents) filter (where not included), 0) as charged
      from order_taxes where organization_id = :organizationId group by order_id),
  adjustments as (
    select order_id, sum(amount_cents) as total
      from order_adjustments where organization_id = :organizationId group by order_id),
  payments as (
    select order_id, sum(fee_amount_cents) as fees, sum(final_amount_cents) as total
      from order_payments where organization_id = :organizationId group by order_id),
  reductions as (
    select order_id, sum(amount_used_cents) as total,
           coalesce(sum(amount_used_cents) filter (where order_line_item_id is null), 0) as on_order
      from order_discounts where organization_id = :organizationId group by order_id),
  redemptions as (
    select order_id, sum(amount_used_cents) as total
      from order_loyalty_redemptions where organization_id = :organizationId group by order_id),
  credits as (
    select order_id, sum(amount_used_cents) as total
      from order_credits where organization_id = :organizationId group by order_id),
  used as (
    select distinct u.discount_id, u.order_id, case when not o.is_unproven then o.user_id end as user_id
      from order_discounts u join o on o.id = u.order_id and o.status <> 'canceled'
     where u.organization_id = :organizationId),
  steps as (
    select id, subject_id::uuid as order_id, action,
           case when action = 'order.placed' then coalesce(details ->> 'to', details ->> 'status')
                when action not in ('order.dispatched', 'order.payment_changed') then details ->> 'to' end as to_status,
           case when action not in ('order.dispatched', 'order.payment_changed') then details ->> 'from' end as from_status
      from audit_entries where organization_id = :organizationId and subject_type = 'order'),
  creations as (
    select order_id, count(*) from steps where action = 'order.placed' group by order_id),
  visits as (
    select order_id, status, sum(moved) as balance from (
      select order_id, to_status as status, 1 as moved from steps where to_status is not null
      union all
      select order_id, from_status, -1 from steps where from_status is not null) moves
     group by order_id, status having sum(moved) <> 0),
  held as (
    select order_id, order_line_item_id, sum(amount) as amount
      from order_line_fulfillments where organization_id = :organizationId group by order_id, order_line_item_id),
  taken as (
    select order_line_item_id, -sum(delta) as amount
      from stock_ledger_entries
     where organization_id = :organizationId and order_line_item_id is not null and cause <> 'returned'
     group by order_line_item_id),
  returned as (
    select l.order_id, l.order_line_item_id, sum(l.quantity) as quantity,
           sum((select coalesce(sum((s ->> 'amount')::numeric), 0) from jsonb_array_elements(l.fulfillment_shares) s))
             filter (where l.inventory_action in ('inventory', 'quarantine')) as put_back
      from order_return_lines l
      join order_returns r on r.organization_id = l.organization_id and r.id = l.order_return_id
     where l.organization_id = :organizationId and r.voided_at is null group by 1, 2),
  refunds as (
    select order_id, sum(refund_total_cents) filter (where voided_at is null) as total, count(*)
      from order_returns where organization_id = :organizationId group by order_id),
  -- What documents show of the rows.
  shown as (
    select k.order_id, count(*) as lines, sum((line ->> 'finalPrice')::bigint) as final,
           sum(jsonb_array_length(line -> 'fulfillAs')) as stock,
           (select coalesce(sum((payment ->> 'finalAmount')::bigint), 0)
              from jsonb_array_elements(k.shown_rows::jsonb -> 'payments') payment) as paid
      from order_explanations k, jsonb_array_elements(k.shown_rows::jsonb -> 'lineItems') line
     where k.organization_id = :organizationId group by k.order_id, k.shown_rows),
  allocations as (
    select l.order_id, (a ->> 'taxId')::bigint as tax_id, sum((a ->> 'amountCents')::bigint) as amount
      from order_line_items l, jsonb_array_elements(l.tax_allocations) a
     where l.organization_id = :organizationId group by 1, 2)

  select 'the lines add up to the total' as rule, o.id::text as subject
    from o left join lines l on l.order_id = o.id
   where l.count is null or l.final <> o.total_price_cents or l.gross <> o.merchandise_cents
  union all
  select 'goods, adjustments and charged taxes add up to the net price', o.id::text
    from o left join lines l on l.order_id = o.id left join taxes t on t.order_id = o.id
      left join adjustments a on a.order_id = o.id left join credits c on c.order_id = o.id
   where o.net_price_cents <> l.gross + coalesce(t.charged, 0) + coalesce(a.total, 0) - coalesce(c.total, 0)
  union all
  select 'what discounts and rewards took is what the goods are cheaper', o.id::text
    from o left join lines l on l.order_id = o.id left join reductions d on d.order_id = o.id
      left join redemptions r on r.order_id = o.id
   where o.discounts_total_cents <> coalesce(d.total, 0)
      or l.gross <> o.total_price_cents - coalesce(d.on_order, 0) - coalesce(r.total, 0)
  union all
  select 'a line is cheaper by the discounts on it', l.id::text
    from order_line_items l
   where l.organization_id = :organizationId and l.subtotal_price_cents - l.final_price_cents <> (
           select coalesce(sum(d.amount_used_cents), 0) from order_discounts d
            where d.organization_id = :organizationId and d.order_id = l.order_id and d.order_line_item_id = l.id)
  union all
  select 'a limited discount counts the orders that used it', d.id::text
    from discounts d left join discount_uses c on c.organization_id = :organizationId and c.discount_id = d.id
   where d.organization_id = :organizationId and d.uses_total is not null
     and coalesce(c.used, 0) <> (select count(*) from used where used.discount_id = d.id)
  union all
  select 'a limit per customer counts the orders of each', d.id::text
    from discounts d
   where d.organization_id = :organizationId and d.uses_per_customer is not null
     and exists (
       (select user_id, count(*) from used where used.discount_id = d.id and user_id is not null group by user_id
         except select user_id, used from discount_customer_uses
                 where organization_id = :organizationId and discount_id = d.id)
       union all
       (select user_id, used from discount_customer_uses
         where organization_id = :organizationId and discount_id = d.id and used > 0
         except select user_id, count(*) from used where used.discount_id = d.id group by user_id))
  union all
  select 'a credit lacks what orders used of it', k.id::text
    from customer_credits k
   where k.organization_id = :organizationId and k.amount_cents - k.remaining_cents <> (
           select coalesce(sum(u.amount_used_cents), 0)
             from order_credits u join o on o.id = u.order_id and o.status <> 'canceled'
            where u.organization_id = :organizationId and u.customer_credit_id = k.id)
  union all
  select 'points are what the ledger says', coalesce(b.user_id, e.user_id)::text
    from (select user_id, points from loyalty_balances where organization_id = :organizationId) b
      full join (select user_id, sum(points_amount) as points from loyalty_events
                  where organization_id = :organizationId group by user_id) e on e.user_id = b.user_id
   where coalesce(b.points, 0) <> coalesce(e.points, 0)
  union all
  select 'each tax is the sum of what it charged on lines and fee', o.id::text
    from o join order_taxes t on t.organization_id = :organizationId and t.order_id = o.id
      left join allocations a on a.order_id = o.id and a.tax_id = t.tax_id
   where t.amount_cents <> coalesce(a.amount, 0) + t.fee_allocation_cents
  union all
  select 'payments, where intended, cover the order and carry its fees', o.id::text
    from o left join payments p on p.order_id = o.id
   where o.payment_fees_cents <> coalesce(p.fees, 0) or p.total <> o.customer_grand_total_cents
  union all
  select 'its steps lead from one creation to its status', o.id::text
    from o left join creations s on s.order_id = o.id left join visits v on v.order_id = o.id
   where s.count is distinct from 1 or v.status is distinct from o.status or v.balance is distinct from 1
  union all
  select 'every step left an event and an audit entry', o.id::text
    from o
      left join (select subject_id, count(*) from outbox_events
                  where organization_id = :organizationId group by subject_id) e on e.subject_id = o.id::text
      left join (select subject_id, count(*) from audit_entries
                  where organization_id = :organizationId and subject_type = 'order' group by subject_id) d
        on d.subject_id = o.id::text
   where e.count is distinct from d.count
  union all
  select 'a key stands for the order that carries it', coalesce(o.id, k.order_id)::text
    from (select * from o where idempotency_key is not null) o
      full join (select * from order_idempotency_keys where organization_id = :organizationId) k
        on k.order_id = o.id and k.idempotency_key = o.idempotency_key and k.integrator_id = coalesce(o.integrator_id, 0)
   where o.id is null or k.order_id is null
  union all
  select 'an accepted order holds exactly what its lines need, any other nothing', l.order_id::text
    from order_line_items l join o on o.id = l.order_id
      left join held h on h.order_id = l.order_id and h.order_line_item_id = l.id
   where l.organization_id = :organizationId and coalesce(h.amount, 0) <> case
           when o.status in ('draft', 'canceled') or l.inventory_type = 'none' then 0
           when l.inventory_type = 'product' then l.option_amount * l.quantity
           else l.quantity end
  union all
  select 'the ledger took for a line what the line holds', coalesce(h.order_line_item_id, t.order_line_item_id)::text
    from held h full join taken t using (order_line_item_id)
   where coalesce(h.amount, 0) <> coalesce(t.amount, 0)
  union all
  select 'what an order took or gave back names a step of it', e.id::text
    from stock_ledger_entries e
   where e.organization_id = :organizationId and e.cause in ('taken', 'given-back', 'returned') and not exists (
           select from steps t
            where t.id = e.cause_id
              -- The line may be gone: an edit took it out of the order.
              and not exists (select from order_line_items l
                               where l.organization_id = :organizationId and l.id = e.order_line_item_id
                                 and l.order_id <> t.order_id))
  union all
  select 'what comes back of a sale goes into no vehicle', e.id::text
    from stock_ledger_entries e
      join inventory_locations l on l.organization_id = :organizationId and l.id = e.inventory_location_id
   where e.organization_id = :organizationId and l.type = 'vehicle' and e.delta > 0
     and (e.cause = 'returned' or e.cause = 'given-back' and exists (
            select from steps t where t.id = e.cause_id and t.from_status = 'fulfilled'))
  union all
  select 'a line counts the units that came back', l.id::text
    from order_line_items l left join returned r on r.order_line_item_id = l.id and r.order_id = l.order_id
   where l.organization_id = :organizationId and l.returned_quantity <> coalesce(r.quantity, 0)
  union all
  select 'the ledger put back what came back to be sold', coalesce(r.order_line_item_id, p.order_line_item_id)::text
    from returned r
      full join (select order_line_item_id, sum(delta) as amount from stock_ledger_entries
                  where organization_id = :organizationId and cause = 'returned' group by order_line_item_id) p
        using (order_line_item_id)
   where coalesce(r.put_back, 0) <> coalesce(p.amount, 0)
  union all
  select 'no more is refunded than was paid', o.id::text
    from o join refunds f on f.order_id = o.id where -f.total > o.customer_grand_total_cents
  union all
  select 'a return refunds the taxes that it names', r.id::text
    from order_returns r
   where r.organization_id = :organizationId and r.taxes_total_cents <> (
           select coalesce(sum(t.amount_cents), 0) from order_return_taxes t
            where t.organization_id = :organizationId and t.order_return_id = r.id and t.refunded)
  union all
  select 'a picture is stored once, and announced', coalesce(h.id::text, a.photo_id)
    from (select id from product_photos where organization_id = :organizationId and source is not null) h
      full join (select details ->> 'productPhotoId' as photo_id, count(*) from audit_entries
                  where organization_id = :organizationId and actor = 'job:product-photos' group by 1) a
        on a.photo_id = h.id::text
   where a.count is distinct from 1
  union all
  select 'the document shows the rows', o.id::text
    from o left join lines l on l.order_id = o.id left join payments p on p.order_id = o.id
      left join shown s on s.order_id = o.id
   where (s.lines, s.final, s.stock, s.paid) is distinct from (
           l.count, l.final,
           (select count(*) from order_line_fulfillments h
             where h.organization_id = :organizationId and h.order_id = o.id),
           coalesce(p.total, 0))`,
);

/** The broken rules of an organization, including stock that does not match its ledger; normally none. */
export async function brokenRules(
  database: Database,
  organization: OrganizationId,
): Promise<readonly unknown[]> {
  const [rules, drift] = await database.read(organization, selectBrokenRules({}), selectStockDrift({}));
  return [...rules, ...drift];
}
