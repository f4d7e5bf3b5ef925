-- The sums of the customers of new orders are written once, in one statement for all customers, as orders that come together are. They were
-- written twice for each: sums, then the time of the latest order, and the second time the references of the row were checked.

-- expand: it keeps what it kept before
create or replace function sum_added_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  -- What comes back is of customers from before sums were kept: they have none, until they are counted here.
  for change in
    with changes as materialized (
      select organization_id, user_id, count(*) filter (where status <> 'canceled') as count,
             coalesce(sum(customer_grand_total_cents) filter (where status = 'fulfilled'), 0)::bigint as cents,
             max(created_at) filter (where status <> 'canceled') as latest
        from added where user_id is not null group by 1, 2 order by 1, 2),
    kept as (
      update customer_sums s
         set order_count = s.order_count + c.count, spent_cents = s.spent_cents + c.cents,
             last_order_at = greatest(s.last_order_at, c.latest)
        from changes c
       where s.organization_id = c.organization_id and s.user_id = c.user_id
      returning s.organization_id, s.user_id)
    select * from changes c
     where not exists (select from kept k where k.organization_id = c.organization_id and k.user_id = c.user_id)
  loop
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    update customer_sums set last_order_at = change.latest
     where organization_id = change.organization_id and user_id = change.user_id
       and (last_order_at is null or last_order_at < change.latest);
  end loop;
  return null;
end
$$;
