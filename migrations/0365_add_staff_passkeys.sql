-- Passkeys of staff (D72): they sign in without a password, and count as both factors.
create table staff_passkeys (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  id bigint not null,
  -- As the authenticator names it.
  credential_id bytea not null,
  -- COSE. It is no secret.
  public_key bytea not null,
  -- The last one of the authenticator; 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, staff_id, id),
  unique (organization_id, staff_id, credential_id),
  foreign key (organization_id, staff_id) references staff_members
);
alter table staff_passkeys enable row level security;
alter table staff_passkeys force row level security;
create policy tenant on staff_passkeys using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- What an authenticator has to sign, once and within minutes. Of a sign-in neither organization nor member is known yet: digests
-- only, of the challenge together with the member who has to answer it.
create table staff_passkey_challenges (
  digest bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'register', 'prove')),
  organization_id bigint,
  staff_id bigint,
  expires_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_passkey_challenges_by_end on staff_passkey_challenges (expires_at);
create index staff_passkey_challenges_of_member on staff_passkey_challenges (organization_id, staff_id);
