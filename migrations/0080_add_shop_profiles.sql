-- D68: what a web shop shows of the organization besides its name: where it is, when it is open, its logo.
create table shop_profiles (
  organization_id bigint primary key references organizations,
  -- {street1, street2, city, postalCode}; the state is the organization's. Null: not told.
  address jsonb check (jsonb_typeof(address) = 'object'),
  -- [{day, opensAt, closesAt}], by day and time; empty: not told.
  hours jsonb not null check (jsonb_typeof(hours) = 'array'),
  -- Of the largest size, as of a product's photo.
  logo_location text check (length(logo_location) <= 200),
  updated_at timestamptz not null
);
alter table shop_profiles enable row level security;
alter table shop_profiles force row level security;
create policy tenant on shop_profiles using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
