import type { Client } from 'pg';
import { isDistributed } from '../connections/is-distributed.ts';
import type { ConnectionConfig } from '../connections/session-settings.ts';
import { withMigrationLock } from '../connections/with-migration-lock.ts';
import { withSession } from '../connections/with-session.ts';
import { type DistributedForms, readForms, triggerForm } from './distributed-forms.ts';

/** What was done to the tables. */
interface Distributed {
  /** Tables whose rows are on the server of their organization. */
  readonly distributed: readonly string[];
  /** Small tables with a copy on each server: what says whose organization a request is, before it is known. */
  readonly copied: readonly string[];
  /** Foreign keys that cannot hold there: they lead from a copied table to a distributed one. */
  readonly droppedReferences: readonly string[];
}

/**
 * Distributes the tables of a migrated database by organization, with Citus: those under row-level security, all on the server
 * of their organization. All or nothing, in one
 * transaction, which waits for the requests under way and blocks others. With rows in it, it copies them.
 */
export async function distribute(connection: ConnectionConfig): Promise<Distributed> {
  const isAgain = await isDistributed(connection);
  return withSession(connection, (client) =>
    withMigrationLock(client, async () => {
      await refuseWithoutCitus(client);
      await client.query('begin');
      try {
        await client.query('set local client_min_messages = warning');
        await openServingRole(client);
        const done = await distributeNow(client, await readForms(), isAgain);
        await client.query('commit');
        return done;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    }),
  );
}

async function refuseWithoutCitus(client: Client): Promise<void> {
  const found = await client.query(`select from pg_extension where extname = 'citus'`);
  if (found.rowCount === 0) {
    throw new Error('This database has no Citus: run "create extension citus" in it on every server first.');
  }
  const others = await client.query<{ known: string }>(
    `select count(*) as known from pg_dist_node where isactive and shouldhaveshards`,
  );
  if (others.rows[0]!.known === '0') {
    throw new Error('No server of this Citus takes rows: add one with citus_add_node first.');
  }
}

/** Tables of this schema that are on one server only. `$1`: whether row-level security is on. */
const undistributed = `select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relrowsecurity = $1
    and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)`;

/** What is looked up first: it names an organization, or belongs to what such tables refer to. */
const lookedUpFirst = `${undistributed}
    and (exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')
      or exists (select from pg_constraint f where f.contype = 'f' and c.oid in (f.conrelid, f.confrelid)))
  order by 1`;

/** Distributes the tables that a migration has made in a distributed database, in its transaction. */
export async function distributeNew(client: Client, forms: DistributedForms): Promise<Distributed> {
  return distributeNow(client, forms, true);
}

async function distributeNow(
  client: Client,
  forms: DistributedForms,
  isAgain: boolean,
): Promise<Distributed> {
  // One connection for each server: what follows in the transaction then sees what went before.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await client.query('set local citus.enable_unsafe_triggers = on');
  const namesOf = async (text: string, secured: boolean) =>
    (await client.query<{ name: string }>(text, [secured])).rows.map(({ name }) => name);
  const copied = await namesOf(lookedUpFirst, false);
  const distributed = await namesOf(`${undistributed} order by c.relname <> 'organizations', 1`, true);
  const references = await dropReferences(client, [...copied, ...distributed]);
  await rewritePolicies(client);
  await foldRestrictions(client);
  await rewriteFunctions(client);
  const triggers = await dropTriggers(client);
  for (const table of copied) await client.query('select create_reference_table($1::regclass)', [table]);
  await setForced(client, distributed, false);
  for (const table of distributed) {
    const isFirst = table === 'organizations';
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      isFirst ? 'id' : 'organization_id',
      isFirst ? 'none' : 'organizations',
    ]);
  }
  for (const { make } of triggers) if (make !== null) await client.query(make);
  // One by one: this server reads each again, to tell it to the others.
  if (!isAgain) for (const one of forms.statements) await client.query(one);
  else {
    for (const { name, make } of triggers) {
      if (make === null) for (const one of triggerForm(forms, name)) await client.query(one);
    }
  }
  await refuseLostTriggers(client, triggers);
  const droppedReferences: string[] = [];
  for (const { relation, name, add, holds } of references) {
    if (holds) await client.query(add);
    else droppedReferences.push(`${relation}.${name}`);
  }
  await setForced(client, distributed, true);
  return { distributed, copied, droppedReferences };
}

