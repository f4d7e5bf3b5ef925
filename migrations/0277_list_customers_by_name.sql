-- concurrently: customers are many, and a till adds some every minute.
-- The list of customers by name, erased ones too; what a search takes has its own indexes.
drop index concurrently if exists customers_in_order_of_names;
create index concurrently customers_in_order_of_names on customers
  (organization_id, last_name_key collate "C", first_name_key collate "C", id);
