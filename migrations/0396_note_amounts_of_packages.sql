-- The amounts of packages from before. No table is locked: what changes meanwhile is noted by the triggers, which win.
do $$
declare
  organization bigint;
begin
  -- The rows stand behind the wall, for their owner too: one organization is entered after the other.
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    insert into package_amounts (organization_id, package_id, initial_millionths)
    select k.organization_id, k.id, stock_millionths(k.initial_amount) from packages k where k.organization_id = organization
    on conflict do nothing;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
-- Without statistics the first lists would sort all amounts.
analyze package_amounts;
