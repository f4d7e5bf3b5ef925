-- The texts and tokens of a new product were made twice, before its options came and after: half of the database's work for it.
-- Its options make them; a product without any has them made when its transaction ends.
create function note_searches_of_new_product() returns trigger language plpgsql as $$
begin
  if not exists (select from product_texts t
                  where t.organization_id = new.organization_id and t.product_id = new.id) then
    perform note_product_searches(new.organization_id, array[new.id]);
  end if;
  return null;
end
$$;
-- expand: the trigger has another time, and the same effect once the transaction commits.
drop trigger products_searched on products;
create constraint trigger products_searched after insert on products deferrable initially deferred
  for each row execute function note_searches_of_new_product();
