-- Returns of fulfilled orders (D39).

-- A return, and what it gave back. Of money what a customer gets is negative; what lowers that is positive.
create table order_returns (
  organization_id bigint not null references organizations,
  -- Also that of its row in order_transitions: what ledgers name as the cause.
  id bigint not null,
  order_id uuid not null,
  -- A key makes one return of an order, whatever is retried.
  idempotency_key uuid,
  refund_type text not null check (refund_type in ('payment-method', 'store-credit', 'none')),
  payment_type_id bigint,
  payment_type_name text not null,
  refund_initial_cents bigint not null,
  discounts_total_cents bigint not null check (discounts_total_cents >= 0),
  loyalty_total_cents bigint not null check (loyalty_total_cents >= 0),
  credits_total_cents bigint not null check (credits_total_cents >= 0),
  taxes_total_cents bigint not null check (taxes_total_cents <= 0),
  adjustment_cents bigint not null,
  adjustment_description text not null,
  refund_total_cents bigint not null check (refund_total_cents <= 0),
  -- The store credit that it put on the customer's account, if any.
  customer_credit_id bigint,
  -- The returned goods' share of the points that the order earned and took, also where they did not move.
  earned_points numeric not null check (earned_points >= 0),
  redeemed_points numeric not null check (redeemed_points >= 0),
  -- What did move; of points that were spent already there is less to take.
  points_taken_back numeric not null check (points_taken_back between 0 and earned_points),
  points_given_back numeric not null check (points_given_back in (0, redeemed_points)),
  created_by_staff_id bigint not null,
  created_at timestamptz not null,
  voided_by_staff_id bigint,
  voided_reason text,
  voided_at timestamptz,
  -- As it is shown, in its order and in lists.
  document text not null,
  primary key (organization_id, id),
  unique (organization_id, order_id, idempotency_key),
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, payment_type_id) references payment_types,
  foreign key (organization_id, customer_credit_id) references customer_credits,
  foreign key (organization_id, created_by_staff_id) references staff_members,
  foreign key (organization_id, voided_by_staff_id) references staff_members,
  constraint order_returns_total check (refund_total_cents = refund_initial_cents + discounts_total_cents
    + loyalty_total_cents + credits_total_cents + taxes_total_cents + adjustment_cents),
  constraint order_returns_paid_somehow check ((refund_type = 'payment-method') = (payment_type_id is not null)),
  constraint order_returns_nothing_for_none check (refund_type <> 'none' or (refund_total_cents = 0
    and refund_initial_cents = 0 and credits_total_cents = 0 and customer_credit_id is null
    and points_taken_back = 0 and points_given_back = 0)),
  constraint order_returns_voided check (num_nulls(voided_at, voided_by_staff_id, voided_reason) in (0, 3))
);
create index order_returns_by_time on order_returns (organization_id, created_at desc, id desc);
create index order_returns_voided_by_time on order_returns (organization_id, created_at desc, id desc)
  where voided_at is not null;

-- Units of a line that came back, with their share of each part of what the line cost. The shares are used up by a
-- return of any kind, also one that refunds nothing.
create table order_return_lines (
  organization_id bigint not null references organizations,
  order_return_id bigint not null,
  position integer not null,
  order_id uuid not null,
  order_line_item_id bigint not null,
  quantity integer not null check (quantity between 1 and 10000),
  type text not null check (type in ('return', 'exchange')),
  inventory_action text not null check (inventory_action in ('inventory', 'waste', 'vendor')),
  reason text not null,
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  adjustments_cents bigint not null,
  discounts_cents bigint not null check (discounts_cents >= 0),
  loyalty_cents bigint not null check (loyalty_cents >= 0),
  promo_codes_cents bigint not null check (promo_codes_cents >= 0),
  store_credits_cents bigint not null check (store_credits_cents >= 0),
  -- [{taxId, amountCents}], as on the order's line.
  tax_shares jsonb not null,
  -- [{fulfillmentId, amount}]: which of the line's stock it is, whether or not it went back on the shelf.
  fulfillment_shares jsonb not null,
  primary key (organization_id, order_return_id, position),
  foreign key (organization_id, order_return_id) references order_returns,
  foreign key (organization_id, order_id, order_line_item_id) references order_line_items
);
create index order_return_lines_of_order on order_return_lines (organization_id, order_id);

-- What a return gave back of each tax; of one that is included in the price it only tells how much was in it.
create table order_return_taxes (
  organization_id bigint not null references organizations,
  order_return_id bigint not null,
  tax_id bigint not null,
  amount_cents bigint not null check (amount_cents <= 0),
  refunded boolean not null,
  primary key (organization_id, order_return_id, tax_id),
  foreign key (organization_id, order_return_id) references order_returns
);

-- Units that came back and were not voided: nobody returns one twice, and limits on purchases do not count them.
alter table order_line_items
  add column returned_quantity integer not null default 0,
  add constraint order_line_items_returned_once check (returned_quantity between 0 and quantity);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['order_returns', 'order_return_lines', 'order_return_taxes']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I using (organization_id = (select current_organization_id()))
      with check (organization_id = (select current_organization_id()))', tenant_table);
  end loop;
end
$$;
revoke delete on order_returns from dispensary_app;
revoke update, delete on order_return_lines, order_return_taxes from dispensary_app;
