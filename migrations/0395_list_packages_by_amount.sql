-- The staff's list of packages by their initial amount. Row-level security lets no condition on a `numeric` use an index, so each
-- page behind a cursor read all pages before it: 90,000 entries for a late page of 100,000 packages.

create table package_amounts (
  organization_id bigint not null references organizations,
  package_id bigint not null,
  -- A whole number of millionths, as in `product_stocks`.
  initial_millionths bigint not null,
  primary key (organization_id, package_id),
  foreign key (organization_id, package_id) references packages on delete cascade
);
create index package_amounts_in_order on package_amounts (organization_id, initial_millionths, package_id);
alter table package_amounts enable row level security;
alter table package_amounts force row level security;
create policy tenant on package_amounts using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));

create function note_amount_of_package() returns trigger language plpgsql as $$
begin
  insert into package_amounts (organization_id, package_id, initial_millionths)
    values (new.organization_id, new.id, stock_millionths(new.initial_amount))
  on conflict (organization_id, package_id) do update set initial_millionths = excluded.initial_millionths;
  return null;
end
$$;
create trigger package_amount_noted after insert on packages
  for each row execute function note_amount_of_package();
create trigger package_amount_changed after update of initial_amount on packages
  for each row when (old.initial_amount is distinct from new.initial_amount) execute function note_amount_of_package();
