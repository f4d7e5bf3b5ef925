-- The ids that integrators have for products and options (D71): each unique for its integrator in an organization. The id of
-- what was deleted may name another product or option.
create table product_external_ids (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  external_id text not null check (char_length(external_id) between 1 and 200),
  product_id bigint not null,
  primary key (organization_id, integrator_id, external_id),
  unique (organization_id, product_id, integrator_id),
  foreign key (organization_id, product_id) references products
);
create table product_option_external_ids (
  organization_id bigint not null references organizations,
  integrator_id bigint not null references integrators,
  external_id text not null check (char_length(external_id) between 1 and 200),
  product_option_id bigint not null,
  primary key (organization_id, integrator_id, external_id),
  unique (organization_id, product_option_id, integrator_id),
  foreign key (organization_id, product_option_id) references product_options
);

alter table product_external_ids enable row level security;
alter table product_external_ids force row level security;
create policy tenant on product_external_ids using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
alter table product_option_external_ids enable row level security;
alter table product_option_external_ids force row level security;
create policy tenant on product_option_external_ids using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
