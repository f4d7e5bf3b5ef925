-- Orders are many and are written together. What the transaction that places an order proves is not proven again at each
-- row: it writes an order and its rows for the organization that it entered (the wall refuses any other), and all or nothing.
-- The checks of these keys also locked the row of the organization 15 times for each order, and that of the integrator, and
-- all orders share these rows. Integrators are not deleted.
-- Kept are the keys that hold something which another write could take away: the customer, and what an order uses.
do $$
declare
  proven record;
begin
  for proven in
    select k.conrelid::regclass as of_table, k.conname as name
      from pg_constraint k
     where k.contype = 'f'
       and k.conrelid in ('orders'::regclass, 'order_idempotency_keys'::regclass, 'order_line_items'::regclass,
             'order_line_fulfillments'::regclass, 'order_taxes'::regclass, 'order_adjustments'::regclass,
             'order_payments'::regclass, 'order_discounts'::regclass, 'order_credits'::regclass,
             'order_loyalty_redemptions'::regclass, 'order_explanations'::regclass, 'order_transitions'::regclass,
             'audit_entries'::regclass, 'outbox_events'::regclass, 'stock_ledger_entries'::regclass)
       and k.confrelid in ('organizations'::regclass, 'integrators'::regclass, 'orders'::regclass,
             'order_line_items'::regclass)
  loop
    execute format('alter table %s drop constraint %I', proven.of_table, proven.name);
  end loop;
end
$$;

-- One row of the trigger for each order became one statement for all of them.
create function note_added_orders() returns trigger language plpgsql as $$
begin
  insert into record_changes (organization_id, collection, record_id, placed_at, after)
    select organization_id, 'orders', id, created_at, updated_at from added;
  return null;
end
$$;
drop trigger order_added on orders;
create trigger order_added after insert on orders referencing new table as added
  for each statement execute function note_added_orders();

-- Compressing a document takes a third of the time with this method. A PostgreSQL that was built without it keeps its own.
do $$
begin
  alter table orders alter column document set compression lz4;
  alter table order_explanations alter column steps set compression lz4;
exception when feature_not_supported then
  null;
end
$$;
