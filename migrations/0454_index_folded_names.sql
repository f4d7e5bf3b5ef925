-- A search for a name, and the people of one birthday, among whom a card and the list of duplicates look.
-- concurrently: customers are many, and a till adds some every minute.
drop index concurrently if exists customers_by_folded_last_name;
create index concurrently customers_by_folded_last_name on customers
  (organization_id, last_name_folded, first_name_folded) include (joined_at, id) where erased_at is null;
drop index concurrently if exists customers_by_folded_first_name;
create index concurrently customers_by_folded_first_name on customers
  (organization_id, first_name_folded, last_name_folded) include (joined_at, id) where erased_at is null;
drop index concurrently if exists customers_by_birthday;
create index concurrently customers_by_birthday on customers
  (organization_id, birthday, last_name_folded) where erased_at is null and birthday is not null;
