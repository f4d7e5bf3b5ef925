-- How many photos and customers' documents an organization may keep: its own limits, set by the operator. No row, or null: those of
-- the deployment's settings. An upload locks its row, so that uploads that come at once do not take the same room.
create table file_quotas (
  organization_id bigint not null references organizations,
  kind text not null check (kind in ('photos', 'documents')),
  files_max integer check (files_max >= 0),
  bytes_max bigint check (bytes_max >= 0),
  primary key (organization_id, kind)
);
alter table file_quotas enable row level security;
alter table file_quotas force row level security;
create policy tenant on file_quotas using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

-- The bytes of all sizes of a photo that is stored here; null: not measured yet.
alter table product_photos add column byte_count integer check (byte_count >= 0);
