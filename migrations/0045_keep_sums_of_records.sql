-- D65: checksums that are kept, so that reading one takes as long in a shop of a million orders as in a new one. A change
-- adds a row to `record_changes` in its own transaction, and waits for no other. Readers add these rows to `record_sums`;
-- now and then they are taken into the sums and deleted.

create table record_changes (
  -- Without foreign keys: rows are many and short-lived.
  organization_id bigint not null,
  collection text not null,
  record_id text not null,
  -- Of an order: by it the month is found.
  placed_at timestamptz,
  -- `updated_at` of the record; null where it was not there before, or is not there any more.
  before timestamptz,
  after timestamptz
);
create index record_changes_of_collection on record_changes (organization_id, collection);

-- The state of the sums of a collection. Whoever changes them locks this row first.
create table record_sum_states (
  organization_id bigint not null references organizations,
  collection text not null,
  -- Moves with every change of the sums.
  version bigint not null,
  -- That of the months; null where there are none.
  time_zone text,
  primary key (organization_id, collection)
);

-- Count and exclusive or of the digests of all records, without what `record_changes` has.
create table record_sums (
  organization_id bigint not null references organizations,
  collection text not null,
  -- YYYY-MM; empty in a collection without months.
  month text not null,
  count bigint not null,
  digest bit(128) not null,
  primary key (organization_id, collection, month)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['record_changes', 'record_sum_states', 'record_sums'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
revoke update on record_changes from dispensary_app;

create function note_changed_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.created_at = old.created_at then
    insert into record_changes (organization_id, collection, record_id, placed_at, before, after)
      values (new.organization_id, 'orders', new.id, new.created_at, old.updated_at, new.updated_at);
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into record_changes (organization_id, collection, record_id, placed_at, before)
      values (old.organization_id, 'orders', old.id, old.created_at, old.updated_at);
  end if;
  if tg_op <> 'DELETE' then
    insert into record_changes (organization_id, collection, record_id, placed_at, after)
      values (new.organization_id, 'orders', new.id, new.created_at, new.updated_at);
  end if;
  return null;
end
$$;
create trigger order_added after insert on orders for each row execute function note_changed_order();
create trigger order_changed after update on orders for each row
  when (old.updated_at <> new.updated_at or old.created_at <> new.created_at)
  execute function note_changed_order();
create trigger order_removed after delete on orders for each row execute function note_changed_order();

create function note_changed_record() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, before, after)
    values (coalesce(new.organization_id, old.organization_id), tg_argv[0], coalesce(new.id, old.id),
            old.updated_at, new.updated_at);
  return null;
end
$$;
create trigger customer_added after insert on customers for each row execute function note_changed_record('customers');
create trigger customer_changed after update on customers for each row
  when (old.updated_at <> new.updated_at) execute function note_changed_record('customers');
create trigger customer_removed after delete on customers for each row execute function note_changed_record('customers');
create trigger purchase_order_added after insert on purchase_orders for each row
  execute function note_changed_record('purchase_orders');
create trigger purchase_order_changed after update on purchase_orders for each row
  when (old.updated_at <> new.updated_at) execute function note_changed_record('purchase_orders');
create trigger purchase_order_removed after delete on purchase_orders for each row
  execute function note_changed_record('purchase_orders');

-- A deleted product is in no list any more.
create function note_changed_product() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, before, after)
    values (coalesce(new.organization_id, old.organization_id), 'products', coalesce(new.id, old.id),
            case when old.deleted_at is null then old.updated_at end,
            case when new.deleted_at is null then new.updated_at end);
  return null;
end
$$;
create trigger product_added after insert on products for each row execute function note_changed_product();
create trigger product_changed after update on products for each row
  when (old.updated_at <> new.updated_at or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_changed_product();
create trigger product_removed after delete on products for each row execute function note_changed_product();

-- Each sale changes packages, and has written a row for each already. So packages keep the version that is in the sums
-- beside the present one; where they differ, the index has the package.
alter table package_changes add column summed_at timestamptz;
create index package_changes_to_sum on package_changes (organization_id)
  where summed_at is distinct from changed_at;
