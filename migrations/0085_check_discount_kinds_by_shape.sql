-- The program has the list of kinds of discount (src/engines/pricing/discounts/discount-kinds.ts), and only its validated values reach
-- the table. The table checks the shape of the name, so a new kind needs no migration.
alter table discounts
  drop constraint discounts_kind_check,
  add constraint discounts_kind_check check (kind ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' and length(kind) <= 40);
