-- After the counting: an order that waited for it may need these tables.
alter table customers force row level security;
alter table customer_sums force row level security;
