-- Who has a phone is found as before, when several people may have it.
-- concurrently: customers are many, and orders add some every minute.
drop index concurrently if exists customers_by_phone;
create index concurrently customers_by_phone on customers (organization_id, phone_normalized);
drop index concurrently if exists customers_one_of_phone_person;
create unique index concurrently customers_one_of_phone_person on customers (organization_id, phone_person_key);
