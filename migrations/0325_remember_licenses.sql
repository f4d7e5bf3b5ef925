-- Which driver's licenses belong to which customer, so that a scan finds the customer again. The number itself is not kept: only
-- a digest of it under the deployment's master key, which no copy of the database contains.
create table customer_licenses (
  organization_id bigint not null references organizations,
  -- SHA-256 as an HMAC, in hexadecimal.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  user_id bigint not null,
  recorded_at timestamptz not null,
  primary key (organization_id, digest),
  foreign key (organization_id, user_id) references customers
);
create index customer_licenses_of_customer on customer_licenses (organization_id, user_id);
alter table customer_licenses enable row level security, force row level security;
create policy tenant on customer_licenses using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
grant select, insert, update, delete on customer_licenses to dispensary_app;
