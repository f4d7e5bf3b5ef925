-- As before; what a canceled import did to products is kept as long as that of a failed one.

-- expand: it answers what it answered before, and canceled imports
create or replace function retention_backlog(kind text, at timestamptz, before timestamptz, row_limit integer)
  returns table (id bigint, overdue bigint, oldest timestamptz, is_due boolean)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  aged text[];
  first_id bigint;
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
    when 'staff_half_sign_ins' then array['staff_half_sign_ins', 'expires_at']
    when 'staff_identity_sign_ins' then array['staff_identity_sign_ins', 'expires_at']
    when 'parked_carts' then array['parked_carts', 'expires_at']
    when 'queue_visits' then array['queue_entries', 'left_at']
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
  elsif retention_backlog.kind = 'staff_passkey_challenges' then
    -- Of a sign-in no organization is known: the first one's turn deletes them.
    select min(o.id) into first_id from organizations o;
    return query
      select coalesce(c.organization_id, first_id),
             count(*) filter (where c.expires_at < before), min(c.expires_at), bool_or(c.expires_at < before)
        from (select t.organization_id, t.expires_at from staff_passkey_challenges t order by t.expires_at limit row_limit) c
       where first_id is not null
       group by 1;
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
       where i.finished_at < before and i.status in ('done', 'undone', 'failed', 'canceled')
         and exists (select from menu_imports l
                      where l.organization_id = i.organization_id and l.id <> i.id and l.started_at > i.started_at
                        and l.status in ('importing', 'done', 'undoing'))
       group by i.organization_id having sum(a.overdue) > 0;
  elsif retention_backlog.kind = 'inactive_customers' then
    -- Who has bought nothing and changed nothing for as long as the owner says, and waits for no order.
    return query
      select o.id, a.overdue, f.updated_at, a.overdue > 0
        from organizations o
       cross join lateral (
         select c.updated_at from customers c
          where c.organization_id = o.id order by c.updated_at, c.id limit 1) f
       cross join lateral (
         select count(*) as overdue from (
           select from customers c
            where c.organization_id = o.id and c.erased_at is null
              and c.updated_at < at - make_interval(days => o.customer_retention_days)
              and not exists (
                select from orders r
                 where r.organization_id = c.organization_id and r.user_id = c.id
                   and (r.created_at >= at - make_interval(days => o.customer_retention_days)
                     or r.status not in ('fulfilled', 'canceled')))
            limit row_limit) b) a
       where o.customer_retention_days is not null;
  elsif retention_backlog.kind = 'key_addresses' then
    return query
      select k.organization_id, count(*) filter (where k.revoked_at < before), min(k.revoked_at), bool_or(k.revoked_at < before)
        from client_keys k where k.revoked_at is not null and k.last_addresses <> '{}'
       group by k.organization_id;
  else
    raise exception 'no kind of retention: %', retention_backlog.kind;
  end if;
end $$;
