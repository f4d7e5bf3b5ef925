-- Deletes rows of the former organization of a sandbox that was reset, at most as many as row_limit in one call; resolves to how
-- many. Orders, ledger and audit of an organization that trades are never deleted, and the serving role has no right to: so the
-- owner runs it, and it deletes only from the organization of the transaction, and only where its sandbox has ended and no key
-- opens it. Rows that others refer to wait for a later call; the organization itself goes last.
create function prune_former_sandbox(former bigint, ended_before timestamptz, row_limit integer) returns integer
  language plpgsql set search_path from current as $$
declare
  tenant_table text;
  is_filled boolean;
  found_rows integer;
  deleted integer := 0;
begin
  if former is distinct from current_organization_id()
    or not exists (select from sandboxes where organization_id = former and ended_at < ended_before)
    or exists (
      select from client_key_digests d
      join client_keys k on k.organization_id = d.organization_id and k.id = d.client_key_id
      where d.organization_id = former and k.revoked_at is null)
  then
    return 0;
  end if;
  -- The retention of documents deletes their files, and then their rows.
  if exists (select from customer_documents where organization_id = former) then
    update organizations set document_retention_days = 1 where id = former and document_retention_days > 1;
    return 0;
  end if;
  -- A second pass at the end: what staff_members waits for is the sandbox itself.
  for attempt in 1..2 loop
    for tenant_table in
      select c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'sandboxes'
      order by c.relname
    loop
      exit when deleted >= row_limit;
      -- Some triggers count a statement that deletes nothing as a change, in a row of their own.
      execute format('select exists (select from %I where organization_id = $1)', tenant_table)
        into is_filled using former;
      continue when not is_filled;
      begin
        execute format('delete from %I where organization_id = $1 and ctid = any(array(
          select ctid from %I where organization_id = $1 limit $2))', tenant_table, tenant_table)
          using former, row_limit - deleted;
        get diagnostics found_rows = row_count;
        deleted := deleted + found_rows;
      exception when foreign_key_violation then
        null;
      end;
    end loop;
    exit when deleted > 0 and attempt = 1;
    if attempt = 1 then
      delete from sandboxes where organization_id = former;
    end if;
  end loop;
  if former is distinct from current_organization_id()
    or not exists (select from sandboxes where organization_id = former) then
    delete from organizations where id = former;
    deleted := deleted + 1;
  end if;
  return deleted;
end $$;
revoke execute on function prune_former_sandbox(bigint, timestamptz, integer) from public;
