-- Keys that staff manage (D9), invitations of staff, and the lists of what was done.

alter table client_keys
  -- Addresses and ranges that it may be used from, as text; empty: from everywhere.
  add column allowed_addresses text[] not null default '{}',
  -- Within a minute or so: written at most that often, and not by the request itself.
  add column last_used_at timestamptz;

alter table client_key_digests
  -- Of a key that was rotated: until then both work. Null: as long as the key itself.
  add column expires_at timestamptz;
create index client_key_digests_of_key on client_key_digests (organization_id, client_key_id);

-- Finds the member of staff whom a one-time link is for, before any organization has been entered: digests only.
create table staff_invitations (
  digest bytea primary key,
  organization_id bigint not null,
  staff_id bigint not null,
  expires_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_invitations_of_member on staff_invitations (organization_id, staff_id);

-- The list of what was done, newest first: whole, or of one actor.
create index audit_entries_by_time on audit_entries (organization_id, created_at desc, id desc);
create index audit_entries_of_actor on audit_entries (organization_id, actor, created_at desc, id desc);
