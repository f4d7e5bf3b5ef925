-- What editing a catalog needs: categories and brands that can go while products that were deleted long ago still
-- point at them, a stable order for the staff's list, and stock that cannot arrive where it has just been ruled out.

alter table brands add column deleted_at timestamptz;
alter table brands drop constraint brands_organization_id_name_key_key;
create unique index brands_of_name on brands (organization_id, name_key) where deleted_at is null;

alter table product_categories add column deleted_at timestamptz;
alter table product_categories drop constraint product_categories_organization_id_name_key_key;
create unique index product_categories_of_name on product_categories (organization_id, name_key)
  where deleted_at is null;

create index products_by_time on products (organization_id, created_at desc, id desc);
create index products_of_brand on products (organization_id, brand_id);
create index products_of_category on products (organization_id, primary_category_id);
create index product_tags_of_product on product_tags (organization_id, product_id);

-- D44, D45: a product or an option is deleted, and the kind of its stock changed, only while no stock lies there.
-- That write locks the product, then looks at the balances. For stock that comes in at the same moment this is the
-- other half: it waits for that lock, and is refused if its place is gone. Not asked are what an order gives back,
-- because a cancelation must never fail for it, and what only moves between locations. Taking stock asks nothing
-- either, so orders pay nothing for this.
create function stock_needs_a_live_place() returns trigger language plpgsql as $$
declare
  kind text;
begin
  select inventory_type into kind from products
   where organization_id = new.organization_id and id = new.product_id and deleted_at is null
     for key share;
  if kind is null
    or kind <> (case when new.product_option_id = 0 then 'product' else 'option' end)
    or (new.product_option_id <> 0 and not exists (
      select from product_options o
       where o.organization_id = new.organization_id and o.id = new.product_option_id
         and o.product_id = new.product_id and o.deleted_at is null))
  then
    raise exception 'stock arrives where none is kept' using errcode = 'check_violation',
      constraint = 'stock_ledger_live_place', table = 'stock_ledger_entries';
  end if;
  return new;
end
$$;

create trigger stock_needs_a_live_place before insert on stock_ledger_entries
  for each row when (new.delta > 0 and new.cause in ('received', 'adjusted', 'counted'))
  execute function stock_needs_a_live_place();
