-- Orders on the organization's own side: a short number, what staff note, what was asked for, and who brings it.

alter table orders
  -- D18: for people; unique in the organization, not dense. Null: placed before there were numbers.
  add column number bigint,
  -- Only staff see them.
  add column internal_notes text check (char_length(internal_notes) <= 2000),
  -- Of the shift in which it was taken; a name, because shifts are no records here.
  add column shift_name text check (char_length(shift_name) <= 200),
  -- What was asked for beside the lines (codes, rewards, adjustments, payments …): an edit prices it again (D25).
  -- Null: placed before it was kept.
  add column asked jsonb;

create unique index orders_by_number on orders (organization_id, number) where number is not null;
-- What is to be done, newest first. Most orders are fulfilled, and those are in orders_by_time all but alone.
create index orders_by_open_status on orders (organization_id, status, created_at desc, id desc)
  where status <> 'fulfilled';

-- Whoever has no profile is found by the name that they left. By a trigger and not generated, because a column that may
-- not be written stands in the way of copying rows; it costs nothing where nobody left a name.
alter table orders add column customer_name_key text collate "C";
create index orders_by_customer_name on orders (organization_id, customer_name_key)
  where customer_name_key is not null;

create function key_customer_name() returns trigger language plpgsql as $$
begin
  new.customer_name_key := search_key(new.customer_name);
  return new;
end
$$;
create trigger customer_name_keyed before insert on orders
  for each row when (new.customer_name is not null) execute function key_customer_name();
create trigger customer_name_keyed_again before update of customer_name on orders
  for each row when (new.customer_name is distinct from old.customer_name) execute function key_customer_name();

-- D26: who brings a delivery, and how far they are. One for each order, kept as it last was.
create table order_dispatch_tasks (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  status text not null check (status in ('unassigned', 'assigned', 'active', 'completed', 'failed')),
  driver_name text check (char_length(driver_name) <= 200),
  tracking_url text check (char_length(tracking_url) <= 2000),
  estimated_arrival_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id),
  foreign key (organization_id, order_id) references orders,
  constraint order_dispatch_tasks_completed check ((status = 'completed') = (completed_at is not null))
);

alter table order_dispatch_tasks enable row level security;
alter table order_dispatch_tasks force row level security;
create policy tenant on order_dispatch_tasks using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
