-- The cash that a customer gave for a payment, as the receipt says it. Null: not counted, or a payment from before.
alter table order_payments add column tendered_cents bigint;
-- expand: the former release leaves it out, which is null
alter table order_payments add constraint order_payments_tendered_check
  check (tendered_cents >= final_amount_cents) not valid;

-- What the program inserts from now on. The type of before stays: a process of the former release writes it.
create type order_tendered_payment_row as (
  order_id uuid, id bigint, position integer, payment_type_id bigint, name text, amount_cents bigint,
  final_amount_cents bigint, fee_cents bigint, fee_percent numeric, fee_amount_cents bigint, fee_description text,
  tendered_cents bigint, created_at timestamptz
);
