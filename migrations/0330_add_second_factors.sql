-- Second factors of staff, and proofs of who uses a session (D72).

alter table staff_sessions
  -- When the person last proved who they are in this session; null: when it began.
  add column proven_at timestamptz,
  -- Where it was begun, for the person and the owners. Null: before this was noted, or by a program of an earlier release.
  add column client_address text,
  add column user_agent text;

-- The shared secret of an authenticator app (RFC 6238), sealed with the master key. It counts from the first code on.
create table staff_totp_secrets (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  secret bytea not null,
  secret_master_key_id text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The step of the last code that was accepted: it and those before it are not accepted again.
  last_step bigint not null default 0,
  primary key (organization_id, staff_id),
  foreign key (organization_id, staff_id) references staff_members
);
alter table staff_totp_secrets enable row level security;
alter table staff_totp_secrets force row level security;
create policy tenant on staff_totp_secrets using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Each works once and is deleted by its use: digests only.
create table staff_recovery_codes (
  organization_id bigint not null references organizations,
  staff_id bigint not null,
  digest bytea not null,
  primary key (organization_id, staff_id, digest),
  foreign key (organization_id, staff_id) references staff_members
);
alter table staff_recovery_codes enable row level security;
alter table staff_recovery_codes force row level security;
create policy tenant on staff_recovery_codes using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- People who have given the right password and not yet the second factor. Found by the token, before an organization is known:
-- digests only.
create table staff_half_sign_ins (
  digest bytea primary key,
  organization_id bigint not null,
  staff_id bigint not null,
  expires_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_half_sign_ins_of_member on staff_half_sign_ins (organization_id, staff_id);

-- What an organization asks of the sign-in of its staff. No row: nothing beyond the password.
create table staff_sign_in_rules (
  organization_id bigint primary key references organizations,
  -- Roles whose people need a second factor.
  second_factor_roles text[] not null default '{}',
  -- A refund of more than this needs a recent proof; null: none does.
  refund_proof_cents bigint check (refund_proof_cents >= 0),
  updated_at timestamptz not null
);
alter table staff_sign_in_rules enable row level security;
alter table staff_sign_in_rules force row level security;
create policy tenant on staff_sign_in_rules using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
