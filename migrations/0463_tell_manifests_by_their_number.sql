-- A manifest is the same with leading zeros and without: 418901 is 0000418901. Where there are two transfers of one, the older one takes
-- what comes further.
-- expand: the former release leaves it out, which is null
alter table compliance_transfers add column manifest_key text;
-- The owner is subject to the policies, too.
alter table compliance_transfers no force row level security;
-- locks: an organization has a transfer for each delivery
update compliance_transfers t set manifest_key = regexp_replace(t.manifest_number, '^0+(?=[0-9])', '')
 where not exists (
   select from compliance_transfers o
    where o.organization_id = t.organization_id and o.type = t.type and o.id < t.id
      and regexp_replace(o.manifest_number, '^0+(?=[0-9])', '') = regexp_replace(t.manifest_number, '^0+(?=[0-9])', ''));
alter table compliance_transfers force row level security;
-- expand: an organization has a transfer for each delivery
create unique index compliance_transfers_of_manifest_key on compliance_transfers (organization_id, type, manifest_key);
