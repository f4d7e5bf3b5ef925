-- A number per organization that grows with every change of a customer's profile. Orders are shown with their
-- customers as they are now: whoever holds a page of orders reads this one row, not the rows of fifty customers, to
-- know whether they still look as they did. New customers do not count: no order that was shown before is theirs.
--
-- Counted at the end of the changing transaction, when it waits for nothing any more: what it holds then, it holds
-- until it is durable and no longer, and it can be part of no deadlock. Once for each transaction.

create table customer_versions (
  organization_id bigint primary key references organizations,
  version bigint not null
);

alter table customer_versions enable row level security;
alter table customer_versions force row level security;
create policy tenant on customer_versions using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create function count_change_of_customers() returns trigger language plpgsql as $$
declare
  counted_in text := pg_current_xact_id()::text || ' ' || old.organization_id::text;
begin
  if current_setting('app.customers_counted_in', true) is distinct from counted_in then
    insert into customer_versions (organization_id, version) values (old.organization_id, 1)
      on conflict (organization_id) do update set version = customer_versions.version + 1;
    perform set_config('app.customers_counted_in', counted_in, true);
  end if;
  return null;
end
$$;

create constraint trigger customers_changed after update or delete on customers
  deferrable initially deferred for each row execute function count_change_of_customers();
