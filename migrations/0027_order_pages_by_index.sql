-- Lists whose first page read or sorted a whole table: indexes in the order of the page, in place of others where they serve as well.

-- Orders of a location, in the order of their time: behind each piece of stock that an order takes.
alter table order_line_fulfillments add column order_created_at timestamptz;
-- The owner is subject to the policies, too.
alter table order_line_fulfillments no force row level security;
alter table orders no force row level security;
update order_line_fulfillments f set order_created_at = o.created_at
  from orders o where o.organization_id = f.organization_id and o.id = f.order_id;
alter table order_line_fulfillments force row level security;
alter table orders force row level security;
create index order_line_fulfillments_of_location
  on order_line_fulfillments (organization_id, inventory_location_id, order_created_at desc, order_id desc);

-- Of a type, and of one subject. The former index of a subject was not in the order of time.
drop index audit_entries_of_subject;
create index audit_entries_of_subject
  on audit_entries (organization_id, subject_type, subject_id, created_at desc, id desc);
create index audit_entries_of_type on audit_entries (organization_id, subject_type, created_at desc, id desc);

create index stock_ledger_entries_of_location
  on stock_ledger_entries (organization_id, inventory_location_id, created_at, id);
-- What lies at a location, in the order of its key. It changes no row whose amount alone changes.
create index stock_balances_of_location
  on stock_balances (organization_id, inventory_location_id, product_id, product_option_id, package_id);

create index packages_of_status on packages (organization_id, status, id);
create index inventory_vendors_by_time on inventory_vendors (organization_id, created_at desc, id desc);
create index order_returns_valid_by_time on order_returns (organization_id, created_at desc, id desc)
  where voided_at is null;

drop index loyalty_events_of_customer;
create index loyalty_events_of_customer on loyalty_events (organization_id, user_id, created_at desc, id desc);

drop index products_of_category;
create index products_of_category on products (organization_id, primary_category_id, created_at desc, id desc);
create index products_shown on products (organization_id, created_at desc, id desc)
  where is_active and deleted_at is null;
create index products_hidden on products (organization_id, created_at desc, id desc)
  where not is_active and deleted_at is null;
create index product_photos_given_up on product_photos (organization_id, id)
  where location not like '/%' and gave_up_at is not null;
create index product_photos_waiting on product_photos (organization_id, id)
  where location not like '/%' and gave_up_at is null;
