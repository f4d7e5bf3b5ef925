-- The log of requests in rows of up to a thousand, a column of each in an array: a row and its index entries for
-- every request cost as much as what the database does for a price.

create table api_request_batches (
  -- Without a foreign key, as before: rows are many and short-lived.
  organization_id bigint not null,
  -- When its first and its last request were answered, in milliseconds since 1970 as all times here: a minute apart at
  -- most, so that a batch is found by the time of any of its requests.
  first_at_ms bigint not null,
  last_at_ms bigint not null,
  id bigint not null,
  integrator_id bigint not null,
  client_key_id bigint not null,
  -- Whether all of them got a status of 400 and above, or none did: refusals are what is looked for, and few.
  is_refused boolean not null,
  request_count integer not null,
  -- One element for each request, oldest first.
  times_ms bigint[] not null,
  methods text[] not null,
  -- As it is declared, and as it was asked for, without the query; empty where that is the same.
  path_templates text[] not null,
  paths text[] not null,
  -- 499: the caller went away before it was answered.
  statuses smallint[] not null,
  -- Of a refusal; else empty.
  codes text[] not null,
  microseconds integer[] not null,
  request_ids text[] not null,
  check (last_at_ms between first_at_ms and first_at_ms + 60000),
  check (request_count between 1 and 1000 and cardinality(times_ms) = request_count),
  primary key (organization_id, last_at_ms, id)
);
create index api_request_batches_of_integrator on api_request_batches (organization_id, integrator_id, last_at_ms, id);
create index api_request_batches_refused on api_request_batches (organization_id, last_at_ms, id) where is_refused;

alter table api_request_batches enable row level security;
alter table api_request_batches force row level security;
create policy tenant on api_request_batches using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
-- A record is not changed; it is deleted when its time has come.
revoke update on api_request_batches from dispensary_app;

-- What was logged so far comes along: rows of all organizations, which the owner of the table may see for this.
alter table api_requests no force row level security;
alter table api_request_batches no force row level security;
insert into api_request_batches (organization_id, first_at_ms, last_at_ms, id, integrator_id, client_key_id, is_refused,
  request_count, times_ms, methods, path_templates, paths, statuses, codes, microseconds, request_ids)
select organization_id, min(at_ms), max(at_ms), min(id), integrator_id, client_key_id, is_refused, count(*),
       array_agg(at_ms order by at, id), array_agg(method order by at, id),
       array_agg(path_template order by at, id),
       array_agg(case when path = path_template then '' else path end order by at, id),
       array_agg(status order by at, id), array_agg(coalesce(code, '') order by at, id),
       array_agg(microseconds order by at, id), array_agg(request_id order by at, id)
  from (select *, (row_number() over (partition by organization_id, client_key_id, is_refused, minute
                                      order by at, id) - 1) / 1000 as part
          from (select *, status >= 400 as is_refused, date_trunc('minute', at) as minute,
                       (extract(epoch from at) * 1000)::bigint as at_ms
                  from api_requests) r) r
 group by organization_id, integrator_id, client_key_id, is_refused, minute, part;
alter table api_request_batches force row level security;
drop table api_requests;
