-- concurrently: drops an index whose columns are the first ones of products_by_brand, which the former release uses in its place.
drop index concurrently if exists products_of_brand;
