-- What an import has read in another way than it is written, beside the rows that it refused.
alter table menu_import_problems add column is_note boolean not null default false;
