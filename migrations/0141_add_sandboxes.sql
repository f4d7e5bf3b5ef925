-- Sandboxes (D60): an organization that belongs to an integrator, with its own clock. A reset makes another organization
-- behind the same keys, because orders, ledger and audit are never deleted; the former one has ended.
create table sandboxes (
  organization_id bigint primary key references organizations,
  integrator_id bigint not null references integrators,
  -- Who plays the staff's steps.
  staff_id bigint not null,
  -- What the clock adds to the time of the deployment, unless it stands.
  clock_ahead_ms bigint not null default 0,
  clock_stands_at timestamptz,
  -- The customers and products of the special cases, with their ids.
  special_cases jsonb not null,
  reset_asked_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, staff_id) references staff_members
);
alter table sandboxes enable row level security;
alter table sandboxes force row level security;
create policy tenant on sandboxes using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
revoke delete on sandboxes from dispensary_app;

-- Prices depend on the time, so a clock that is set counts as a change of the terms.
create trigger terms_changed after update on sandboxes
  for each statement execute function count_change_of_terms();

-- The integrator's key for its sandboxes alone: it opens no other organization, and a rotation of the usual key leaves it.
alter table consumer_key_digests add column of_sandbox boolean not null default false;

-- Deliveries wait until then: the fault webhook-late.
alter table webhook_endpoints add column held_until timestamptz;
