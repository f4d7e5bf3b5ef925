-- For a database that is distributed over several servers. A part of a table on another server has no transition tables,
-- so what triggers do for all rows of a statement is done there for each row. A query must hold each of its tables to the
-- organization by a value. A blank line stands between statements, and only there.

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

create trigger package_amounts_noted after insert on packages
  for each row execute function note_amount_of_package();

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

create or replace function note_changed_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stock_changes (organization_id, product_id) values (new.organization_id, new.product_id);
  return null;
end $$;

create trigger new_stock_changes_products after insert on stock_balances
  for each row when (new.on_hand <> 0) execute function note_changed_product_stock();

create trigger stock_changes_products after update on stock_balances
  for each row execute function note_changed_product_stock();

create or replace function open_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stocks (organization_id, product_id, on_hand_millionths)
    values (new.organization_id, new.id, 0) on conflict do nothing;
  return null;
end $$;

create trigger product_stocks_opened after insert on products
  for each row execute function open_product_stock();

create function settled_changes_of_packages() returns text language plpgsql volatile as $$
begin
  return (
    select to_char(least(now(), min(to_timestamp(l.objid::bigint + 1600000000))) at time zone 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      from pg_locks l
     where l.locktype = 'advisory' and l.classid = 1885430635 and l.objsubid = 2
       and l.database = (select oid from pg_database where datname = current_database()));
end $$;

create or replace function open_customer_sums() returns trigger language plpgsql as $$
begin
  insert into customer_sums (organization_id, user_id, order_count, spent_cents)
    values (new.organization_id, new.id, 0, 0) on conflict do nothing;
  return null;
end $$;

create trigger customer_sums_opened after insert on customers
  for each row execute function open_customer_sums();

create or replace function sum_added_orders() returns trigger language plpgsql as $$
declare
  count bigint := (new.status <> 'canceled')::int;
  cents bigint := case when new.status = 'fulfilled' then new.customer_grand_total_cents else 0 end;
  latest timestamptz := case when new.status <> 'canceled' then new.created_at end;
begin
  update customer_sums c
    set order_count = c.order_count + count, spent_cents = c.spent_cents + cents,
        last_order_at = greatest(c.last_order_at, latest)
    where c.organization_id = new.organization_id and c.user_id = new.user_id;
  if found then return null; end if;
  perform add_to_customer_sums(new.organization_id, new.user_id, count, cents);
  update customer_sums c set last_order_at = latest
    where c.organization_id = new.organization_id and c.user_id = new.user_id
      and (c.last_order_at is null or c.last_order_at < latest);
  return null;
end $$;

create trigger customer_sums_of_added after insert on orders
  for each row when (new.user_id is not null) execute function sum_added_orders();

create or replace function sum_changed_orders() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select o.organization_id, o.user_id, sum(o.sign * (o.status <> 'canceled')::int)::bigint as count,
           sum(case when o.status = 'fulfilled' then o.sign * o.cents else 0 end)::bigint as cents
      from (values (old.organization_id, old.user_id, old.status, old.customer_grand_total_cents, -1),
                   (new.organization_id, new.user_id, new.status, new.customer_grand_total_cents, 1))
           o(organization_id, user_id, status, cents, sign)
     where o.user_id is not null group by 1, 2 order by 1, 2
  loop
    perform add_to_customer_sums(change.organization_id, change.user_id, change.count, change.cents);
    update customer_sums c
      set last_order_at = (select max(p.created_at) from orders p
            where p.organization_id = change.organization_id and p.user_id = change.user_id and p.status <> 'canceled')
      where c.organization_id = change.organization_id and c.user_id = change.user_id;
  end loop;
  return null;
end $$;

create trigger customer_sums_of_changed after update on orders
  for each row when (old.user_id is distinct from new.user_id or old.status <> new.status
    or old.customer_grand_total_cents <> new.customer_grand_total_cents or old.created_at <> new.created_at)
  execute function sum_changed_orders();

alter table outbox_events alter column announced drop default;

create function announce_event() returns trigger language plpgsql as $$
begin
  new.announced := nextval('outbox_announcements');
  return new;
end $$;

create trigger event_announced before insert on outbox_events
  for each row execute function announce_event();

create or replace function note_package_searches(organization bigint, packages bigint[]) returns void language plpgsql as $$
begin
  insert into package_searches (organization_id, package_id, tokens)
  select k.organization_id, k.id, search_tokens(k.organization_id, k.label, k.external_product_name, p.name)
    from packages k
    left join products p on p.organization_id = organization and p.id = k.product_id
   where k.organization_id = organization and k.id = any(note_package_searches.packages)
  on conflict (organization_id, package_id) do update set tokens = excluded.tokens
   where package_searches.tokens is distinct from excluded.tokens;
end $$;

create or replace function note_product_searches(organization bigint, products bigint[]) returns void language plpgsql as $$
begin
  insert into product_texts (organization_id, product_id, created_at, name_key, texts, codes)
  select p.organization_id, p.id, p.created_at, search_key(p.name),
         lower(concat_ws(E'\n', p.name, b.name, p.strain, p.sku, o.texts)),
         lower(concat(E'\n', p.sku, E'\n', o.codes, E'\n'))
    from products p
    left join brands b on b.organization_id = organization and b.id = p.brand_id
    cross join lateral (
      select string_agg(concat_ws(E'\n', o.name,
                          trim_scale(o.amount) || ' ' || p.unit || case when o.amount = 1 then '' else 's' end,
                          case when p.unit = 'gram' then trim_scale(o.amount) || 'g' end, o.upc), E'\n'
                        order by o.position, o.id) as texts,
             string_agg(o.upc, E'\n' order by o.position, o.id) as codes
        from product_options o
       where o.organization_id = organization and o.product_id = p.id and o.deleted_at is null) o
   where p.organization_id = organization and p.id = any(note_product_searches.products)
  on conflict (organization_id, product_id) do update
     set name_key = excluded.name_key, texts = excluded.texts, codes = excluded.codes
   where (product_texts.name_key, product_texts.texts, product_texts.codes)
         is distinct from (excluded.name_key, excluded.texts, excluded.codes);
  insert into product_searches (organization_id, product_id, created_at, tokens)
  select t.organization_id, t.product_id, t.created_at,
         search_tokens(t.organization_id, variadic string_to_array(t.texts, E'\n') || array(
           select unnest(array[o.name, o.upc]) from product_options o
            where o.organization_id = organization and o.product_id = t.product_id and o.deleted_at is not null))
    from product_texts t
   where t.organization_id = organization and t.product_id = any(note_product_searches.products)
  on conflict (organization_id, product_id) do update set tokens = excluded.tokens
   where product_searches.tokens is distinct from excluded.tokens;
end $$;

create or replace function organizations_with_news(organizations bigint[], positions bigint[]) returns table (id bigint)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select c.organization_id from change_feeds c
     where c.organization_id = any(organizations)
       and c.last_position > positions[array_position(organizations, c.organization_id)]
    union
    select e.organization_id from outbox_events e
     where e.organization_id = any(organizations) and e.position is null and e.announced is not null;
end $$;
