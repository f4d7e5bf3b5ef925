-- concurrently: orders, packages and returns are many, and are written all day.
-- Lists in the order of their main columns, from either end.
drop index concurrently if exists packages_by_label;
create index concurrently packages_by_label on packages (organization_id, label collate "C", id);
drop index concurrently if exists packages_by_expiration;
create index concurrently packages_by_expiration on packages (organization_id, expiration_date, id);
drop index concurrently if exists packages_by_reception;
create index concurrently packages_by_reception on packages (organization_id, received_at, id);
drop index concurrently if exists packages_by_amount;
create index concurrently packages_by_amount on packages (organization_id, initial_amount, id);
drop index concurrently if exists orders_by_amount;
create index concurrently orders_by_amount on orders (organization_id, customer_grand_total_cents, id);
drop index concurrently if exists order_returns_by_amount;
create index concurrently order_returns_by_amount on order_returns (organization_id, refund_total_cents, id);
drop index concurrently if exists purchase_orders_by_change;
create index concurrently purchase_orders_by_change on purchase_orders (organization_id, updated_at, id);
drop index concurrently if exists purchase_orders_by_expected_day;
create index concurrently purchase_orders_by_expected_day on purchase_orders (organization_id, expected_at, id);
drop index concurrently if exists inventory_vendors_in_order_of_names;
create index concurrently inventory_vendors_in_order_of_names on inventory_vendors (organization_id, name_key collate "C", id);
drop index concurrently if exists inventory_vendors_by_change;
create index concurrently inventory_vendors_by_change on inventory_vendors (organization_id, updated_at, id);
drop index concurrently if exists compliance_transfers_by_manifest;
create index concurrently compliance_transfers_by_manifest on compliance_transfers (organization_id, manifest_number collate "C", id);
