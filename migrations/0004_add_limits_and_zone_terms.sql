-- Limits that an organization sets beside those of its state, what zones have of their own, and the rest of an
-- organization's settings.

-- D36. A state's own limits are data of the program, never rows.
create table purchase_limit_rules (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  -- Whose purchases it limits.
  customer_type text not null check (customer_type in ('all', 'adult-use', 'medical')),
  cannabis_type text not null check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids',
    'mi-infused-fluids', 'edibles', 'immature-plant')),
  limit_amount numeric not null check (limit_amount >= 0),
  limit_unit text not null check (limit_unit in ('mg', 'g', 'oz', 'fl oz', 'count')),
  limit_window text not null check (limit_window in ('transaction', 'local-day', 'rolling-days', 'calendar-month')),
  window_days integer check (window_days between 1 and 366),
  -- {cannabisType: 'one-to-one' | {amount: {amount, unit}, uses: {amount, unit}}}
  counts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint purchase_limit_rules_window_days check ((limit_window = 'rolling-days') = (window_days is not null))
);

alter table purchase_limit_rules enable row level security;
alter table purchase_limit_rules force row level security;
create policy tenant on purchase_limit_rules using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
create trigger terms_changed after insert or update or delete on purchase_limit_rules
  for each statement execute function count_change_of_terms();

alter table delivery_zones
  -- Null: the organization's taxes but for those of zones only. Else exactly these, for deliveries to the zone.
  add column tax_ids bigint[],
  add column updated_at timestamptz;

alter table payment_types
  add column updated_at timestamptz;

alter table taxes
  -- Charged on deliveries to the zones that name it, and on nothing else: the tax of the next town.
  add column only_in_zones boolean not null default false,
  add column updated_at timestamptz;

alter table organizations
  add column has_in_store boolean not null default true,
  add column document_retention_days integer not null default 1095
    check (document_retention_days between 1 and 36500);
