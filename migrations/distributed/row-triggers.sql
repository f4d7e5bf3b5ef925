-- For a database that is distributed over several servers. A part of a table on another server has no transition tables,
-- so what these triggers do for all rows of a statement is done there for each row.

create function keep_past_place_of_customer() returns trigger language plpgsql as $$
begin
  delete from customer_past_places p
    where p.organization_id = new.organization_id and p.user_id = new.id
      and p.left_at < new.updated_at - interval '10 minutes';
  if new.updated_at <> old.updated_at then
    insert into customer_past_places (organization_id, user_id, updated_at, left_at)
      values (old.organization_id, old.id, old.updated_at, new.updated_at)
      on conflict do nothing;
  end if;
  return null;
end $$;

create trigger past_places_kept after update on customers
  for each row execute function keep_past_place_of_customer();

create function touch_customer_of_points() returns trigger language plpgsql as $$
begin
  update customers c set updated_at = new.updated_at
    where c.organization_id = new.organization_id and c.id = new.user_id;
  return null;
end $$;

create trigger customers_touched after update on loyalty_balances
  for each row execute function touch_customer_of_points();

create trigger order_added after insert on orders
  for each row execute function note_changed_order();

create function stamp_changed_package() returns trigger language plpgsql as $$
declare
  instant timestamptz := package_change_instant();
begin
  insert into package_changes (organization_id, package_id, changed_at)
    values (new.organization_id, new.id, instant)
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end $$;

create trigger packages_changed after update on packages
  for each row execute function stamp_changed_package();

create trigger packages_created after insert on packages
  for each row execute function stamp_changed_package();

create trigger packages_searched after insert on packages
  for each row execute function note_searches_of_package();

create trigger options_searched after insert on product_options
  for each row execute function note_searches_of_option();

create function stamp_package_of_stock() returns trigger language plpgsql as $$
declare
  instant timestamptz := package_change_instant();
begin
  insert into package_changes (organization_id, package_id, changed_at)
    values (new.organization_id, new.package_id, instant)
    on conflict (organization_id, package_id) do update set changed_at = excluded.changed_at;
  return null;
end $$;

create trigger new_stock_changes_packages after insert on stock_balances
  for each row when (new.package_id <> 0 and new.on_hand <> 0) execute function stamp_package_of_stock();

create trigger stock_changes_packages after update on stock_balances
  for each row when (new.package_id <> 0) execute function stamp_package_of_stock();

create function settled_changes_of_packages() returns text language plpgsql volatile as $$
begin
  return (
    select to_char(least(now(), min(to_timestamp(l.objid::bigint + 1600000000))) at time zone 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      from pg_locks l
     where l.locktype = 'advisory' and l.classid = 1885430635 and l.objsubid = 2
       and l.database = (select oid from pg_database where datname = current_database()));
end $$;

alter table outbox_events alter column announced drop default;

create function announce_event() returns trigger language plpgsql as $$
begin
  new.announced := nextval('outbox_announcements');
  return new;
end $$;

create trigger event_announced before insert on outbox_events
  for each row execute function announce_event();
