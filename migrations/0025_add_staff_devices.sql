-- Browsers that staff have signed in with: what others try with the same email does not lock these out.

-- Asked before any organization has been entered: digests only. One browser can be that of several people.
create table staff_devices (
  digest bytea not null,
  organization_id bigint not null,
  staff_id bigint not null,
  -- The last sign-in with it.
  used_at timestamptz not null,
  primary key (digest, organization_id, staff_id),
  foreign key (organization_id, staff_id) references staff_members
);
create index staff_devices_of_member on staff_devices (organization_id, staff_id, used_at desc);
