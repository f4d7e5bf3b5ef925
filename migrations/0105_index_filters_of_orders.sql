-- Filters of orders that are sent together, in the order of the page, in fewer indexes than before: each order placed writes one
-- index less, and each fulfillment one more less.

-- Of a type, of a status, and of both. Where one of them is not named, a page of each of its few ranges is sorted.
create index orders_by_type_and_status on orders (organization_id, type, status, created_at desc, id desc);
drop index orders_by_type;
drop index orders_by_open_status;
-- The index of fulfilled orders by type serves all types in the same way.
drop index orders_by_fulfillment;

-- Of a customer, with what their filters and sorts ask for: the other orders of a customer with very many are skipped, or sorted,
-- without being read.
create index orders_of_customer on orders (organization_id, user_id, created_at desc, id desc)
  include (type, status, updated_at, fulfilled_at);
drop index orders_by_customer;

-- Of a location and a type. The type of an order does not change.
alter table order_line_fulfillments add column order_type text;
-- The owner is subject to the policies, too.
alter table order_line_fulfillments no force row level security;
alter table orders no force row level security;
update order_line_fulfillments f set order_type = o.type
  from orders o where o.organization_id = f.organization_id and o.id = f.order_id;
alter table order_line_fulfillments force row level security;
alter table orders force row level security;
alter table order_line_fulfillments
  alter column order_type set not null,
  add constraint order_line_fulfillments_order_type check (order_type in ('delivery', 'pickup', 'in-store'));
drop index order_line_fulfillments_of_location;
create index order_line_fulfillments_of_location
  on order_line_fulfillments (organization_id, inventory_location_id, order_type, order_created_at desc, order_id desc);
