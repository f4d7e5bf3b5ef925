-- concurrently: photos are written meanwhile
drop index concurrently if exists product_photos_of_option;
create index concurrently product_photos_of_option on product_photos (organization_id, product_option_id, position)
 where product_option_id is not null;
