-- Sign-in of staff by an identity provider of their organization (OpenID Connect, D72).

create table staff_identity_providers (
  organization_id bigint primary key references organizations,
  issuer text not null,
  client_id text not null,
  -- Sealed with the master key.
  client_secret bytea not null,
  client_secret_master_key_id text not null,
  -- Emails of other domains do not sign in.
  email_domains text[] not null check (cardinality(email_domains) > 0),
  -- Whether its sign-in stands for both factors: never, where its answer says so (amr), or always.
  second_factor text not null check (second_factor in ('never', 'when-told', 'always')),
  updated_at timestamptz not null
);
alter table staff_identity_providers enable row level security;
alter table staff_identity_providers force row level security;
create policy tenant on staff_identity_providers using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Whose an account of a provider is, from the first sign-in on: by issuer and subject, whatever its email is later.
create table staff_identities (
  organization_id bigint not null references organizations,
  issuer text not null,
  subject text not null,
  staff_id bigint not null,
  linked_at timestamptz not null,
  primary key (organization_id, issuer, subject),
  -- A member has one account of a provider.
  unique (organization_id, staff_id, issuer),
  foreign key (organization_id, staff_id) references staff_members
);
alter table staff_identities enable row level security;
alter table staff_identities force row level security;
create policy tenant on staff_identities using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- Sign-ins that a browser has begun at a provider. Found by the token of the browser: digests only.
create table staff_identity_sign_ins (
  digest bytea primary key,
  organization_id bigint not null references organizations,
  expires_at timestamptz not null
);
create index staff_identity_sign_ins_by_end on staff_identity_sign_ins (organization_id, expires_at);

-- The provider has taken a second factor of the person.
alter table staff_sessions add column has_provider_factor boolean not null default false;
