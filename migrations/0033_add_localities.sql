-- Own taxes and own purchase limits can say in which city, county or district they hold, and where that is written. A
-- limit can have a first and a last day. Null: they hold everywhere, without a source, and at all times, as before.
alter table taxes
  add column locality jsonb check (jsonb_typeof(locality) = 'object'),
  add column source jsonb check (jsonb_typeof(source) = 'object');

alter table purchase_limit_rules
  add column locality jsonb check (jsonb_typeof(locality) = 'object'),
  add column source jsonb check (jsonb_typeof(source) = 'object'),
  add column starts_on date,
  add column ends_on date,
  add constraint purchase_limit_rules_days check (ends_on >= starts_on);
