-- An order whose customer was only claimed was checked against its own cart alone. Until the person is known it counts for no limit
-- and no discount of the profile that the email or phone found.
alter table orders add column is_unproven boolean not null default false;

-- As `order_row`, with the flag: a type is never changed, because a running process of an earlier version writes it.
create type flagged_order_row as (
  id uuid, number bigint, user_id bigint, type text, source text, status text, integrator_id bigint,
  api_consumer_name text, idempotency_key uuid, total_price_cents bigint, net_price_cents bigint,
  customer_grand_total_cents bigint, merchandise_cents bigint, discounts_total_cents bigint, payment_fees_cents bigint,
  delivery_fee_cents bigint, delivery_fee_description text, delivery_notes text, internal_notes text, shift_name text,
  tax_exempt boolean, is_medical boolean, customer_name text, street1 text, street2 text, city text, address_state text,
  postal_code text, placed_by_staff_id bigint, packed_by_staff_id bigint, fulfilled_by_staff_id bigint,
  cancel_admin_id bigint, cancelation_reason text, created_at timestamptz, updated_at timestamptz, packed_at timestamptz,
  fulfilled_at timestamptz, canceled_at timestamptz, asked jsonb, is_unproven boolean, counted_contents jsonb
);
