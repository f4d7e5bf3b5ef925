-- A number per organization that grows with every change of what prices a cart: its own settings, catalog, taxes,
-- zones and payment types. Who holds facts of version n reads this one row to know whether they still hold; the
-- row changes in the transaction of the change, so the answer is exact whichever process has made it.
--
-- Triggers, not code: whoever writes these tables, by whatever way, cannot forget it. One row per organization is
-- locked by a change until it commits; orders do not change these tables, so they never wait for it.

create table terms_versions (
  organization_id bigint primary key references organizations,
  version bigint not null
);

alter table terms_versions enable row level security;
alter table terms_versions force row level security;
create policy tenant on terms_versions using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create function count_change_of_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (organization_id, version) values (current_organization_id(), 1)
    on conflict (organization_id) do update set version = terms_versions.version + 1;
  return null;
end
$$;

-- The operator may change an organization without entering it, so here the row says whose it is.
create function count_change_of_organization() returns trigger language plpgsql as $$
begin
  insert into terms_versions (organization_id, version) values (new.id, 1)
    on conflict (organization_id) do update set version = terms_versions.version + 1;
  return null;
end
$$;
create trigger terms_changed after insert or update on organizations
  for each row execute function count_change_of_organization();

do $$
declare
  terms_table text;
begin
  execute format('create policy operator on terms_versions to %I using (true) with check (true)', current_user);
  foreach terms_table in array array['products', 'product_options', 'brands', 'product_categories', 'taxes',
    'delivery_zones', 'delivery_zone_postal_codes', 'payment_types']
  loop
    execute format('create trigger terms_changed after insert or update or delete on %I
      for each statement execute function count_change_of_terms()', terms_table);
  end loop;
end
$$;
