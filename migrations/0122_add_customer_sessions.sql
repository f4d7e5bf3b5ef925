-- Customers who prove that an email is theirs (D62). Rows are by email and not by customer: a code is sent to every address
-- in the same way, whether the organization knows it or not.

-- The open code of an email at an integrator, and how often codes were sent and guessed within an hour.
create table customer_codes (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  email_normalized text not null check (length(email_normalized) <= 254),
  hour_started_at timestamptz not null,
  sends integer not null,
  tries integer not null,
  -- A code under the master key: six digits alone could be found from their digest. Null: used.
  code_digest bytea,
  code_expires_at timestamptz,
  primary key (organization_id, integrator_id, email_normalized)
);
create index customer_codes_by_hour on customer_codes (organization_id, hour_started_at);
alter table customer_codes enable row level security;
alter table customer_codes force row level security;
create policy tenant on customer_codes using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create table customer_sessions (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  email_normalized text not null check (length(email_normalized) <= 254),
  digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index customer_sessions_by_digest on customer_sessions (organization_id, digest);
create index customer_sessions_by_email on customer_sessions (organization_id, email_normalized, id);
alter table customer_sessions enable row level security;
alter table customer_sessions force row level security;
create policy tenant on customer_sessions using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
