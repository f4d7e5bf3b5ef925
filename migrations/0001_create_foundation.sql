-- The foundation: who there is, what is sold, where it lies, and what was ordered.
--
-- Rules of this schema (each is checked by a test):
--   * A table of an organization's data has organization_id first in its primary key, in every foreign key
--     and in every index, so that the data can later be distributed by organization.
--   * Row-level security is on and forced on every such table: a statement sees the organization that its
--     transaction has entered (app.organization_id), and nothing when it has entered none.
--   * Money is integer cents in bigint. Stock, rates and costs are numeric. No floats.
--   * Identifiers are made by the program, from one sequence of blocks, all below 2^53.
--   * A product-tracked stock item has product_option_id 0, stock without a package has package_id 0:
--     zero, not null, because they are part of keys.

create function current_organization_id() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::bigint;

create sequence record_id_blocks;

-- ---------------------------------------------------------------------------------------------------------
-- Access

create table organizations (
  id bigint primary key,
  name text not null,
  customer_email text not null,
  customer_phone text not null,
  license_number text not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  tz text not null,
  taxes_included boolean not null default false,
  has_delivery boolean not null default true,
  has_pickup boolean not null default true,
  -- D21: whether an order of an integrator takes stock when it is placed.
  delivery_status_on_creation text not null default 'draft' check (delivery_status_on_creation in ('draft', 'new')),
  pickup_status_on_creation text not null default 'draft' check (pickup_status_on_creation in ('draft', 'new')),
  delivery_minimum_cents bigint not null default 0 check (delivery_minimum_cents >= 0),
  pickup_minimum_cents bigint not null default 0 check (pickup_minimum_cents >= 0),
  budtender_discount_percent numeric check (budtender_discount_percent between 0 and 100),
  manager_discount_percent numeric check (manager_discount_percent between 0 and 100),
  medical_tax_exempt boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The integrators' companies work for many organizations: they belong to none.
create table integrators (
  id bigint primary key,
  name text not null,
  consumer_key_digest bytea not null unique,
  consumer_key_prefix text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table client_keys (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  name text not null,
  key_prefix text not null,
  permissions text[] not null,
  strict boolean not null,
  menu_requests_per_second integer check (menu_requests_per_second > 0),
  other_requests_per_second integer check (other_requests_per_second > 0),
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (organization_id, id)
);

-- Finds the organization of a presented key before any organization has been entered: digests only.
create table client_key_digests (
  digest bytea primary key,
  organization_id bigint not null,
  client_key_id bigint not null,
  foreign key (organization_id, client_key_id) references client_keys
);

create table staff_members (
  organization_id bigint not null references organizations,
  id bigint not null,
  email text not null,
  email_normalized text not null,
  first_name text not null,
  last_name text not null,
  role text not null check (role in ('owner', 'manager', 'budtender', 'inventory')),
  password_hash text,
  created_at timestamptz not null,
  disabled_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, email_normalized)
);

-- ---------------------------------------------------------------------------------------------------------
-- Catalog

create table brands (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  -- Names are matched without case and outer space (D43).
  name_key text not null generated always as (lower(btrim(name))) stored,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, name_key)
);

create table product_categories (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  display_order integer not null,
  cannabis_type text not null check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids',
    'mi-infused-fluids', 'edibles', 'immature-plant', 'none')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, name_key)
);

create table product_sub_categories (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, name_key)
);

