-- When what is shown of a member of staff was last changed, so that an edit can be guarded.

alter table staff_members
  -- Null: not since it was added.
  add column updated_at timestamptz;

-- Kinds of subjects are named like their events: client_key, not client-key.
do $$
declare
  organization bigint;
begin
  -- The log stands behind the wall, for its owner too: one organization is entered after the other.
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    update audit_entries set subject_type = replace(subject_type, '-', '_') where subject_type like '%-%';
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
