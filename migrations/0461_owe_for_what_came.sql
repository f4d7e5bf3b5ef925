-- A line of a purchase order is owed for what came, at the price that was invoiced. Null: the price as ordered.
-- expand: the former release leaves them out, which is null
alter table purchase_order_lines add column invoiced_cost_per_unit numeric;
-- expand: the former release leaves it out, which is null
alter table purchase_order_receptions add column cost_per_unit numeric;

-- A row with a reason is a credit of the vendor, and no payment; it may be for a package that was rejected.
-- expand: the former release leaves them out, and counts a credit as paid
alter table purchase_order_payments add column credit_reason text;
-- expand: the former release leaves it out, which is null
alter table purchase_order_payments add column package_id bigint;
