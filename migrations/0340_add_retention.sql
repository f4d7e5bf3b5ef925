-- D76: what is kept for a time only goes in small steps, organization by organization in turns.

-- How long the steps of an order's arithmetic are kept. The order, with all that its document shows, is kept for ever.
alter table organizations add column explanation_retention_days integer not null default 365
  check (explanation_retention_days between 1 and 36500);
-- When the steps went; null: they are there, or there were never any.
alter table order_explanations add column steps_pruned_at timestamptz;

-- How far an organization's orders have been looked at, oldest first, so that a pass reads only what has become too old since the
-- last one. An order that is edited or imported behind the mark is found when the orders are looked at from the beginning again.
create table explanation_marks (
  organization_id bigint primary key references organizations,
  -- The last order that was looked at.
  placed_at timestamptz not null,
  order_id uuid not null,
  -- When the orders were begun with.
  begun_at timestamptz not null
);
alter table explanation_marks enable row level security;
alter table explanation_marks force row level security;
create policy tenant on explanation_marks using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- The owner asks for all organizations at once how much is too old; the serving role still reads one organization only.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['api_request_batches', 'customer_codes', 'customer_documents', 'customer_sessions',
                                      'explanation_marks', 'mails', 'menu_import_files', 'menu_import_products', 'menu_imports',
                                      'order_explanations', 'orders', 'staff_sessions'] loop
    execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
  end loop;
end
$$;

-- Of each organization that has rows of a kind: how many are from before a time, counted up to `row_limit`; the oldest row; and
-- whether there is something to do.
create function retention_backlog(kind text, at timestamptz, before timestamptz, row_limit integer)
  returns table (id bigint, overdue bigint, oldest timestamptz, is_due boolean)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  aged text[];
