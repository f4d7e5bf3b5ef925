-- The sums of customers from before. No table is locked. An order of such a customer that is placed or changed meanwhile waits for the
-- end, some seconds for a million orders; a customer who ordered or came since the triggers are there has sums already.
insert into customer_sums (organization_id, user_id, order_count, spent_cents, last_order_at)
select c.organization_id, c.id, coalesce(o.order_count, 0), coalesce(o.spent_cents, 0), o.last_order_at
  from customers c
  left join (
    select organization_id, user_id, count(*) filter (where status <> 'canceled') as order_count,
           sum(customer_grand_total_cents) filter (where status = 'fulfilled') as spent_cents,
           max(created_at) filter (where status <> 'canceled') as last_order_at
      from orders where user_id is not null group by 1, 2) o on o.organization_id = c.organization_id and o.user_id = c.id
 where not exists (
   select from customer_sums s where s.organization_id = c.organization_id and s.user_id = c.id)
on conflict do nothing;
