-- Packages have a unit of a closed list, and know what was announced of them.

-- expand: the former release leaves it out, which is null
alter table packages add column announced_amount numeric;

-- The owner is subject to the policies, too.
alter table packages no force row level security;
alter table package_changes no force row level security;
alter table purchase_order_receptions no force row level security;
-- locks: only packages whose unit is spelled in another way are written
update packages p set unit = u.name
  from (values
    ('Each', array['each', 'ea', 'eaches', 'unit', 'units', 'item', 'items', 'piece', 'pieces', 'pc', 'pcs', 'count', 'ct']),
    ('Grams', array['gram', 'grams', 'g', 'gr', 'gm', 'gms', 'gs']),
    ('Kilograms', array['kilogram', 'kilograms', 'kilo', 'kilos', 'kg', 'kgs']),
    ('Milligrams', array['milligram', 'milligrams', 'mg', 'mgs']),
    ('Ounces', array['ounce', 'ounces', 'oz', 'ozs']),
    ('Pounds', array['pound', 'pounds', 'lb', 'lbs']),
    ('Fluid Ounces', array['fluidounce', 'fluidounces', 'fluidoz', 'floz', 'flozs', 'flounce', 'flounces']),
    ('Gallons', array['gallon', 'gallons', 'gal', 'gals']),
    ('Liters', array['liter', 'liters', 'litre', 'litres', 'l', 'ltr', 'ltrs']),
    ('Milliliters', array['milliliter', 'milliliters', 'millilitre', 'millilitres', 'ml', 'mls']),
    ('Pints', array['pint', 'pints', 'pt', 'pts'])) as u(name, spellings)
 where lower(regexp_replace(p.unit, '[\s._-]', '', 'g')) = any(u.spellings) and p.unit <> u.name;

-- Receptions of purchase orders named the unit after the product: ten ounce jars were "10 Grams".
-- locks: only packages that purchase orders made in the wrong unit are written
update packages p set unit = 'Each'
 where p.unit = 'Grams' and p.multiplier = 1 and p.product_option_id is not null and p.compliance_transfer_id is null
   and p.created_at = p.received_at
   and exists (select from purchase_order_receptions r
                where r.organization_id = p.organization_id and r.package_id = p.id and r.created_at = p.created_at);
alter table packages force row level security;
alter table package_changes force row level security;
alter table purchase_order_receptions force row level security;
