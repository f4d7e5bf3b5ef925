-- Staff cancel an import, and a run whose process has died ends with a reason: what killed one process would kill the next.

-- expand: it allows one state more
alter table menu_imports drop constraint menu_imports_status_check;
-- expand: it allows one state more; no row breaks it, so it need not be validated
alter table menu_imports add constraint menu_imports_status_check check (status in
  ('uploaded', 'checking', 'checked', 'importing', 'done', 'undoing', 'undone', 'failed', 'canceled')) not valid;

alter table menu_imports
  -- The process that does the run, and when it last said so; null: none.
  add column process_id uuid,
  add column alive_at timestamptz,
  -- Tries that failed since the run last moved on, and a digest of the last error.
  add column failed_tries integer not null default 0,
  add column last_error text;

-- For the owner's connection: which organizations have a run whose process has said nothing for so long.
create function organizations_with_silent_imports(silence interval) returns table (id bigint) language sql stable as $$
  select distinct i.organization_id from menu_imports i where i.alive_at < clock_timestamp() - silence
$$;
