-- After a first count of very many packages, statistics say that most of them still have to be summed: a plain statement then
-- reads the whole table (2 s for a million), until the next analyze. The index has only those that do.
create function unsummed_packages(of_organization bigint)
  returns table (package_id bigint, changed_at timestamptz, summed_at timestamptz)
  language sql stable rows 100 set enable_seqscan = off set enable_bitmapscan = off
  as $$
    select g.package_id, g.changed_at, g.summed_at from package_changes g
     where g.organization_id = of_organization and g.summed_at is distinct from g.changed_at
  $$;
