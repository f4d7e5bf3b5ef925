-- The staff's list of customers by what they spent, by the number of their orders and by the last one: sums that the writes of
-- orders keep, in their own transactions. An order's customer is locked when it is placed, so no other write waits.

create table customer_sums (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  -- Orders, except canceled ones.
  order_count bigint not null,
  -- The grand totals of fulfilled orders, before returns.
  spent_cents bigint not null,
  -- When the latest one was placed, except canceled ones.
  last_order_at timestamptz,
  primary key (organization_id, user_id),
  -- A merge deletes the customer whose orders have moved.
  foreign key (organization_id, user_id) references customers on delete cascade
);
create index customer_sums_by_count on customer_sums (organization_id, order_count, user_id);
create index customer_sums_by_spending on customer_sums (organization_id, spent_cents, user_id);
create index customer_sums_by_last_order on customer_sums (organization_id, last_order_at, user_id);
alter table customer_sums enable row level security;
create policy tenant on customer_sums using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Every new customer has sums.
create function open_customer_sums() returns trigger language plpgsql as $$
begin
  insert into customer_sums (organization_id, user_id, order_count, spent_cents)
    select organization_id, id, 0, 0 from added on conflict do nothing;
  return null;
end
$$;
create trigger customer_sums_opened after insert on customers referencing new table as added
  for each statement execute function open_customer_sums();

-- Adds to the sums of one customer. Those of a customer from before this migration are counted when they are missing: by what
-- is committed and what this transaction did, the change itself included. Another transaction that does the same at once waits for this one, and adds then.
create function add_to_customer_sums(organization bigint, customer bigint, count bigint, cents bigint) returns void
  language plpgsql as $$
begin
  loop
    update customer_sums set order_count = order_count + count, spent_cents = spent_cents + cents
     where organization_id = organization and user_id = customer;
    if found then return; end if;
    insert into customer_sums (organization_id, user_id, order_count, spent_cents, last_order_at)
      select organization, customer, count(*) filter (where status <> 'canceled'),
             coalesce(sum(customer_grand_total_cents) filter (where status = 'fulfilled'), 0),
             max(created_at) filter (where status <> 'canceled')
        from orders where organization_id = organization and user_id = customer
      on conflict do nothing;
    if found then return; end if;
  end loop;
end
$$;

create function sum_added_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select organization_id, user_id, count(*) filter (where status <> 'canceled') as count,
           coalesce(sum(customer_grand_total_cents) filter (where status = 'fulfilled'), 0)::bigint as cents,
           max(created_at) filter (where status <> 'canceled') as latest
      from added where user_id is not null group by 1, 2 order by 1, 2
  loop
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    update customer_sums set last_order_at = change.latest
     where organization_id = change.organization_id and user_id = change.user_id
       and (last_order_at is null or last_order_at < change.latest);
  end loop;
  return null;
end
$$;
create trigger customer_sums_of_added after insert on orders referencing new table as added
  for each statement execute function sum_added_orders();

-- Of a step, and of orders that another customer has now. The sums are locked before the latest order is sought.
create function sum_changed_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select organization_id, user_id, coalesce(sum(sign) filter (where status <> 'canceled'), 0)::bigint as count,
           coalesce(sum(sign * customer_grand_total_cents) filter (where status = 'fulfilled'), 0)::bigint as cents,
           max(created_at) filter (where status <> 'canceled' and sign > 0)
             is distinct from max(created_at) filter (where status <> 'canceled' and sign < 0) as is_other_latest
      from (select organization_id, user_id, status, customer_grand_total_cents, created_at, 1 as sign from after_it
            union all
            select organization_id, user_id, status, customer_grand_total_cents, created_at, -1 from before_it) o
     where user_id is not null group by 1, 2 order by 1, 2
  loop
    continue when change.count = 0 and change.cents = 0 and not change.is_other_latest;
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    continue when not change.is_other_latest;
    update customer_sums
       set last_order_at = (select created_at from orders
             where organization_id = change.organization_id and user_id = change.user_id and status <> 'canceled'
             order by created_at desc, id desc limit 1)
     where organization_id = change.organization_id and user_id = change.user_id;
  end loop;
  return null;
end
$$;
create trigger customer_sums_of_changed after update on orders referencing old table as before_it new table as after_it
  for each statement execute function sum_changed_orders();

-- The next two migrations count what is there, and wall it again: the owner of the tables reads all organizations meanwhile.
alter table customers no force row level security;
