-- Each row of a tenant's table has a key that begins with the organization. It serves the collection as well as the index did.
alter table record_changes
  add column id bigint generated always as identity,
  add primary key (organization_id, collection, id);
drop index record_changes_of_collection;
