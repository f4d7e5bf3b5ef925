-- The rows of orders and what goes with them arrive as texts of these types, one text for each row: PostgreSQL reads them in half
-- of the time that JSON takes. The attributes are the columns that the program inserts, in its order. A type is never changed,
-- because a running process of an earlier version writes it: who inserts another column makes another type.
create type order_row as (
  id uuid, number bigint, user_id bigint, type text, source text, status text, integrator_id bigint,
  api_consumer_name text, idempotency_key uuid, total_price_cents bigint, net_price_cents bigint,
  customer_grand_total_cents bigint, merchandise_cents bigint, discounts_total_cents bigint, payment_fees_cents bigint,
  delivery_fee_cents bigint, delivery_fee_description text, delivery_notes text, internal_notes text, shift_name text,
  tax_exempt boolean, is_medical boolean, customer_name text, street1 text, street2 text, city text, address_state text,
  postal_code text, placed_by_staff_id bigint, packed_by_staff_id bigint, fulfilled_by_staff_id bigint,
  cancel_admin_id bigint, cancelation_reason text, created_at timestamptz, updated_at timestamptz, packed_at timestamptz,
  fulfilled_at timestamptz, canceled_at timestamptz, asked jsonb, counted_contents jsonb
);
create type order_line_item_row as (
  order_id uuid, id bigint, position integer, product_option_id bigint, product_id bigint, quantity integer,
  product_name text, product_unit text, product_strain_type text, product_is_featured boolean,
  product_category_id bigint, product_category_name text, product_cannabis_type text,
  product_sub_category_ids bigint[], product_brand text, product_brand_id bigint, option_name text,
  option_amount numeric, option_content numeric, option_price_cents bigint, option_sales_price_cents bigint,
  inventory_type text, unit_price_cents bigint, subtotal_price_cents bigint, final_price_cents bigint,
  gross_cents bigint, tax_allocations jsonb, product_moving_average_cost numeric, option_moving_average_cost numeric,
  package_line_cost numeric, created_at timestamptz, updated_at timestamptz
);
create type order_line_fulfillment_row as (
  order_id uuid, order_line_item_id bigint, id bigint, product_id bigint, product_option_id bigint,
  inventory_location_id bigint, package_id bigint, package_label text, package_unit text, package_cost_per_unit numeric,
  amount numeric, order_created_at timestamptz, order_type text
);
create type order_tax_row as (
  order_id uuid, id bigint, position integer, tax_id bigint, description text, rate numeric, normal_rate numeric,
  tier text, type text, amount_cents bigint, amount_before_exemption_cents bigint, amount_exempted_cents bigint,
  fee_allocation_cents bigint, included boolean, exemptable boolean, encompass boolean, excluded_category_ids bigint[],
  non_exemptable_category_ids bigint[], created_at timestamptz, updated_at timestamptz
);
create type order_adjustment_row as (
  order_id uuid, id bigint, position integer, amount_cents bigint, description text, is_tax_exemption boolean,
  tax_id bigint, admin_id bigint, created_at timestamptz, updated_at timestamptz
);
create type order_payment_row as (
  order_id uuid, id bigint, position integer, payment_type_id bigint, name text, amount_cents bigint,
  final_amount_cents bigint, fee_cents bigint, fee_percent numeric, fee_amount_cents bigint, fee_description text,
  created_at timestamptz
);
create type order_discount_row as (
  order_id uuid, id bigint, position integer, order_line_item_id bigint, discount_id bigint, type text, amount numeric,
  amount_used_cents bigint, description text, admin_id bigint, created_at timestamptz, updated_at timestamptz
);
create type order_credit_row as (
  order_id uuid, id bigint, position integer, customer_credit_id bigint, type text, amount_used_cents bigint,
  description text, percent numeric, created_at timestamptz, updated_at timestamptz
);
create type order_loyalty_redemption_row as (
  order_id uuid, id bigint, position integer, loyalty_reward_id bigint, type text, description text,
  points_requirement numeric, points_amount numeric, discount_amount numeric, amount_used_cents bigint,
  product_option_id bigint, created_at timestamptz, updated_at timestamptz
);
create type order_dispatch_task_row as (
  order_id uuid, id bigint, status text, driver_name text, tracking_url text, estimated_arrival_at timestamptz,
  completed_at timestamptz, created_at timestamptz, updated_at timestamptz
);
create type order_explanation_row as (order_id uuid);
create type order_transition_row as (
  order_id uuid, id bigint, action text, from_status text, to_status text, actor text, created_at timestamptz
);
create type audit_entry_row as (
  id bigint, actor text, action text, subject_type text, subject_id text, details jsonb, request_id text,
  created_at timestamptz
);
create type outbox_event_row as (id bigint, type text, subject_id text, payload jsonb, created_at timestamptz);
create type stock_ledger_entry_row as (
  id bigint, product_id bigint, product_option_id bigint, inventory_location_id bigint, package_id bigint, delta numeric,
  cause text, cause_id bigint, order_line_item_id bigint, actor text, created_at timestamptz
);
