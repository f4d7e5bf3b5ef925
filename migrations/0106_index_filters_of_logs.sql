-- Two filters of a log together, where each alone keeps very many entries: indexes that serve both, in place of those for one.
-- Where the second filter is not sent, a page of each of its few values is sorted.
create index audit_entries_of_actor_and_type
  on audit_entries (organization_id, actor, subject_type, created_at desc, id desc);
drop index audit_entries_of_actor;
create index stock_ledger_entries_of_place
  on stock_ledger_entries (organization_id, product_id, inventory_location_id, created_at, id);
drop index stock_ledger_entries_of_product;
