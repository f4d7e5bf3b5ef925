-- D73: the audit log is a chain. Each entry has a hash that is made of the entry and of the hash before it, so that an entry that
-- was changed, removed or inserted later is found. The links are written behind the entries, in the order of the feed of events: a
-- write waits for nothing and nobody.

-- The audit entry of the same write; null: an event beside a write, or of an earlier release.
alter table outbox_events add column audit_id bigint;
create type audited_outbox_event_row as (
  id bigint, type text, subject_id text, payload jsonb, created_at timestamptz, audit_id bigint
);

-- Where an organization's chain stands.
create table audit_chains (
  organization_id bigint primary key references organizations,
  -- The number of the last link; 0: none.
  entries bigint not null check (entries >= 0),
  -- Its hash.
  head bytea not null check (octet_length(head) = 32),
  -- The events up to this position of the feed are linked.
  event_position bigint not null check (event_position >= 0),
  -- The last link that an anchor outside of the database has.
  anchored bigint not null default 0 check (anchored >= 0),
  anchored_at timestamptz
);

-- Links that follow each other, up to a thousand in a row: the numbers from `first_number` on, with the ids of their entries and
-- 32 bytes of hash for each.
create table audit_links (
  organization_id bigint not null references organizations,
  first_number bigint not null check (first_number > 0),
  entry_ids bigint[] not null check (cardinality(entry_ids) between 1 and 1000),
  hashes bytea not null,
  linked_at timestamptz not null,
  primary key (organization_id, first_number),
  check (octet_length(hashes) = 32 * cardinality(entry_ids))
);
-- A hash has nothing to compress.
alter table audit_links alter column hashes set storage external;

-- What was in the log before the chain began, in the order of time; it is linked step by step.
create table audit_entries_to_link (
  organization_id bigint not null references organizations,
  place bigint not null,
  entry_ids bigint[] not null,
  primary key (organization_id, place)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['audit_chains', 'audit_links', 'audit_entries_to_link'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
  -- For the list of organizations with entries to link, as in 0241.
  foreach tenant_table in array array['audit_chains', 'audit_entries_to_link'] loop
    execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
  end loop;
end
$$;
revoke delete on audit_chains from dispensary_app;
revoke update, delete on audit_links from dispensary_app;
revoke update on audit_entries_to_link from dispensary_app;

-- The organizations with entries to link; for the owner's connection. None, until no program is left that writes events without
-- the id of their entry: a later migration says so.
create function organizations_to_link() returns table (id bigint)
  language sql stable as $$ select o.id from organizations o where false $$;
-- Those whose chain has grown since its last anchor, which is from before that time, or has none.
create function organizations_to_anchor(before timestamptz) returns table (id bigint)
  language sql stable as $$
  select c.organization_id from audit_chains c
   where c.entries > c.anchored and (c.anchored_at is null or c.anchored_at <= before) order by 1
$$;
-- expand: the functions are new
revoke execute on function organizations_to_link(), organizations_to_anchor(timestamptz) from public;
