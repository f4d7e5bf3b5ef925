-- Options whose content contradicts their size (an amount of 3.5 grams, a content of 1 g): purchase limits count the content, so
-- owners are told. A write of a product says it anew; a check in the background finds what was there before.
create table content_doubts (
  organization_id bigint not null references organizations,
  product_option_id bigint not null,
  product_id bigint not null,
  primary key (organization_id, product_option_id),
  foreign key (organization_id, product_option_id) references product_options,
  foreign key (organization_id, product_id) references products
);
create index content_doubts_of_product on content_doubts (organization_id, product_id);
alter table content_doubts enable row level security;
alter table content_doubts force row level security;
create policy tenant on content_doubts using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
