-- Who is waiting in the shop (D55), and what staff need for their work with customers: finding them by the beginning
-- of what they say of themselves, and merging or erasing them.

-- Those who have left stay, so that leaving twice is harmless; they go with the person when that one is erased.
create table queue_entries (
  organization_id bigint not null references organizations,
  id bigint not null,
  user_id bigint not null,
  line text not null check (line in ('intake', 'pos')),
  checked_in_at timestamptz not null,
  -- Since when in this line: what it is ordered by.
  since timestamptz not null,
  called_at timestamptz,
  left_at timestamptz,
  left_reason text,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references customers
);
-- Nobody stands in two lines, or twice in one.
create unique index queue_entries_one_place on queue_entries (organization_id, user_id) where left_at is null;
create index queue_entries_in_line on queue_entries (organization_id, line, since, id) where left_at is null;
create index queue_entries_of_customer on queue_entries (organization_id, user_id, id);

alter table queue_entries enable row level security;
alter table queue_entries force row level security;
create policy tenant on queue_entries using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- A name as it is searched for: without case, accents and outer space.
create function search_key(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(btrim(name), NFD), '[\u0300-\u036f]', '', 'g'))
$$;

alter table customers
  -- D35; null: as the card and the organization's settings say.
  add column tax_exempt boolean,
  add column erased_at timestamptz,
  -- Columns and no indexes on expressions: behind row-level security only leak-proof conditions reach an index, and
  -- a function of a row's value is none. In the C collation a prefix is a range.
  add column first_name_key text collate "C" not null generated always as (search_key(first_name)) stored,
  add column last_name_key text collate "C" not null generated always as (search_key(last_name)) stored;
create index customers_by_last_name on customers (organization_id, last_name_key, first_name_key)
  include (joined_at, id) where erased_at is null;
create index customers_by_first_name on customers (organization_id, first_name_key, last_name_key)
  include (joined_at, id) where erased_at is null;
create index customers_by_email_prefix on customers (organization_id, email_normalized text_pattern_ops)
  include (joined_at, id) where erased_at is null;
create index customers_by_phone_prefix on customers (organization_id, phone_normalized text_pattern_ops)
  include (joined_at, id) where erased_at is null;
create index customers_by_hash_prefix on customers (organization_id, hash_id text_pattern_ops)
  include (joined_at, id) where erased_at is null;

-- Points that were given stay as they were given; whose they are changes when two customers turn out to be one.
grant update (user_id) on loyalty_events to dispensary_app;