create table tags (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

create table products (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text not null,
  unit text not null check (unit in ('gram', 'item')),
  strain_type text not null check (strain_type in ('sativa', 'indica', 'hybrid', 'hybrid-sativa', 'hybrid-indica',
    'cbd', 'mixed', 'none')),
  brand_id bigint not null,
  primary_category_id bigint not null,
  sub_category_ids bigint[] not null default '{}',
  inventory_type text not null check (inventory_type in ('option', 'product', 'none')),
  is_active boolean not null default false,
  is_featured boolean not null default false,
  is_compliant boolean not null default true,
  thc_amount numeric, thc_amount_each numeric, thc_amount_range_low numeric, thc_amount_range_high numeric,
  thc_unit text check (thc_unit in ('%', 'mg')),
  cbd_amount numeric, cbd_amount_each numeric, cbd_amount_range_low numeric, cbd_amount_range_high numeric,
  cbd_unit text check (cbd_unit in ('%', 'mg')),
  -- Dollars per unit, for product-tracked stock.
  moving_average_cost_per_unit numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, brand_id) references brands,
  foreign key (organization_id, primary_category_id) references product_categories
);

create table product_tags (
  organization_id bigint not null references organizations,
  tag_id bigint not null,
  product_id bigint not null,
  primary key (organization_id, tag_id, product_id),
  foreign key (organization_id, tag_id) references tags,
  foreign key (organization_id, product_id) references products
);

create table product_photos (
  organization_id bigint not null references organizations,
  id bigint not null,
  product_id bigint not null,
  position integer not null,
  -- A path of ours ("/photos/…") once the picture is stored, else the address that was submitted.
  location text not null,
  primary key (organization_id, id),
  foreign key (organization_id, product_id) references products
);
create index product_photos_of_product on product_photos (organization_id, product_id, position);

create table product_options (
  organization_id bigint not null references organizations,
  id bigint not null,
  product_id bigint not null,
  position integer not null,
  -- Null: menus show a label made of amount and unit.
  name text,
  amount numeric not null check (amount > 0),
  price_cents bigint not null check (price_cents between 0 and 100000000),
  sales_price_cents bigint check (sales_price_cents between 0 and price_cents),
  upc text,
  -- In the unit of the category's cannabis type.
  content numeric check (content > 0),
  -- Dollars per unit, for option-tracked stock.
  moving_average_cost_per_unit numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, product_id) references products
);
create index product_options_of_product on product_options (organization_id, product_id, position, id);

-- ---------------------------------------------------------------------------------------------------------
-- Settings that price a cart

