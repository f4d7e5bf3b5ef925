-- concurrently: all few seconds a process looks for runs whose process has died, over all organizations.
drop index concurrently if exists menu_imports_alive;
create index concurrently menu_imports_alive on menu_imports (organization_id, alive_at) where alive_at is not null;
