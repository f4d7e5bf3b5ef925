-- The lists of customers (D14): newest first by (time of joining, id), or latest change first by (time of change, id).
-- A page is a range of one of these, wherever the cursor stands.
create index customers_by_time on customers (organization_id, joined_at desc, id desc);
create index customers_by_update on customers (organization_id, updated_at desc, id desc);

-- Where customers stood in the list by change before they moved to its front. A cursor names a customer, and that
-- one may have moved since its page was read; for ten minutes it can still be told from where the reader goes on.
-- A trigger, because whoever changes a customer must not forget it; per statement, because a group's end changes
-- all of its members.
create table customer_past_places (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  updated_at timestamptz not null,
  left_at timestamptz not null,
  primary key (organization_id, user_id, updated_at),
  foreign key (organization_id, user_id) references customers
);

alter table customer_past_places enable row level security;
alter table customer_past_places force row level security;
create policy tenant on customer_past_places using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create function keep_past_places_of_customers() returns trigger language plpgsql as $$
begin
  delete from customer_past_places p using is_now n
    where p.organization_id = n.organization_id and p.user_id = n.id
      and p.left_at < n.updated_at - interval '10 minutes';
  insert into customer_past_places (organization_id, user_id, updated_at, left_at)
    select w.organization_id, w.id, w.updated_at, n.updated_at
      from was w join is_now n on n.organization_id = w.organization_id and n.id = w.id
     where n.updated_at <> w.updated_at
    on conflict do nothing;
  return null;
end
$$;
create trigger past_places_kept after update on customers
  referencing old table as was new table as is_now
  for each statement execute function keep_past_places_of_customers();

-- A customer counts as changed when the points do, whoever moves them. Who does holds the customer locked already.
create function touch_customers_of_points() returns trigger language plpgsql as $$
begin
  update customers c set updated_at = n.updated_at from is_now n
    where c.organization_id = n.organization_id and c.id = n.user_id and c.updated_at < n.updated_at;
  return null;
end
$$;
create trigger customers_touched after update on loyalty_balances
  referencing new table as is_now
  for each statement execute function touch_customers_of_points();