create table taxes (
  organization_id bigint not null references organizations,
  id bigint not null,
  description text not null,
  rate numeric not null check (rate between 0 and 100),
  tier text not null check (tier in ('1', '2', '3', '4', '5')),
  type text not null check (type in ('standard', 'excise', 'california-excise')),
  included boolean not null,
  encompass boolean not null,
  exemptable boolean not null,
  applies_to_fees boolean not null,
  rounding text not null check (rounding in ('half-up', 'up')),
  excluded_category_ids bigint[] not null default '{}',
  non_exemptable_category_ids bigint[] not null default '{}',
  -- A rate is never edited: the tax ends and another begins.
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

create table delivery_zones (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  order_minimum_cents bigint not null check (order_minimum_cents >= 0),
  delivery_fee_cents bigint not null check (delivery_fee_cents >= 0),
  delivery_fee_description text,
  -- Empty: the locations of delivery orders (D48).
  inventory_location_ids bigint[] not null default '{}',
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- A postal code ("94607") or a prefix ("946*") belongs to one zone. The zone of an address is that of the
-- longest pattern that fits, found by looking up the code and its prefixes: no scan.
create table delivery_zone_postal_codes (
  organization_id bigint not null references organizations,
  pattern text not null check (pattern ~ '^[0-9A-Z]{1,10}\*?$'),
  delivery_zone_id bigint not null,
  primary key (organization_id, pattern),
  foreign key (organization_id, delivery_zone_id) references delivery_zones
);

create table payment_types (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  fee_cents bigint not null check (fee_cents >= 0),
  fee_description text,
  fee_percent numeric not null check (fee_percent between 0 and 100),
  method text not null check (method in ('cash', 'debit', 'other', 'processor')),
  available_delivery boolean not null,
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);

-- ---------------------------------------------------------------------------------------------------------
-- Customers

create table customers (
  organization_id bigint not null references organizations,
  id bigint not null,
  hash_id text not null,
  first_name text not null,
  last_name text not null,
  -- As shown; the normalized ones identify (D32): trimmed lower case, and E.164.
  email text,
  email_normalized text,
  phone text,
  phone_normalized text,
  birthday date,
  sex text check (sex in ('male', 'female', 'tertiary')),
  zip text,
  license_expiry date,
  medical_expiration date,
  marketing_opt_in boolean not null default false,
  marketing_opt_in_at timestamptz,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, hash_id),
  unique (organization_id, email_normalized),
  unique (organization_id, phone_normalized)
);

-- ---------------------------------------------------------------------------------------------------------
-- Stock

create table inventory_locations (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  description text,
  type text not null check (type in ('standard', 'vehicle')),
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- D48: where each order type draws from, in order.
create table order_type_locations (
  organization_id bigint not null references organizations,
  order_type text not null check (order_type in ('delivery', 'pickup', 'in-store')),
  position integer not null,
  inventory_location_id bigint not null,
  primary key (organization_id, order_type, position),
  foreign key (organization_id, inventory_location_id) references inventory_locations
);

create table packages (
  organization_id bigint not null references organizations,
  id bigint not null,
  label text not null,
  product_id bigint not null,
  product_option_id bigint,
  status text not null check (status in ('ready', 'received', 'finished', 'shipped', 'transferred',
    'transfer-returned', 'syncing')),
  unit text not null,
  initial_amount numeric not null,
  -- Dollars per unit.
  cost_per_unit numeric not null,
  on_hold boolean not null default false,
  trade_sample boolean not null default false,
  received_at timestamptz,
  expiration_date date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, label),
  foreign key (organization_id, product_id) references products
);

-- What lies where. Derived from the ledger, and guarded here: a sale decrements without looking, and the
-- check refuses what is not there.
create table stock_balances (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint not null,
  on_hand numeric not null,
  primary key (organization_id, product_id, product_option_id, inventory_location_id, package_id),
  foreign key (organization_id, inventory_location_id) references inventory_locations,
  constraint stock_balances_never_negative check (on_hand >= 0)
);

-- Append-only: the truth about stock. One cause has one effect on one balance, whatever is retried.
create table stock_ledger_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint not null,
  delta numeric not null check (delta <> 0),
  cause text not null check (cause in ('received', 'taken', 'given-back', 'returned', 'wasted', 'adjusted',
    'counted', 'moved')),
  -- The row that caused it: an order's transition, a reception, an adjustment …
  cause_id bigint not null,
  order_line_item_id bigint,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint stock_ledger_one_effect_per_cause unique nulls not distinct
    (organization_id, cause_id, cause, product_id, product_option_id, inventory_location_id, package_id,
     order_line_item_id)
);
create index stock_ledger_entries_of_item on stock_ledger_entries
  (organization_id, product_id, product_option_id, id);

-- ---------------------------------------------------------------------------------------------------------
-- Orders. All amounts are frozen when the order is placed (D25).