/**
 * The servers speak to each other in the name of the role that serves, so it must be there, and may log in. Its triggers, and the
 * writes in a `with`, name distributed tables where they run: all rows of the organization are on that server.
 */
async function openServingRole(client: Client): Promise<void> {
  // A server that also told the others of the role would wait for what it is told by them.
  await client.query(`do $$ begin
    set local citus.enable_ddl_propagation = off;
    if not (select rolcanlogin from pg_roles where rolname = 'dispensary_app') then
      alter role dispensary_app login;
    end if;
    alter role dispensary_app set citus.allow_nested_distributed_execution = on;
    set local citus.enable_ddl_propagation = on;
  end $$`);
  const answers = await client.query<{ success: boolean; result: string; node: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers($cmd$
       do $$ begin
         set local citus.enable_ddl_propagation = off;
         if not exists (select from pg_roles where rolname = 'dispensary_app') then
           create role dispensary_app login nobypassrls;
         elsif not (select rolcanlogin from pg_roles where rolname = 'dispensary_app') then
           alter role dispensary_app login;
         end if;
         if not pg_has_role(current_user, 'dispensary_app', 'member') then
           execute format('grant dispensary_app to %I', current_user);
         end if;
         alter role dispensary_app set citus.allow_nested_distributed_execution = on;
       end $$ $cmd$)`,
  );
  for (const { success, node, result } of answers.rows) {
    if (!success) throw new Error(`The server ${node} does not get the role dispensary_app: ${result}`);
  }
}

/** Rows of all organizations are copied by the owner of the tables, which sees them while its own security is not forced. */
async function setForced(client: Client, tables: readonly string[], isForced: boolean): Promise<void> {
  await client.query(`do $$ declare name text; begin
    foreach name in array string_to_array('${tables.join(' ')}', ' ') loop
      execute format('alter table %I ${isForced ? '' : 'no '}force row level security', name);
    end loop;
  end $$`);
}

interface Reference {
  readonly relation: string;
  readonly name: string;
  /** The statement that adds it again. */
  readonly add: string;
  readonly holds: boolean;
}

/** Foreign keys from and to these tables: a table is distributed alone, and referred to when its neighbours are there, too. */
async function dropReferences(client: Client, tables: readonly string[]): Promise<readonly Reference[]> {
  const found = await client.query<Reference>(
    `select f.conrelid::regclass::text as relation, f.conname as name,
            format('alter table %s add constraint %I %s', f.conrelid::regclass, f.conname, pg_get_constraintdef(f.oid)) as add,
            own.relrowsecurity or not other.relrowsecurity as holds
       from pg_constraint f
       join pg_class own on own.oid = f.conrelid
       join pg_class other on other.oid = f.confrelid
      where f.contype = 'f' and own.relnamespace = current_schema()::regnamespace
        and (own.relname = any($1) or other.relname = any($1))
      order by f.conrelid::regclass::text, f.conname`,
    [tables],
  );
  await client.query(
    `do $$ declare r record; begin
       for r in
         select f.conrelid::regclass as relation, f.conname from pg_constraint f
           join pg_class own on own.oid = f.conrelid
          where f.contype = 'f' and own.relnamespace = current_schema()::regnamespace
            and not exists (select from pg_dist_partition p where p.logicalrelid = f.conrelid)
       loop
         execute format('alter table %s drop constraint %I', r.relation, r.conname);
       end loop;
     end $$`,
  );
  return found.rows;
}

/** A policy of a distributed table may not have a sub-select: \`(select current_organization_id())\` becomes a call. */
async function rewritePolicies(client: Client): Promise<void> {
  await client.query(`do $$ declare r record; begin
    for r in
      select p.polrelid::regclass as relation, p.polname, k.clause,
             regexp_replace(k.condition, '\\( SELECT (\\w+)\\(\\) AS \\w+\\)', '\\1()', 'g') as condition
        from pg_policy p
        join pg_class c on c.oid = p.polrelid
       cross join lateral (values ('using', pg_get_expr(p.polqual, p.polrelid)),
                                  ('with check', pg_get_expr(p.polwithcheck, p.polrelid))) k(clause, condition)
       where c.relnamespace = current_schema()::regnamespace and k.condition ~ '\\( SELECT \\w+\\(\\) AS \\w+\\)'
    loop
      execute format('alter policy %I on %s %s (%s)', r.polname, r.relation, r.clause, r.condition);
    end loop;
  end $$`);
}

/**
 * The other servers get a restrictive policy as one that permits: each would show the rows of all organizations. What it asks of rows
 * that are read becomes a part of the policy that permits them.
 */
async function foldRestrictions(client: Client): Promise<void> {
  await client.query(`do $$ declare r record; p record; begin
    for r in
      select c.oid, c.oid::regclass as relation, array_agg(k.polname) as names, bool_and(k.polcmd = 'r') as of_reads,
             string_agg('(' || pg_get_expr(k.polqual, k.polrelid) || ')', ' and ') as condition
        from pg_policy k join pg_class c on c.oid = k.polrelid
       where c.relnamespace = current_schema()::regnamespace and not k.polpermissive group by c.oid
    loop
      if not r.of_reads then raise exception 'a restrictive policy of % is for more than reads', r.relation; end if;
      for p in
        select k.polname, pg_get_expr(k.polqual, k.polrelid) as condition,
               coalesce(pg_get_expr(k.polwithcheck, k.polrelid), pg_get_expr(k.polqual, k.polrelid)) as written
          from pg_policy k where k.polrelid = r.oid and k.polpermissive and k.polcmd = '*'
      loop
        execute format('drop policy %I on %s', p.polname, r.relation);
        execute format('create policy %I on %s for select using ((%s) and %s)', p.polname, r.relation, p.condition, r.condition);
        execute format('create policy %I on %s for insert with check (%s)', p.polname || '_inserted', r.relation, p.written);
        execute format('create policy %I on %s for update using (%s) with check (%s)',
          p.polname || '_updated', r.relation, p.condition, p.written);
        execute format('create policy %I on %s for delete using (%s)', p.polname || '_deleted', r.relation, p.condition);
      end loop;
      for p in select unnest(r.names) as polname loop
        execute format('drop policy %I on %s', p.polname, r.relation);
      end loop;
    end loop;
  end $$`);
}

/**
 * The planner takes the query of a function in SQL for a part of the query that calls it, and refuses its parameters. Written in
 * PL/pgSQL, the function runs where the rows are; its own queries hold each table to the organization by a value.
 */
async function rewriteFunctions(client: Client): Promise<void> {
  await client.query(`do $$ declare r record; begin
    for r in
      select p.proname, pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
             case p.provolatile when 's' then 'stable' else 'volatile' end as kind,
             case when 'for_organization' = any(p.proargnames) then
               regexp_replace(p.prosrc, '(\\w+)\\.organization_id = (\\w+)\\.organization_id',
                 '(\\1.organization_id = for_organization and \\2.organization_id = for_organization)', 'g')
             else p.prosrc end as prosrc
        from pg_proc p
        join pg_language l on l.oid = p.prolang and l.lanname = 'sql'
       where p.pronamespace = current_schema()::regnamespace and p.proretset and p.provolatile <> 'i'
         and p.prosqlbody is null and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    loop
      execute format(
        E'create or replace function %I(%s) returns %s language plpgsql %s as $body$\\n#variable_conflict use_column\\n'
        'begin return query %s; end $body$', r.proname, r.arguments, r.result, r.kind, r.prosrc);
    end loop;
  end $$`);
}

interface Trigger {
  readonly name: string;
  readonly relation: string;
  /** The statement that makes it again, or null for one with the rows of a statement: schema.sql has its form for each row. */
  readonly make: string | null;
}

/** Triggers of tables that are not distributed yet. */
const triggersToDrop = `select t.tgname as name, t.tgrelid::regclass::text as relation,
    case when t.tgoldtable is null and t.tgnewtable is null then pg_get_triggerdef(t.oid) end as make
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
 where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity and not t.tgisinternal
   and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
 order by c.relname, t.tgname`;

const dropThem = `do $$ declare r record; begin
  for r in ${triggersToDrop} loop
    execute format('drop trigger %I on %s', r.name, r.relation);
  end loop;
end $$`;

/** Drops the triggers: rows that are copied to another server are not written anew, so nothing follows from them. */
async function dropTriggers(client: Client): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(triggersToDrop);
  await client.query(dropThem);
  return rows;
}

/** What a trigger keeps, such as sums, would silently be kept no more. */
async function refuseLostTriggers(client: Client, dropped: readonly Trigger[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select d.relation || '.' || d.name as name from unnest($1::text[], $2::text[]) d(name, relation)
      where not exists (select from pg_trigger t where t.tgname = d.name and t.tgrelid = d.relation::regclass)`,
    [dropped.map(({ name }) => name), dropped.map(({ relation }) => relation)],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(`This release cannot be distributed: schema.sql has no form of ${names} for each row.`);
}
