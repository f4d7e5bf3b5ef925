-- Sign-in of staff: sessions, and how a session and an account are found before any organization has been entered.

create table staff_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  staff_id bigint not null,
  created_at timestamptz not null,
  -- Within a minute: written at most that often.
  last_used_at timestamptz not null,
  revoked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_sessions_of_member on staff_sessions (organization_id, staff_id);

alter table staff_sessions enable row level security;
alter table staff_sessions force row level security;
create policy tenant on staff_sessions using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Finds the organization of a presented token: digests only.
create table staff_session_digests (
  digest bytea primary key,
  organization_id bigint not null,
  session_id bigint not null,
  foreign key (organization_id, session_id) references staff_sessions on delete cascade
);
create index staff_session_digests_of_session on staff_session_digests (organization_id, session_id);

-- Finds the accounts of an email, of which there can be one in each organization: digests only. Kept in step with
-- staff_members by whoever writes an email there.
create table staff_email_digests (
  digest bytea not null,
  organization_id bigint not null,
  staff_id bigint not null,
  primary key (digest, organization_id),
  foreign key (organization_id, staff_id) references staff_members
);

do $$
declare
  organization bigint;
begin
  -- Staff stands behind the wall, for its owner too: one organization is entered after the other.
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    insert into staff_email_digests (digest, organization_id, staff_id)
      select sha256(convert_to(email_normalized, 'UTF8')), organization_id, id from staff_members;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
