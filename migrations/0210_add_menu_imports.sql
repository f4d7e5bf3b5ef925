-- Menus that staff import: the file, how far it is, and what it has changed, so that an import that was killed goes on and
-- the last one can be undone.
create table menu_imports (
  organization_id bigint not null references organizations,
  id bigint not null,
  file_name text not null check (length(file_name) between 1 and 200),
  file_bytes integer not null check (file_bytes >= 1),
  -- The records of the file: rows of a table, or objects.
  record_count integer not null check (record_count >= 0),
  -- As people have corrected it; null: the file has our own columns.
  mapping jsonb,
  mode text not null check (mode in ('add', 'change', 'sync')),
  status text not null check (status in
    ('uploaded', 'checking', 'checked', 'importing', 'done', 'undoing', 'undone', 'failed')),
  created_by bigint not null,
  -- Who asked for the run that goes on, or was the last.
  run_by bigint not null,
  -- Tells jobs of an earlier run apart.
  run_number integer not null default 0,
  -- The part of the file that is done, of a thousand, and the products.
  done_share integer not null default 0 check (done_share between 0 and 1000),
  done_count integer not null default 0 check (done_count >= 0),
  created_count integer not null default 0,
  changed_count integer not null default 0,
  retired_count integer not null default 0,
  refused_count integer not null default 0,
  -- Why the file could not be read on.
  failure text check (length(failure) <= 1000),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- The content, until the import is done.
create table menu_import_files (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  content bytea not null,
  primary key (organization_id, menu_import_id),
  foreign key (organization_id, menu_import_id) references menu_imports
);

-- What an import did to each product. `seen`: nothing; kept only until the import knows what the file lacks.
create table menu_import_products (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  product_id bigint not null,
  kind text not null check (kind in ('created', 'changed', 'retired', 'seen')),
  -- The product before and after a change.
  before jsonb,
  after jsonb,
  -- Options that it gave a product that was there.
  new_option_ids bigint[] not null default '{}',
  undone_at timestamptz,
  primary key (organization_id, menu_import_id, product_id),
  foreign key (organization_id, menu_import_id) references menu_imports,
  foreign key (organization_id, product_id) references products
);

-- Refused rows of the last check or import, in order.
create table menu_import_problems (
  organization_id bigint not null references organizations,
  menu_import_id bigint not null,
  position integer not null,
  line integer not null,
  column_name text check (length(column_name) <= 200),
  message text not null check (length(message) <= 1000),
  primary key (organization_id, menu_import_id, position),
  foreign key (organization_id, menu_import_id) references menu_imports
);

alter table menu_imports enable row level security;
alter table menu_imports force row level security;
create policy tenant on menu_imports using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
alter table menu_import_files enable row level security;
alter table menu_import_files force row level security;
create policy tenant on menu_import_files using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
alter table menu_import_products enable row level security;
alter table menu_import_products force row level security;
create policy tenant on menu_import_products using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
alter table menu_import_problems enable row level security;
alter table menu_import_problems force row level security;
create policy tenant on menu_import_problems using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
