-- Forms that some states limit apart from the rest: seeds, inhalable products, drinks of a low dose, and products that are
-- counted by the unit. The former release still runs: it does not know them, and nothing has them before a shop says so.
alter table product_categories drop constraint product_categories_cannabis_type_check;
alter table product_categories add constraint product_categories_cannabis_type_check
  check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids', 'mi-infused-fluids', 'edibles',
    'immature-plant', 'seeds', 'inhalables', 'low-dose-drinks', 'other-units', 'none'));

alter table purchase_limit_rules drop constraint purchase_limit_rules_cannabis_type_check;
alter table purchase_limit_rules add constraint purchase_limit_rules_cannabis_type_check
  check (cannabis_type in ('non-concentrated', 'concentrated', 'mi-infused-solids', 'mi-infused-fluids', 'edibles',
    'immature-plant', 'seeds', 'inhalables', 'low-dose-drinks', 'other-units'));
