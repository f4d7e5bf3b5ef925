-- D66: the change feed, sent to addresses of integrators.

-- Finds the organizations that have endpoints, before the worker enters one of them.
create table webhook_organizations (
  organization_id bigint primary key references organizations
);

create table webhook_endpoints (
  organization_id bigint not null references organizations,
  id bigint not null,
  integrator_id bigint not null references integrators,
  -- The key that made the endpoint: what it may read is what the endpoint gets.
  client_key_id bigint not null,
  url text not null,
  -- Names of events, or `order.*`; none: all events.
  types text[] not null,
  enabled boolean not null,
  -- The signing secrets are encrypted under the master key of that id.
  secret bytea not null,
  secret_master_key_id text not null,
  former_secret bytea,
  former_secret_master_key_id text,
  former_secret_ends_at timestamptz,
  -- Of the last event of the feed that has its delivery.
  position bigint not null,
  -- Of the first failed attempt since the last successful one.
  failing_since timestamptz,
  -- When it was switched off because it only failed.
  switched_off_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, client_key_id) references client_keys (organization_id, id),
  check ((former_secret is null) = (former_secret_ends_at is null)),
  check ((former_secret is null) = (former_secret_master_key_id is null))
);
create index webhook_endpoints_of_integrator on webhook_endpoints (organization_id, integrator_id, id);
create index webhook_endpoints_of_key on webhook_endpoints (organization_id, client_key_id);
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy tenant on webhook_endpoints using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create table webhook_deliveries (
  organization_id bigint not null references organizations,
  id bigint not null,
  endpoint_id bigint not null,
  -- Of the event in the feed; a test event has its own id and the position 0.
  event_id bigint not null,
  position bigint not null,
  -- What receivers know the event by; the same in each attempt.
  message_id text not null,
  type text not null,
  -- Deliveries of one resource are sent in order.
  resource text not null,
  body text not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- Null: delivered, or given up.
  next_attempt_at timestamptz,
  -- Until then a worker sends it.
  claimed_until timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  -- Why there was no answer.
  last_error text,
  answer text,
  duration_ms integer,
  delivered_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint webhook_deliveries_one_per_event unique (organization_id, endpoint_id, event_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id)
);
create index webhook_deliveries_by_time on webhook_deliveries (organization_id, endpoint_id, created_at desc, id desc);
create index webhook_deliveries_to_send on webhook_deliveries (organization_id, endpoint_id, position, id)
  where next_attempt_at is not null;
create index webhook_deliveries_in_line on webhook_deliveries (organization_id, endpoint_id, resource, position, id)
  where next_attempt_at is not null;
create index webhook_deliveries_to_prune on webhook_deliveries (organization_id, created_at);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy tenant on webhook_deliveries using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
