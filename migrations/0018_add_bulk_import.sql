-- An import asks of every row whether it is here already (by UPC, else by name, brand and category): once for each row
-- of a file, so it must not read the table.
create index product_options_of_upc on product_options (organization_id, upc)
  where upc is not null and deleted_at is null;
create index products_of_name on products (organization_id, lower(btrim(name))) where deleted_at is null;

-- Keys of requests that have received goods of a purchase order, or paid it: the same key does so once.
create table purchase_order_keys (
  organization_id bigint not null references organizations,
  purchase_order_id bigint not null,
  kind text not null check (kind in ('reception', 'payment')),
  idempotency_key uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, purchase_order_id, kind, idempotency_key),
  foreign key (organization_id, purchase_order_id) references purchase_orders
);
alter table purchase_order_keys enable row level security;
alter table purchase_order_keys force row level security;
create policy tenant on purchase_order_keys using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
revoke update, delete on purchase_order_keys from dispensary_app;
