-- A product may have no brand, a purchase order no expected day, its lines excise; a redemption's points are signed.

alter table products alter column brand_id drop not null;
alter table order_line_items
  alter column product_brand drop not null,
  alter column product_brand_id drop not null;

alter table purchase_orders alter column expected_at drop not null;
alter table purchase_order_lines
  -- Dollars for a unit, as cost_per_unit is.
  add column ca_excise_per_unit numeric not null default 0 check (ca_excise_per_unit >= 0),
  add column ca_excise_cents bigint not null default 0 check (ca_excise_cents >= 0);

-- Products without a brand were of a brand called Unbranded. The documents of orders are what their readers get, as text.
do $$
declare
  organization bigint;
  brand bigint;
begin
  -- The rows stand behind the wall, for their owner too: one organization is entered after the other.
  for organization in select id from organizations loop
    perform set_config('app.organization_id', organization::text, true);
    for brand in select id from brands where organization_id = organization and name_key = 'unbranded' loop
      update products set brand_id = null where organization_id = organization and brand_id = brand;
      update orders o
         set document = regexp_replace(
               replace(document, '"productBrandId":' || brand || ',', '"productBrandId":null,'),
               '"productBrand":"unbranded"', '"productBrand":null', 'gi')
       where o.organization_id = organization
         and o.id in (select order_id from order_line_items
                       where organization_id = organization and product_brand_id = brand);
      update order_line_items set product_brand = null, product_brand_id = null
       where organization_id = organization and product_brand_id = brand;
      update brands set deleted_at = coalesce(deleted_at, now()), updated_at = now()
       where organization_id = organization and id = brand;
    end loop;
    -- The tables of redemptions keep amounts without sign; documents show what was taken.
    update orders o
       set document = regexp_replace(document, '"pointsAmount":"(0\.\d*[1-9]\d*|[1-9][0-9.]*)"', '"pointsAmount":"-\1"', 'g')
     where o.organization_id = organization
       and o.id in (select order_id from order_loyalty_redemptions where organization_id = organization);
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