create table orders (
  organization_id bigint not null references organizations,
  -- UUID v7 (D18).
  id uuid not null,
  user_id bigint,
  type text not null check (type in ('delivery', 'pickup', 'in-store')),
  source text not null check (source in ('open-api', 'web-admin', 'in-store', 'kiosk', 'menu')),
  status text not null check (status in ('draft', 'new', 'packed', 'fulfilled', 'canceled')),
  integrator_id bigint references integrators,
  api_consumer_name text,
  idempotency_key uuid,
  total_price_cents bigint not null check (total_price_cents >= 0),
  net_price_cents bigint not null check (net_price_cents >= 0),
  customer_grand_total_cents bigint not null check (customer_grand_total_cents >= 0),
  merchandise_cents bigint not null check (merchandise_cents >= 0),
  discounts_total_cents bigint not null check (discounts_total_cents >= 0),
  payment_fees_cents bigint not null check (payment_fees_cents >= 0),
  delivery_fee_cents bigint check (delivery_fee_cents >= 0),
  delivery_fee_description text,
  delivery_notes text,
  tax_exempt boolean not null,
  is_medical boolean not null,
  -- A name for pickup without a profile (express pickup, kiosk).
  customer_name text,
  street1 text,
  street2 text,
  city text,
  address_state text,
  postal_code text,
  placed_by_staff_id bigint,
  packed_by_staff_id bigint,
  fulfilled_by_staff_id bigint,
  cancel_admin_id bigint,
  cancelation_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  packed_at timestamptz,
  fulfilled_at timestamptz,
  canceled_at timestamptz,
  -- The order as lists show it, but for the customer, who is shown as of now (D26). Rewritten in the same
  -- transaction as every change: reading a page is then one statement and no assembly.
  document text not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers,
  constraint orders_net_plus_fees_is_grand_total
    check (customer_grand_total_cents = net_price_cents + coalesce(delivery_fee_cents, 0) + payment_fees_cents),
  constraint orders_fulfilled_at check ((status = 'fulfilled') = (fulfilled_at is not null)),
  constraint orders_canceled_at check ((status = 'canceled') = (canceled_at is not null))
);
-- The lists (D14): newest first by (time, id), whole or narrowed by type or customer. A page is a range of
-- one of these, wherever the cursor stands.
create index orders_by_time on orders (organization_id, created_at desc, id desc);
create index orders_by_type on orders (organization_id, type, created_at desc, id desc);
create index orders_by_customer on orders (organization_id, user_id, created_at desc, id desc);
create index orders_by_fulfillment on orders (organization_id, fulfilled_at desc, id desc)
  where status = 'fulfilled';

-- D22: claimed by the first statement of the transaction that writes the order; a second claim waits for it.
create table order_idempotency_keys (
  organization_id bigint not null references organizations,
  integrator_id bigint not null,
  idempotency_key uuid not null,
  order_id uuid not null,
  primary key (organization_id, integrator_id, idempotency_key)
);

create table order_line_items (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  product_option_id bigint not null,
  product_id bigint not null,
  quantity integer not null check (quantity between 1 and 10000),
  -- As they were when the order was placed.
  product_name text not null,
  product_unit text not null,
  product_strain_type text not null,
  product_is_featured boolean not null,
  product_category_id bigint not null,
  product_category_name text not null,
  product_cannabis_type text not null,
  product_sub_category_ids bigint[] not null,
  product_brand text not null,
  product_brand_id bigint not null,
  option_name text not null,
  option_amount numeric not null,
  option_content numeric,
  option_price_cents bigint not null,
  option_sales_price_cents bigint,
  -- How stock is kept for it, and how much one unit takes (D47).
  inventory_type text not null check (inventory_type in ('option', 'product', 'none')),
  unit_price_cents bigint not null check (unit_price_cents >= 0),
  subtotal_price_cents bigint not null check (subtotal_price_cents >= 0),
  final_price_cents bigint not null check (final_price_cents >= 0),
  gross_cents bigint not null check (gross_cents >= 0),
  -- [{taxId, amountCents}]: what each tax charged on this line; returns refund shares of it.
  tax_allocations jsonb not null,
  product_moving_average_cost numeric,
  option_moving_average_cost numeric,
  package_line_cost numeric,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  constraint order_line_items_subtotal check (subtotal_price_cents = unit_price_cents * quantity),
  constraint order_line_items_never_dearer check (final_price_cents <= subtotal_price_cents)
);

