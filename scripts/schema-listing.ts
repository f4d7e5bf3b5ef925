import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/schema/migrate.ts';
import { execute, onDatabase } from '../test/harness/test-connection.ts';

/**
 * The schema that the migrations create, read from the catalog of a migrated database: tables with columns,
 * constraints, indexes, policies and the rights of the serving role. The text is the same for every supported
 * PostgreSQL. Without a migrated database it makes one, on the server of DATABASE_URL or an embedded one.
 */
export async function listSchema(migrated?: ConnectionConfig): Promise<string> {
  if (migrated !== undefined) return textOf(migrated);
  const { connection, remove } = await makeDatabase();
  try {
    await migrate(connection);
    return await textOf(connection);
  } finally {
    await remove();
  }
}

async function textOf(migrated: ConnectionConfig): Promise<string> {
  const [row] = await execute(migrated, `select ${schemaParts}`);
  return renderSchema(row as unknown as SchemaParts);
}

/** Creates an empty database, with a function that removes it. */
async function makeDatabase(): Promise<{ connection: ConnectionConfig; remove(): Promise<void> }> {
  const { DATABASE_URL: connectionString } = process.env;
  if (connectionString) {
    const name = `listing_${randomBytes(6).toString('hex')}`;
    await execute({ connectionString }, `create database ${name}`);
    const remove = async () => void (await execute({ connectionString }, `drop database ${name}`));
    return { connection: onDatabase({ connectionString }, name), remove };
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-listing-'));
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  const remove = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  };
  return { connection: server.ownerConnection, remove };
}

interface SchemaParts {
  readonly functions: readonly string[];
  readonly sequences: readonly string[];
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly constraints: readonly { readonly type: string; readonly text: string }[];
    readonly indexes: readonly string[];
    readonly secured: boolean;
    readonly forced: boolean;
    readonly policies: readonly string[];
    readonly rights: readonly string[];
  }[];
}

// Constraints of type n (not null) are left out: only PostgreSQL 18 lists them, and columns show them anyway. The
// owner's name depends on the login. The order is fixed here, independent of the server's collation.
const schemaParts = `
  (select json_agg(pg_get_functiondef(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace) as functions,
  (select json_agg(s.relname) from pg_class s
    where s.relnamespace = 'public'::regnamespace and s.relkind = 'S') as sequences,
  (select json_agg(json_build_object(
    'name', t.relname,
    'columns', (select json_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then 'not null' end,
        case a.attgenerated when '' then 'default ' || pg_get_expr(d.adbin, d.adrelid)
          else 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored' end) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
    'constraints', (select coalesce(json_agg(json_build_object('type', c.contype,
        'text', 'constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid))), '[]')
      from pg_constraint c where c.conrelid = t.oid and c.contype <> 'n'),
    'indexes', (select coalesce(json_agg(pg_get_indexdef(i.indexrelid)), '[]') from pg_index i
      where i.indrelid = t.oid and not exists (select from pg_constraint c where c.conindid = i.indexrelid
        and c.conrelid = t.oid)),
    'secured', t.relrowsecurity,
    'forced', t.relforcerowsecurity,
    'policies', (select coalesce(json_agg(concat_ws(' ', 'create policy', p.polname, 'on', t.relname,
        case when p.polroles = array[t.relowner] then 'to owner' end,
        'using (' || pg_get_expr(p.polqual, t.oid) || ')',
        'with check (' || pg_get_expr(p.polwithcheck, t.oid) || ')')), '[]')
      from pg_policy p where p.polrelid = t.oid),
    'rights', (select coalesce(json_agg(right_name order by position), '[]')
      from unnest(array['select', 'insert', 'update', 'delete']) with ordinality as r (right_name, position)
      where has_table_privilege('dispensary_app', t.oid, right_name))))
   from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r') as tables`;

function renderSchema({ functions, sequences, tables }: SchemaParts): string {
  return `${[
    '-- Generated by npm run generate from a database with all migrations: for reading and for review.',
    ...functions.toSorted().map((text) => `${text.trim()};`),
    ...sequences.toSorted().map((name) => `create sequence ${name};`),
    ...tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(renderTable),
  ].join('\n\n')}\n`;
}

const constraintOrder = 'pufc';

function renderTable(table: SchemaParts['tables'][number]): string {
  const constraints = table.constraints
    .toSorted(
      (a, b) =>
        constraintOrder.indexOf(a.type) - constraintOrder.indexOf(b.type) || (a.text < b.text ? -1 : 1),
    )
    .map(({ text }) => text);
  const parts = [...table.columns, ...constraints].map((part) => `  ${part}`).join(',\n');
  const security = [table.secured && 'enable row level security', table.forced && 'force row level security'];
  return [
    `create table ${table.name} (\n${parts}\n);`,
    ...table.indexes.toSorted().map((text) => `${text};`),
    ...(table.secured ? [`alter table ${table.name} ${security.filter(Boolean).join(', ')};`] : []),
    ...table.policies.toSorted().map((text) => `${text};`),
    ...(table.rights.length > 0
      ? [`grant ${table.rights.join(', ')} on ${table.name} to dispensary_app;`]
      : []),
  ].join('\n');
}
