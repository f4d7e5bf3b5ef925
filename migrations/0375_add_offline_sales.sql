-- Whether registers sell on while the service cannot be reached, and within which limits: of the organization (no location), or of
-- a location. Without a row they do not.
create table offline_sale_limits (
  organization_id bigint not null references organizations,
  id bigint not null,
  inventory_location_id bigint,
  is_on boolean not null,
  hours_max integer not null check (hours_max between 1 and 72),
  sale_cents_max bigint not null check (sale_cents_max > 0),
  outage_cents_max bigint not null check (outage_cents_max > 0),
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, inventory_location_id),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);
alter table offline_sale_limits enable row level security, force row level security;
create policy tenant on offline_sale_limits using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
grant select, insert, update, delete on offline_sale_limits to dispensary_app;

-- Sales that a register made alone and sent later. Each is one order, whatever is sent again; reasons say why it is to be reviewed.
create table offline_sales (
  organization_id bigint not null references organizations,
  id bigint not null,
  sale_id uuid not null,
  register_id bigint not null,
  number text not null check (octet_length(number) <= 160),
  outage_id uuid not null,
  order_id uuid not null,
  order_number bigint,
  sold_at timestamptz not null,
  received_at timestamptz not null,
  sent_by_staff_id bigint not null,
  total_cents bigint not null,
  -- Of what was signed.
  digest bytea not null,
  reasons text[] not null,
  details jsonb not null,
  settled_at timestamptz,
  settled_by_staff_id bigint,
  note text check (octet_length(note) <= 4000),
  primary key (organization_id, id),
  unique (organization_id, sale_id),
  foreign key (organization_id, register_id) references registers,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, sent_by_staff_id) references staff_members,
  foreign key (organization_id, settled_by_staff_id) references staff_members,
  check ((settled_at is null) = (settled_by_staff_id is null))
);
create index offline_sales_by_time on offline_sales (organization_id, sold_at, id);
create index offline_sales_by_arrival on offline_sales (organization_id, received_at, id);
create index offline_sales_by_total on offline_sales (organization_id, total_cents, id);
create index offline_sales_of_register on offline_sales (organization_id, register_id, sold_at, id);
create index offline_sales_of_outage on offline_sales (organization_id, outage_id);
create index offline_sales_by_number on offline_sales (organization_id, register_id, number);
create index offline_sales_to_review on offline_sales (organization_id, sold_at, id)
  where reasons <> '{}' and settled_at is null;
alter table offline_sales enable row level security, force row level security;
create policy tenant on offline_sales using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
grant select, insert on offline_sales to dispensary_app;
grant update (settled_at, settled_by_staff_id, note) on offline_sales to dispensary_app;
