-- The ledger narrowed to an option of a busy product, or to one of its packages, looked through all entries of the product. Two
-- indexes in place of two: as many as before are written with each entry.

-- Of a product, of an option, and of these at a location. Where option or location is not sent, a page of each is sorted.
create index stock_ledger_entries_of_item
  on stock_ledger_entries (organization_id, product_id, product_option_id, inventory_location_id, created_at, id);
drop index stock_ledger_entries_of_place;

-- Of a package. The whole ledger is a page of each location, from the index of locations.
create index stock_ledger_entries_of_package
  on stock_ledger_entries (organization_id, package_id, inventory_location_id, created_at, id);
drop index stock_ledger_entries_in_order;
