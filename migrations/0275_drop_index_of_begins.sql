-- concurrently: drops an index that row-level security never lets a search use: its expression looks into a text.
-- The former release read the whole table in its place, and does so still.
drop index concurrently if exists product_texts_by_name;
