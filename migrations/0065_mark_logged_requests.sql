-- What the log of requests is searched by: status, code, path, key. A batch holds up to a thousand requests, so that a search for
-- what few requests have read every batch. Now each batch says what it contains, and an index finds the newest batches
-- with it.

-- The kinds of requests that a key has sent, for each period of 30 days: a few hundred rows in a busy shop. A period is dropped
-- as a whole, when all its batches are gone.
create table api_request_kinds (
  organization_id bigint not null,
  -- Of `last_at_ms` of a batch: whole periods of 30 days since 1970.
  period bigint not null,
  integrator_id bigint not null,
  client_key_id bigint not null,
  path_template text not null,
  status smallint not null,
  -- Of a refusal; else empty.
  code text not null,
  primary key (organization_id, period, client_key_id, path_template, status, code)
);

-- A row for each kind in a batch, and for each kind with the first id in its paths. `mark` is a hash of the text that
-- api-request-marks.ts makes of them: two texts with one hash cost time and show nothing wrong, since requests are compared.
create table api_request_marks (
  organization_id bigint not null,
  mark bigint not null,
  last_at_ms bigint not null,
  batch_id bigint not null,
  -- Requests of the batch with this mark.
  request_count integer not null,
  primary key (organization_id, mark, last_at_ms, batch_id)
);

-- The marks of a batch, to delete them with it.
alter table api_request_batches add column marks bigint[];

-- What was logged so far is marked as well: rows of all organizations, which the owner of the table may see for this.
alter table api_request_batches no force row level security;
create temp table marked_requests on commit drop as
select b.organization_id, b.last_at_ms, b.id, b.integrator_id, b.client_key_id, r.path_template, r.status, r.code,
       b.client_key_id || ' ' || r.status || ' ' || r.code || ' ' || r.path_template as kind,
       -- The part of the path at the place of the template's first parameter.
       case when r.path <> '' then split_part(r.path, '/',
         cardinality(string_to_array(split_part(r.path_template, '{', 1), '/'))) end as first_id
  from api_request_batches b
 cross join lateral (
   select coalesce(u.path_template, b.path_templates[1]) as path_template, coalesce(u.path, b.paths[1]) as path,
          coalesce(u.status, b.statuses[1]) as status, coalesce(u.code, b.codes[1]) as code
     from unnest(b.times_ms, b.path_templates, b.paths, b.statuses, b.codes) as u (at_ms, path_template, path, status, code)
 ) r;
insert into api_request_kinds (organization_id, period, integrator_id, client_key_id, path_template, status, code)
select distinct organization_id, last_at_ms / 2592000000, integrator_id, client_key_id, path_template, status, code
  from marked_requests;
insert into api_request_marks (organization_id, mark, last_at_ms, batch_id, request_count)
select organization_id, hashtextextended(m.text collate "C", 0) as mark, last_at_ms, id, count(*)
  from marked_requests r
 cross join lateral (values (r.kind), (r.kind || ' ' || r.first_id)) m (text)
 where m.text is not null
 group by organization_id, mark, last_at_ms, id;
update api_request_batches b set marks = m.marks
  from (select organization_id, last_at_ms, batch_id, array_agg(mark) as marks
          from api_request_marks group by organization_id, last_at_ms, batch_id) m
 where m.organization_id = b.organization_id and m.last_at_ms = b.last_at_ms and m.batch_id = b.id;
alter table api_request_batches force row level security;

alter table api_request_batches alter column marks set not null;
-- Refusals are found by their marks now.
drop index api_request_batches_refused;

alter table api_request_kinds enable row level security;
alter table api_request_kinds force row level security;
create policy tenant on api_request_kinds using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
alter table api_request_marks enable row level security;
alter table api_request_marks force row level security;
create policy tenant on api_request_marks using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
-- A record is not changed; it is deleted when its time has come.
revoke update on api_request_kinds, api_request_marks from dispensary_app;
