-- contract: an entry whose event does not name it would never be linked, and be taken for one that was inserted by hand.
-- From now on every program names it, and the chains begin.

create or replace function organizations_to_link() returns table (id bigint)
  language sql stable as $$
  select o.id
    from organizations o
    left join audit_chains c on c.organization_id = o.id
   where c.organization_id is null
      or exists (select from audit_entries_to_link l where l.organization_id = o.id)
      or exists (select from outbox_events e
                  where e.organization_id = o.id and e.position is null and e.announced is not null)
      or c.event_position < (select f.last_position from change_feeds f where f.organization_id = o.id)
   order by o.id
$$;
revoke execute on function organizations_to_link() from public;
