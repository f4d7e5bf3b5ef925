-- Photos get an alternative text, and options get photos of their own.

-- expand: the former release writes rows of products only, which stay valid, and reads by product_id, which is null for an option's
alter table product_photos
  -- What is to be seen, for people who do not see the picture. Null: nobody has said.
  add column alt_text text check (char_length(alt_text) between 1 and 500),
  -- Of an option's photo, which has no product_id: a release from before would show it among those of the product.
  add column product_option_id bigint,
  alter column product_id drop not null,
  add constraint product_photos_product_option_fkey
    foreign key (organization_id, product_option_id) references product_options,
  add constraint product_photos_owner_check check ((product_id is null) <> (product_option_id is null));
