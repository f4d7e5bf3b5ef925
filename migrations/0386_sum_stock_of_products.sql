-- The staff's list of products by stock: what a product has over all options, locations and packages. A sale adds a short row to
-- `product_stock_changes`, in its own transaction, and waits for no other sale: no row stands for all balances of a product while
-- it runs. A job of the worker takes these rows into the sums; until then readers sum the balances of the products that they name.

create table product_stocks (
  organization_id bigint not null references organizations,
  product_id bigint not null,
  -- What `product_stock_changes` names is not in it yet. A whole number of millionths: row-level security lets no condition on a
  -- `numeric` use an index, so each page behind a cursor would read all pages before it.
  on_hand_millionths bigint not null,
  primary key (organization_id, product_id),
  foreign key (organization_id, product_id) references products on delete cascade
);
create index product_stocks_in_order on product_stocks (organization_id, on_hand_millionths, product_id);
alter table product_stocks enable row level security;
alter table product_stocks force row level security;
create policy tenant on product_stocks using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create table product_stock_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  product_id bigint not null,
  id bigint generated always as identity,
  primary key (organization_id, product_id, id)
);
alter table product_stock_changes enable row level security;
alter table product_stock_changes force row level security;
create policy tenant on product_stock_changes using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
-- The job of the worker asks for all organizations at once which of them have some.
do $$
begin
  execute format('create policy operator on product_stock_changes for select to %I using (true)', current_user);
end
$$;

-- Stock as a whole number of millionths, which all amounts are; one beyond all measure counts as the largest.
create function stock_millionths(amount numeric) returns bigint language sql immutable
  return round(least(coalesce(amount, 0), 9000000000000) * 1000000)::bigint;

create function note_changed_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stock_changes (organization_id, product_id)
    select distinct organization_id, product_id from changed where tg_op = 'UPDATE' or on_hand <> 0;
  return null;
end
$$;
create trigger new_stock_changes_products after insert on stock_balances
  referencing new table as changed for each statement execute function note_changed_product_stock();
create trigger stock_changes_products after update on stock_balances
  referencing new table as changed for each statement execute function note_changed_product_stock();

-- Every new product has a sum.
create function open_product_stock() returns trigger language plpgsql as $$
begin
  insert into product_stocks (organization_id, product_id, on_hand_millionths)
    select organization_id, id, 0 from added on conflict do nothing;
  return null;
end
$$;
create trigger product_stocks_opened after insert on products
  referencing new table as added for each statement execute function open_product_stock();

create or replace function organizations_with_work(work text, before timestamptz) returns table (id bigint)
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
     when 'product_stock_changes' then exists (select from product_stock_changes c where c.organization_id = o.id)
   end
   order by o.id
$$;
