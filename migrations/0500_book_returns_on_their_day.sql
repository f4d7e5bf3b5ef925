-- D87: reports count a return on the day it was made, and the end of a return on the day it was voided, so that a month that was filed
-- never changes. The sums are kept by day of the money, with the refunds of each day's sales beside them: the view on the sales as they
-- turned out. They are made of events: a sale, a return, the end of a return. What an event adds never changes, so a change that waits
-- says only which event it is. The sums of the former release stay as they are until no process of it runs.

alter table organizations
  -- When the day of the shop begins: a sale before it belongs to the day before. For reports and lists of staff.
  add column business_day_starts_at time not null default '00:00' check (business_day_starts_at < '12:00');

alter table order_returns
  -- The places of the return and of its end among those of its order; null before they were kept: by time then, before all others.
  add column made_step integer,
  add column voided_step integer;

-- The business day of a moment. A day begins at the instant that its local time of beginning says: the later one of a repeated hour.
create function business_day(at timestamptz, tz text, starts time) returns date language sql immutable
  return (at at time zone tz)::date
       - case when at < (((at at time zone tz)::date + starts) at time zone tz) then 1 else 0 end;

create table book_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  order_id uuid not null,
  id bigint generated always as identity,
  at timestamptz not null,
  -- Of the order.
  fulfilled_at timestamptz not null,
  -- Null: the sale.
  return_id bigint,
  -- The end of that return.
  voids boolean not null,
  primary key (organization_id, order_id, id)
);

-- How far the sums go. Whoever changes them locks this row first.
create table book_states (
  organization_id bigint primary key references organizations,
  -- The sums that count: those of other days are still there, until they are deleted.
  generation integer not null,
  -- Of the days.
  time_zone text not null,
  day_starts_at time not null,
  -- Events before it are not in the sums yet.
  counted_from timestamptz not null
);

-- By day and by month, without what `book_changes` has.
create table book_sums (
  organization_id bigint not null references organizations,
  generation integer not null,
  -- What the sales are grouped by.
  report text not null,
  span text not null check (span in ('day', 'month')),
  -- The day, or the first of the month.
  day date not null,
  key text not null,
  name text not null,
  -- Sales of the period.
  orders bigint not null,
  units bigint not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  adjustments_cents bigint not null,
  credits_cents bigint not null,
  tax_cents bigint not null,
  paid_cents bigint not null,
  -- Returns that were made in the period, less those that were voided in it.
  returns bigint not null,
  refunds_cents bigint not null,
  refunded_adjustments_cents bigint not null,
  refunded_credits_cents bigint not null,
  refunded_tax_cents bigint not null,
  other_refunds_cents bigint not null,
  paid_back_cents bigint not null,
  -- Returns of the period's sales, whenever they were made.
  later_returns bigint not null,
  later_refunds_cents bigint not null,
  later_refunded_adjustments_cents bigint not null,
  later_refunded_credits_cents bigint not null,
  later_refunded_tax_cents bigint not null,
  later_other_refunds_cents bigint not null,
  later_paid_back_cents bigint not null,
  primary key (organization_id, generation, report, span, day, key)
);

create table book_taxes (
  organization_id bigint not null references organizations,
  generation integer not null,
  span text not null check (span in ('day', 'month')),
  day date not null,
  -- 0: all taxes together.
  tax_id bigint not null,
  description text not null,
  rate numeric not null,
  included boolean not null,
  orders bigint not null,
  goods_cents bigint not null,
  fees_cents bigint not null,
  exempted_cents bigint not null,
  refunded_cents bigint not null,
  later_refunded_cents bigint not null,
  primary key (organization_id, generation, span, day, tax_id, description, rate, included)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['book_changes', 'book_states', 'book_sums', 'book_taxes'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
  foreach tenant_table in array array['book_changes', 'book_states', 'book_sums'] loop
    execute format('create policy operator on %I for select to %I using (true)', tenant_table, current_user);
  end loop;
end
$$;
revoke update on book_changes from dispensary_app;

-- Rows come and go, or change again and again.
do $$
declare
  busy_table text;
begin
  foreach busy_table in array array['book_changes', 'book_sums', 'book_taxes'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05)', busy_table);
  end loop;
end
$$;

create function note_booked_sale() returns trigger language plpgsql as $$
begin
  insert into book_changes (organization_id, order_id, at, fulfilled_at, voids)
    values (new.organization_id, new.id, new.fulfilled_at, new.fulfilled_at, false);
  return null;
end
$$;
create trigger sale_booked_at_once after insert on orders for each row
  when (new.status = 'fulfilled') execute function note_booked_sale();
create trigger sale_booked after update on orders for each row
  when (new.status = 'fulfilled' and old.status <> 'fulfilled') execute function note_booked_sale();

-- Before the return, or its end, is there. The order is locked, so the next event of it finds this one.
create function note_booked_return() returns trigger language plpgsql as $$
declare
  step integer := (select coalesce(max(greatest(r.made_step, r.voided_step)), 0) + 1 from order_returns r
                    where r.organization_id = new.organization_id and r.order_id = new.order_id);
  ends boolean := tg_op = 'UPDATE';
begin
  if ends then new.voided_step := step; else new.made_step := step; end if;
  if new.refund_type <> 'none' then
    insert into book_changes (organization_id, order_id, at, fulfilled_at, return_id, voids)
      select o.organization_id, o.id, case when ends then new.voided_at else new.created_at end, o.fulfilled_at, new.id, ends
        from orders o
       where o.organization_id = new.organization_id and o.id = new.order_id and o.status = 'fulfilled';
  end if;
  return new;
end
$$;
create trigger return_booked before insert on order_returns for each row execute function note_booked_return();
create trigger voided_return_booked before update on order_returns for each row
  when (old.voided_at is null and new.voided_at is not null) execute function note_booked_return();

-- expand: it answers what it answered before, and further kinds
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
     when 'book_changes' then exists (select from book_changes c where c.organization_id = o.id)
       or not exists (select from book_states s where s.organization_id = o.id and s.counted_from = '-infinity'
                         and s.time_zone = o.tz and s.day_starts_at = o.business_day_starts_at)
       or exists (select from book_sums f join book_states s on s.organization_id = f.organization_id
                   where f.organization_id = o.id and f.generation < s.generation)
     when 'product_stock_changes' then exists (select from product_stock_changes c where c.organization_id = o.id)
     when 'former_sandboxes' then exists (
       select from sandboxes s where s.organization_id = o.id and s.ended_at < before)
     when 'product_photos' then exists (
       select from product_photos h
        where h.organization_id = o.id and h.location like '/%' and h.byte_count is null)
       or exists (
       select from product_photos h
         left join product_options v on v.organization_id = h.organization_id and v.id = h.product_option_id
         join products p on p.organization_id = h.organization_id and p.id = coalesce(h.product_id, v.product_id)
        where h.organization_id = o.id and (p.deleted_at < before or v.deleted_at < before))
   end
   order by o.id
$$;