-- Which stock a line holds while its order is new, packed or fulfilled.
create table order_line_fulfillments (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  order_line_item_id bigint not null,
  id bigint not null,
  product_id bigint not null,
  product_option_id bigint not null,
  inventory_location_id bigint not null,
  package_id bigint not null,
  package_label text,
  package_unit text,
  package_cost_per_unit numeric,
  amount numeric not null check (amount > 0),
  primary key (organization_id, order_id, order_line_item_id, id),
  foreign key (organization_id, order_id, order_line_item_id) references order_line_items
);

create table order_taxes (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  tax_id bigint not null,
  description text not null,
  rate numeric not null,
  normal_rate numeric not null,
  tier text not null,
  type text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  amount_before_exemption_cents bigint not null,
  amount_exempted_cents bigint not null,
  fee_allocation_cents bigint not null,
  included boolean not null,
  exemptable boolean not null,
  encompass boolean not null,
  excluded_category_ids bigint[] not null,
  non_exemptable_category_ids bigint[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  constraint order_taxes_exemption
    check (amount_before_exemption_cents = amount_cents + amount_exempted_cents)
);

create table order_adjustments (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  amount_cents bigint not null,
  description text not null,
  is_tax_exemption boolean not null,
  tax_id bigint,
  admin_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders
);

create table order_payments (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  position integer not null,
  payment_type_id bigint not null,
  name text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  final_amount_cents bigint not null,
  fee_cents bigint not null check (fee_cents >= 0),
  fee_percent numeric not null,
  fee_amount_cents bigint not null check (fee_amount_cents >= 0),
  fee_description text,
  created_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders,
  constraint order_payments_final check (final_amount_cents = amount_cents + fee_amount_cents)
);

-- Every step of an order's life (D24); what the ledger names as the cause.
create table order_transitions (
  organization_id bigint not null references organizations,
  order_id uuid not null,
  id bigint not null,
  action text not null,
  from_status text,
  to_status text not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, order_id, id),
  foreign key (organization_id, order_id) references orders
);

-- ---------------------------------------------------------------------------------------------------------
-- What every write leaves behind

-- D58: who, what, when. The actor is "key:<id>", "staff:<id>" or "job:<name>".
create table audit_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  details jsonb not null,
  request_id text,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index audit_entries_of_subject on audit_entries (organization_id, subject_type, subject_id, id);

-- D56: announced in the transaction of the change. The transaction's id lets a reader take events in commit
-- order: those below the oldest running transaction are complete.
create table outbox_events (
  organization_id bigint not null references organizations,
  id bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  type text not null,
  subject_id text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index outbox_events_in_order on outbox_events (organization_id, transaction_id, id);

-- ---------------------------------------------------------------------------------------------------------
-- The wall, and the role that stands before it

do $$
declare
  tenant_table text;
begin
  -- The owner migrates and may list organizations; data of an organization it too sees only after entering.
  execute format('create policy operator on organizations to %I using (true) with check (true)', current_user);
  execute 'create policy tenant on organizations using (id = (select current_organization_id()))';
  execute 'alter table organizations enable row level security';
  execute 'alter table organizations force row level security';
  for tenant_table in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'client_key_digests'
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;

  if not exists (select from pg_roles where rolname = 'dispensary_app') then
    create role dispensary_app nologin nobypassrls;
  end if;
  -- Lets a deployment without a login of its own for serving step down to the serving role.
  if not pg_has_role(current_user, 'dispensary_app', 'member') then
    execute format('grant dispensary_app to %I', current_user);
  end if;
end
$$;

grant usage on schema public to dispensary_app;
grant select, insert, update, delete on all tables in schema public to dispensary_app;
grant usage on all sequences in schema public to dispensary_app;
-- History is only added to, and the schema's own record is not the server's to change.
revoke update, delete on stock_ledger_entries, audit_entries, order_transitions, outbox_events from dispensary_app;
revoke all on schema_migrations from dispensary_app;
alter default privileges in schema public grant select, insert, update, delete on tables to dispensary_app;
alter default privileges in schema public grant usage on sequences to dispensary_app;
