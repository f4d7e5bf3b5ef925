-- Purchase orders, the vendors behind them, whole packages, and the transfers that bring them.

-- ---------------------------------------------------------------------------------------------------------
-- Packages

alter table packages
  -- Null until somebody says what is in it, and what it cost: it is received then.
  alter column product_id drop not null,
  alter column cost_per_unit drop not null,
  add column type text not null default 'metrc' check (type in ('metrc')),
  add column external_id text,
  add column external_product_name text,
  -- Units of stock in one unit of the package.
  add column multiplier numeric not null default 1 check (multiplier > 0),
  add column finished_at timestamptz,
  add column transferred_at timestamptz,
  add column transfer_returned_at timestamptz,
  add column shipped_at timestamptz,
  add column void_reason text,
  add column thc_percent numeric, add column thc_mg numeric,
  add column cbd_percent numeric, add column cbd_mg numeric,
  add column producer_name text, add column producer_license text,
  add column harvest_date date, add column harvest_facility_name text, add column harvest_facility_license text,
  add column lab_name text, add column lab_license text, add column lab_date date,
  add column original_source_label text,
  add column compliance_transfer_id bigint,
  add constraint packages_received_whole
    check (status <> 'received' or (product_id is not null and cost_per_unit is not null and received_at is not null));

create table compliance_transfers (
  organization_id bigint not null references organizations,
  id bigint not null,
  type text not null check (type in ('metrc')),
  external_id text,
  manifest_number text not null,
  shipper_name text not null,
  shipper_license_number text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint compliance_transfers_of_manifest unique (organization_id, type, manifest_number)
);
create index compliance_transfers_by_time on compliance_transfers (organization_id, created_at desc, id desc);

alter table packages add foreign key (organization_id, compliance_transfer_id) references compliance_transfers;
create index packages_of_transfer on packages (organization_id, compliance_transfer_id, id)
  where compliance_transfer_id is not null;

-- When each package last changed: a field of it, or its stock. Apart from packages, so that a sale does not write
-- their wide rows anew, nor waits for whoever holds one. By triggers, whoever writes.
create table package_changes (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  changed_at timestamptz not null,
  primary key (organization_id, package_id)
);
create index package_changes_in_order on package_changes (organization_id, changed_at, package_id);

-- The owner is behind the wall too; here it steps aside for the rows of everybody.
alter table packages no force row level security;
insert into package_changes (organization_id, package_id, changed_at)
  select organization_id, id, updated_at from packages;
alter table packages force row level security;
alter table packages drop column updated_at;

-- The list goes on from the last change that its reader has seen (D14). A change that is stamped early and committed
-- late would be passed by. So whoever stamps first shows since which second it has been at it, by an advisory lock
-- that ends with its transaction, and only then looks at the clock; and a reader, before it takes its snapshot, asks
-- for the oldest of these (selectSettledChanges) and is shown what is older than that. Nobody waits for anybody.
create function package_change_instant() returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(1885430635,
    (floor(extract(epoch from clock_timestamp())) - 1600000000)::integer);
  return clock_timestamp();
end
$$;

-- Rows in the order of their keys, so that two writers never wait for each other in a circle.
create function stamp_changed_stock() returns trigger language plpgsql as $$
declare
  instant timestamptz;
begin
  if not exists (select from changed where package_id <> 0 and (tg_op = 'UPDATE' or on_hand <> 0)) then
    return null;
  end if;
  instant := package_change_instant();
  insert into package_changes (organization_id, package_id, changed_at)
    select distinct c.organization_id, c.package_id, instant from changed c
     where c.package_id <> 0 and (tg_op = 'UPDATE' or c.on_hand <> 0)
     order by c.organization_id, c.package_id
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end
$$;
create trigger new_stock_changes_packages after insert on stock_balances
  referencing new table as changed for each statement execute function stamp_changed_stock();
create trigger stock_changes_packages after update on stock_balances
  referencing new table as changed for each statement execute function stamp_changed_stock();

create function stamp_changed_packages() returns trigger language plpgsql as $$
declare
  instant timestamptz;
begin
  if not exists (select from changed) then return null; end if;
  instant := package_change_instant();
  insert into package_changes (organization_id, package_id, changed_at)
    select c.organization_id, c.id, instant from changed c order by c.organization_id, c.id
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end
$$;
create trigger packages_created after insert on packages
  referencing new table as changed for each statement execute function stamp_changed_packages();
create trigger packages_changed after update on packages
  referencing new table as changed for each statement execute function stamp_changed_packages();

-- ---------------------------------------------------------------------------------------------------------
-- Purchasing

create table inventory_vendors (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  email text,
  phone text,
  notes text,
  seller_permit_number text,
  street1 text,
  street2 text,
  city text,
  state text,
  postal_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
-- The name of an archived one is free again.
create unique index inventory_vendors_of_name on inventory_vendors (organization_id, name_key)
  where archived_at is null;

create table purchase_orders (
  organization_id bigint not null references organizations,
  id bigint not null,
  status text not null check (status in ('open', 'closed')),
  inventory_vendor_id bigint not null,
  expected_at date not null,
  notes text,
  payment_terms text check (payment_terms in ('net15', 'net30', 'net60', 'cod', 'custom')),
  payment_terms_due_date date,
  external_invoice_number text,
  shipping_handling_fee_cents bigint not null check (shipping_handling_fee_cents >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, inventory_vendor_id) references inventory_vendors
);
create index purchase_orders_by_time on purchase_orders (organization_id, created_at desc, id desc);

create table purchase_order_lines (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  id bigint not null,
  position integer not null,
  product_id bigint not null,
  product_option_id bigint,
  amount numeric not null check (amount > 0),
  -- Dollars.
  cost_per_unit numeric not null check (cost_per_unit >= 0),
  -- amount × cost_per_unit, half-up (D49).
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders,
  foreign key (organization_id, product_id) references products,
  foreign key (organization_id, product_option_id) references product_options
);
create index purchase_order_lines_of_order on purchase_order_lines (organization_id, purchase_order_id, position, id);

-- What came in of a line; its id is the cause that the stock ledger names.
create table purchase_order_receptions (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  purchase_order_line_id bigint not null,
  id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint,
  amount numeric not null check (amount > 0),
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders,
  foreign key (organization_id, purchase_order_line_id) references purchase_order_lines,
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  foreign key (organization_id, package_id) references packages
);
create index purchase_order_receptions_of_order on purchase_order_receptions (organization_id, purchase_order_id, id);

create table purchase_order_payments (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  id bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders
);
create index purchase_order_payments_of_order on purchase_order_payments (organization_id, purchase_order_id, id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['package_changes', 'compliance_transfers', 'inventory_vendors', 'purchase_orders',
    'purchase_order_lines', 'purchase_order_receptions', 'purchase_order_payments']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
revoke update, delete on purchase_order_receptions, purchase_order_payments from dispensary_app;
