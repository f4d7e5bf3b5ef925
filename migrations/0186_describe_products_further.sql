-- What describes a product beyond its potency (D71). Terpenes are objects with name and percent (a decimal as text, or null), lab
-- results objects with lab, date and certificateUrl.
alter table products
  add column strain text check (char_length(strain) between 1 and 200),
  add column sku text check (char_length(sku) between 1 and 100),
  add column terpenes jsonb not null default '[]' check (jsonb_typeof(terpenes) = 'array'),
  add column effects text[] not null default '{}',
  add column flavours text[] not null default '{}',
  add column lab_results jsonb not null default '[]' check (jsonb_typeof(lab_results) = 'array');
