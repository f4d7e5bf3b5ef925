-- The list of duplicates reads the birthdays and last names of a shop from the index alone.
-- concurrently: customers are many, and a till adds some every minute.
drop index concurrently if exists customers_by_birthday_and_name;
create index concurrently customers_by_birthday_and_name on customers
  (organization_id, birthday, last_name_folded, id) where erased_at is null and birthday is not null;
drop index concurrently if exists customers_by_birthday;
