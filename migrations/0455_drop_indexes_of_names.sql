-- contract: the former release searches by these.
drop index if exists customers_by_last_name;
drop index if exists customers_by_first_name;
