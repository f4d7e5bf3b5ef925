-- Returned cannabis goes to a location of its own, from which nothing is sold.
-- expand: the former release leaves it out, which is false
alter table inventory_locations add column is_quarantine boolean not null default false;
-- expand: an organization has a handful of locations
create unique index inventory_locations_one_quarantine on inventory_locations (organization_id)
  where is_quarantine and archived_at is null;

-- expand: the former release writes three of the actions
alter table order_return_lines drop constraint order_return_lines_inventory_action_check;
-- expand: the former release writes three of the actions
alter table order_return_lines add constraint order_return_lines_inventory_action_check
  check (inventory_action in ('inventory', 'quarantine', 'waste', 'vendor')) not valid;
