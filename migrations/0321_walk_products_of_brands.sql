-- concurrently: products are written all day.
-- Products of a brand in the order of the list by brand; what had the brand alone is a part of it.
drop index concurrently if exists products_by_brand;
create index concurrently products_by_brand on products (organization_id, brand_id, id);
