-- D64: what a copy needs to stay exact.

-- Orders in the order of their last change. Type and status come first, so that each filter is a range of this index; a
-- list without one of them takes a page of each range.
create index orders_by_change on orders (organization_id, type, status, updated_at desc, id desc);

-- A change always moves `updated_at` forward, also within one millisecond and where the clocks of processes differ. So a
-- record with the same `updated_at` is the same record.
create function move_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := date_trunc('milliseconds', old.updated_at) + interval '1 millisecond';
  return new;
end
$$;
create trigger updated_at_moves before update of updated_at on orders
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on customers
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on products
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();
create trigger updated_at_moves before update of updated_at on purchase_orders
  for each row when (new.updated_at <= old.updated_at) execute function move_updated_at();

-- Points move `updated_at` of their customer every time, for the same reason.
create or replace function touch_customers_of_points() returns trigger language plpgsql as $$
begin
  update customers c set updated_at = n.updated_at from is_now n
    where c.organization_id = n.organization_id and c.id = n.user_id;
  return null;
end
$$;

-- The customers who were merged into another one, with the customer that has their data now.
create table merged_customers (
  organization_id bigint not null references organizations,
  id bigint not null,
  into_id bigint not null,
  merged_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, into_id) references customers (organization_id, id)
);
create index merged_customers_of_target on merged_customers (organization_id, into_id);
alter table merged_customers enable row level security;
alter table merged_customers force row level security;
create policy tenant on merged_customers using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
grant select, insert, update (into_id) on merged_customers to dispensary_app;

-- The merges so far are in the audit log. A customer may have been merged into one who was merged later.
alter table audit_entries no force row level security;
alter table customers no force row level security;
alter table merged_customers no force row level security;
with recursive merges as (
  select organization_id, (details ->> 'mergedCustomerId')::bigint as id, subject_id::bigint as into_id, created_at
    from audit_entries
   where subject_type = 'customer' and action = 'customer.updated' and details ? 'mergedCustomerId'
), ends as (
  select organization_id, id, into_id, created_at from merges
  union
  select e.organization_id, e.id, m.into_id, e.created_at
    from ends e join merges m on m.organization_id = e.organization_id and m.id = e.into_id
)
insert into merged_customers (organization_id, id, into_id, merged_at)
  select e.organization_id, e.id, e.into_id, e.created_at
    from ends e join customers c on c.organization_id = e.organization_id and c.id = e.into_id
  on conflict do nothing;
alter table audit_entries force row level security;
alter table customers force row level security;
alter table merged_customers force row level security;
