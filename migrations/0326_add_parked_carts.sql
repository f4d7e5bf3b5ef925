-- Carts that a register has parked, for any register of the location to take up. They are short-lived: a cart that was taken up,
-- discarded or has expired has no row. What is in it is the console's own text, without personal data.
create table parked_carts (
  organization_id bigint not null references organizations,
  id bigint not null,
  inventory_location_id bigint not null,
  name text not null,
  item_count integer not null check (item_count > 0),
  content text not null check (octet_length(content) <= 262144),
  parked_by_staff_id bigint not null,
  parked_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  foreign key (organization_id, parked_by_staff_id) references staff_members
);
create index parked_carts_by_expiry on parked_carts (organization_id, expires_at);
alter table parked_carts enable row level security, force row level security;
create policy tenant on parked_carts using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
grant select, insert, update, delete on parked_carts to dispensary_app;
