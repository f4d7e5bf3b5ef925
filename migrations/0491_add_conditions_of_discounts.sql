-- The minimums of a discount count the lines that it touches. Discounts that exist count the whole cart, as they did: the flag says so, and
-- its default is theirs, so that what the former release saves until it ends keeps that meaning, too.

-- expand: nullable columns, and defaults that mean what the former release does
alter table discounts
  add column customer_type text check (customer_type in ('adult-use', 'medical')),
  add column minimum_quantity integer check (minimum_quantity > 0),
  add column counts_whole_cart boolean not null default true,
  add column exclude_sale_items boolean not null default false,
  add column bundle_quantity integer check (bundle_quantity > 0),
  add constraint discounts_quantity_of_bundle check ((kind = 'bundle') = (bundle_quantity is not null));
