-- concurrently: products are written all day.
-- Products in the order of their lowest prices.
drop index concurrently if exists product_options_by_price;
create index concurrently product_options_by_price on product_options (organization_id, price_cents, product_id)
  where deleted_at is null;
