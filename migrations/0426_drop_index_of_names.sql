-- concurrently: drops an index that row-level security never let a statement use: its function may tell rows of others. Products are
-- found by the key of their texts.
drop index concurrently if exists products_of_name;
