-- What staff do with stock by hand, and what makes its ledger readable.

-- An adjustment, a transfer or a count: what its ledger entries name as their cause. `result` is what was answered,
-- so that a retry is answered the same.
create table stock_operations (
  organization_id bigint not null references organizations,
  id bigint not null,
  kind text not null check (kind in ('adjustment', 'transfer', 'count')),
  reason text,
  result jsonb not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- A key does one operation of its kind, whatever is retried.
create table stock_operation_keys (
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('adjustment', 'transfer', 'count')),
  idempotency_key uuid not null,
  stock_operation_id bigint not null,
  primary key (organization_id, kind, idempotency_key)
);

alter table inventory_locations
  add column updated_at timestamptz,
  -- Gone from everything that is chosen from; the ledger still names it.
  add column archived_at timestamptz;

-- The ledger is read newest first, of everything or of one product. The former index was of neither order.
drop index stock_ledger_entries_of_item;
create index stock_ledger_entries_in_order on stock_ledger_entries (organization_id, created_at, id);
create index stock_ledger_entries_of_product on stock_ledger_entries (organization_id, product_id, created_at, id);
-- Which order a ledger entry belongs to: it names the step that caused it.
create unique index order_transitions_of_id on order_transitions (organization_id, id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['stock_operations', 'stock_operation_keys']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
revoke update, delete on stock_operations, stock_operation_keys from dispensary_app;
