-- Visits that ended long ago are found without reading all of them (D76).
-- concurrently: shops with many visits check customers in meanwhile
drop index concurrently if exists queue_entries_to_prune;
create index concurrently queue_entries_to_prune on queue_entries (organization_id, left_at) where left_at is not null;