begin
  -- Kinds that are a table with the time of each row.
  aged := case retention_backlog.kind
    when 'webhook_deliveries' then array['webhook_deliveries', 'created_at']
    when 'idempotency_keys' then array['idempotency_keys', 'created_at']
    when 'mails' then array['mails', 'created_at']
    when 'customer_codes' then array['customer_codes', 'hour_started_at']
    when 'customer_sessions' then array['customer_sessions', 'expires_at']
    when 'staff_sessions' then array['staff_sessions', 'created_at']
    when 'staff_links' then array['staff_invitations', 'expires_at']
    when 'staff_devices' then array['staff_devices', 'used_at']
  end;
  if aged is not null then
    return query execute format(
      'select o.id, a.overdue, f.%2$I, a.overdue > 0
         from organizations o
        cross join lateral (
          select t.%2$I from %1$I t where t.organization_id = o.id order by t.%2$I limit 1) f
        cross join lateral (
          select count(*) as overdue from (
            select from %1$I t where t.organization_id = o.id and t.%2$I < $1 limit $2) b) a', aged[1], aged[2])
      using retention_backlog.before, row_limit;
  elsif retention_backlog.kind = 'events' then
    -- The feed is deleted from its beginning. What has no position yet gets one first.
    return query
      select o.id, a.overdue + u.overdue, least(f.created_at, u.oldest), a.overdue + u.overdue > 0
        from organizations o
        left join lateral (
          select e.created_at from outbox_events e
           where e.organization_id = o.id and e.position is not null order by e.position limit 1) f on true
       cross join lateral (
          select count(*) as overdue from (
            select e.created_at from outbox_events e
             where e.organization_id = o.id and e.position is not null and f.created_at < before
             order by e.position limit row_limit) b where b.created_at < before) a
       cross join lateral (
          select count(*) filter (where b.created_at < before) as overdue, min(b.created_at) as oldest from (
            select e.created_at from outbox_events e
             where e.organization_id = o.id and e.position is null and e.announced is not null
             order by e.announced limit row_limit) b) u
       where f.created_at is not null or u.oldest is not null;
  elsif retention_backlog.kind = 'api_requests' then
    return query
      select o.id, a.overdue, to_timestamp(f.last_at_ms / 1000.0), a.overdue > 0
        from organizations o
       cross join lateral (
         select b.last_at_ms from api_request_batches b where b.organization_id = o.id order by b.last_at_ms, b.id limit 1) f
       cross join lateral (
         select count(*) as overdue from (
           select from api_request_batches b
            where b.organization_id = o.id and b.last_at_ms < extract(epoch from before) * 1000 limit row_limit) c) a;
  elsif retention_backlog.kind = 'explanations' then
    return query
      select o.id, a.overdue, f.created_at, a.overdue > 0 or coalesce(m.begun_at < at - interval '7 days', false)
        from organizations o
        left join explanation_marks m on m.organization_id = o.id
        left join lateral (
         select r.created_at from orders r
          where r.organization_id = o.id
            and (r.created_at, r.id) > (coalesce(m.placed_at, '-infinity'),
                                        coalesce(m.order_id, '00000000-0000-0000-0000-000000000000'))
          order by r.created_at, r.id limit 1) f on true
       cross join lateral (
         select count(*) as overdue from (
           select from orders r
             join order_explanations e on e.organization_id = r.organization_id and e.order_id = r.id
            where r.organization_id = o.id and e.steps is not null
              and (r.created_at, r.id) > (coalesce(m.placed_at, '-infinity'),
                                          coalesce(m.order_id, '00000000-0000-0000-0000-000000000000'))
              and r.created_at < at - make_interval(days => o.explanation_retention_days)
            limit row_limit) b) a
       where a.overdue > 0 or f.created_at is not null or m.begun_at < at - interval '7 days';
  elsif retention_backlog.kind = 'documents' then
    -- Those of erased customers go at once: whoever has documents is looked at.
    return query
      select d.organization_id,
             count(*) filter (where d.uploaded_at <= at - make_interval(days => o.document_retention_days)),
             min(d.uploaded_at), true
        from customer_documents d join organizations o on o.id = d.organization_id
       group by d.organization_id;
  elsif retention_backlog.kind = 'import_files' then
    return query
      select i.organization_id, count(*) filter (where i.created_at < before and i.status not in ('checking', 'importing')),
             min(i.created_at),
             bool_or(i.created_at < before and i.status not in ('checking', 'importing'))
        from menu_import_files f
        join menu_imports i on i.organization_id = f.organization_id and i.id = f.menu_import_id
       group by i.organization_id;
  elsif retention_backlog.kind = 'import_changes' then
    -- The last import can still be undone.
    return query
      select i.organization_id, sum(a.overdue)::bigint, min(i.finished_at), sum(a.overdue) > 0
        from menu_imports i
       cross join lateral (
         select count(*) as overdue from (
           select from menu_import_products p
            where p.organization_id = i.organization_id and p.menu_import_id = i.id limit row_limit) b) a
       where i.finished_at < before and i.status in ('done', 'undone', 'failed')
         and exists (select from menu_imports l
                      where l.organization_id = i.organization_id and l.id <> i.id and l.started_at > i.started_at
                        and l.status in ('importing', 'done', 'undoing'))
       group by i.organization_id having sum(a.overdue) > 0;
  else
    raise exception 'no kind of retention: %', retention_backlog.kind;
  end if;
end $$;
-- expand: the function is new
revoke execute on function retention_backlog(text, timestamptz, timestamptz, integer) from public;

-- Tables whose rows come and go, or change again and again: vacuum at a fiftieth of them instead of a fifth, so that the room of
-- what was deleted is used again. Neither reads nor writes wait for this setting.
do $$
declare
  busy_table text;
begin
  foreach busy_table in array array['outbox_events', 'webhook_deliveries', 'api_request_batches', 'api_request_marks',
                                    'idempotency_keys', 'order_explanations', 'stock_balances', 'record_changes',
                                    'report_changes', 'sales_sums', 'tax_sums', 'mails', 'customer_codes', 'rate_limits'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05)', busy_table);
  end loop;
end
$$;

-- Files of photos and documents that no row names any more, since when. Only the owner's connection uses it.
create table stray_files (
  store text not null check (store in ('photos', 'documents')),
  name text not null check (length(name) <= 120),
  seen_at timestamptz not null,
  primary key (store, name)
);
revoke all on stray_files from dispensary_app;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['product_photos', 'shop_profiles'] loop
    execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
  end loop;
end
$$;

-- Which of some files no row of any organization names. A photo is a file for each width, whose names begin with one digest; what
-- the last import of a menu has replaced is named until it cannot be undone any more.
create function files_without_rows(store text, names text[]) returns setof text
  language plpgsql stable as $$
declare
  found text[];
  digests text[];
begin
  if store = 'documents' then
    return query select n from unnest(names) n where not exists (select from customer_documents d where d.file_name = n);
    return;
  end if;
  select array_agg(n) into found from unnest(names) n
   where substring(n from '^[0-9a-f]+') not in (
     select substring(p.location from '^/photos/([0-9a-f]+)') from product_photos p where p.location ~ '^/photos/[0-9a-f]+'
     union all
     select substring(s.logo_location from '^/photos/([0-9a-f]+)') from shop_profiles s
      where s.logo_location ~ '^/photos/[0-9a-f]+');
  if found is null then return; end if;
  select array_agg(m[1]) into digests
    from menu_import_products p
   cross join lateral regexp_matches(coalesce(p.before::text, '') || coalesce(p.after::text, ''), '/photos/([0-9a-f]+)', 'g') m
   where m[1] = any(select substring(n from '^[0-9a-f]+') from unnest(found) n);
  return query select n from unnest(found) n where substring(n from '^[0-9a-f]+') <> all(coalesce(digests, '{}'));
end $$;

-- Notes which of some files no row names, forgets those that are named again, and says which were first seen so before a time.
create function note_stray_files(store text, names text[], at timestamptz, before timestamptz) returns table (name text)
  language plpgsql as $$
#variable_conflict use_column
declare
  strays text[];
begin
  strays := array(select files_without_rows(note_stray_files.store, names));
  delete from stray_files s where s.store = note_stray_files.store and s.name = any(names) and s.name <> all(strays);
  insert into stray_files (store, name, seen_at) select note_stray_files.store, n, at from unnest(strays) n
    on conflict do nothing;
  return query select s.name from stray_files s
    where s.store = note_stray_files.store and s.name = any(strays) and s.seen_at < before;
end $$;
-- expand: the functions are new
revoke execute on function files_without_rows(text, text[]), note_stray_files(text, text[], timestamptz, timestamptz) from public;
