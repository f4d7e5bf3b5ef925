-- What integrators asked in the last 30 days: written behind the replies, read by owners, deleted by a job.

create table api_requests (
  -- Without a foreign key: to check it would cost as much as the row, and rows are many and short-lived.
  organization_id bigint not null,
  at timestamptz not null,
  id bigint not null,
  integrator_id bigint not null,
  client_key_id bigint not null,
  method text not null,
  -- As it is declared, and as it was asked for, without the query.
  path_template text not null,
  path text not null,
  -- 499: the caller went away before it was answered.
  status smallint not null,
  -- Of a refusal.
  code text,
  microseconds integer not null,
  request_id text not null,
  -- Time first: the list, its cursor and the retention are all by time, so that this is the only index of most rows.
  primary key (organization_id, at, id)
);
-- Of one integrator; with all that its health is made of.
create index api_requests_of_integrator on api_requests (organization_id, integrator_id, at, id)
  include (status, microseconds);
-- Refusals are what is looked for, and few.
create index api_requests_refused on api_requests (organization_id, at, id) where status >= 400;

alter table api_requests enable row level security;
alter table api_requests force row level security;
create policy tenant on api_requests using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
-- A record is not changed; it is deleted when its time has come.
revoke update on api_requests from dispensary_app;
