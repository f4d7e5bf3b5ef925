-- D66: a worker takes an endpoint as a whole for a while, instead of every delivery one by one, and writes a delivery once:
-- when its first attempt has ended, or when the attempt takes long.

alter table webhook_endpoints
  -- The worker that sends to it, until then.
  add column leased_by text,
  add column leased_until timestamptz,
  -- Of the last successful attempt, to within some seconds.
  add column last_success_at timestamptz,
  -- Why it was switched off.
  add column switched_off_reason text check (switched_off_reason in ('failing', 'gone')),
  add check ((leased_by is null) = (leased_until is null));

alter table webhook_deliveries
  -- The text of a change is made of its event again; only a test event has its own.
  alter column body drop not null,
  -- An earlier delivery of the resource is waiting: this one is looked at when that one has ended.
  add column blocked boolean not null default false;

drop index webhook_deliveries_to_send;
create index webhook_deliveries_to_send on webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  where next_attempt_at is not null and not blocked;
