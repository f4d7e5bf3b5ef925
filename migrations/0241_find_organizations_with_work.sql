-- Background work of ten thousand organizations: one statement says which of them have something to do, and only those are entered.
-- It answers with ids of organizations, and with nothing of theirs.

-- The owner, who migrates and may end row-level security, may read these tables as a whole; the serving role still may not.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['outbox_events', 'change_feeds', 'webhook_endpoints', 'webhook_deliveries', 'client_keys',
                                      'idempotency_keys', 'report_changes', 'report_states', 'sales_sums'] loop
    execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
  end loop;
end
$$;

-- For the owner's connection, as all of these: which organizations have work of a kind; of what has an age, older than `before`.
create function organizations_with_work(work text, before timestamptz) returns table (id bigint)
  language sql stable as $$
  select o.id from organizations o
   where case work
     when 'idempotency_keys' then exists (
       select from idempotency_keys k where k.organization_id = o.id and k.created_at < before)
     when 'outbox_events' then exists (
       select from outbox_events e where e.organization_id = o.id and e.position is null and e.announced is not null)
       or before > (select e.created_at from outbox_events e
                     where e.organization_id = o.id and e.position is not null order by e.position limit 1)
     when 'report_changes' then exists (select from report_changes c where c.organization_id = o.id)
       or not exists (select from report_states s where s.organization_id = o.id and s.counted_from = '-infinity'
                         and s.time_zone = o.tz)
       or exists (select from sales_sums f join report_states s on s.organization_id = f.organization_id
                   where f.organization_id = o.id and f.generation < s.generation)
   end
   order by o.id
$$;
-- expand: the functions are new
revoke execute on function organizations_with_work(text, timestamptz) from public;

-- Which of the followed organizations have events behind these positions, or without one.
create function organizations_with_news(organizations bigint[], positions bigint[]) returns table (id bigint)
  language sql stable as $$
  select f.id from unnest(organizations, positions) as f(id, after)
   where exists (select from change_feeds c where c.organization_id = f.id and c.last_position > f.after)
      or exists (select from outbox_events e
                  where e.organization_id = f.id and e.position is null and e.announced is not null)
$$;

-- The last position of each feed, 0 for one without events.
create function feed_positions(organizations bigint[]) returns table (id bigint, last_position bigint)
  language sql stable as $$
  select f.id, coalesce(c.last_position, 0)
    from unnest(organizations) as f(id) left join change_feeds c on c.organization_id = f.id
$$;

-- Where an endpoint that is served has events behind its position, or a delivery that is due.
create function organizations_with_webhooks(at timestamptz) returns table (id bigint)
  language sql stable as $$
  select distinct e.organization_id
    from webhook_endpoints e
    join client_keys k on k.organization_id = e.organization_id and k.id = e.client_key_id
    left join change_feeds c on c.organization_id = e.organization_id
   where e.enabled and e.deleted_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
     and (e.held_until is null or e.held_until <= at)
     and (e.position < c.last_position
          or exists (select from webhook_deliveries d where d.organization_id = e.organization_id
                        and d.endpoint_id = e.id and not d.blocked and d.next_attempt_at <= at))
$$;

-- expand: the functions are new
revoke execute on function organizations_with_news(bigint[], bigint[]), feed_positions(bigint[]),
  organizations_with_webhooks(timestamptz) from public;
