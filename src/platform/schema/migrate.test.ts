import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { withSession } from '../connections/with-session.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { migrate, missingMigrations } from './migrate.ts';

const programMigrations = join(projectFolder(), 'migrations');
const { owner, admin, template } = inject('server');
let name: string;
let database: ConnectionConfig;
let folder: string;

beforeEach(async () => {
  // global-setup drops it with the others of the run if this test is killed.
  name = `${template}_${randomBytes(6).toString('hex')}`;
  await execute(owner, `create database ${name}`);
  database = onDatabase(owner, name);
  folder = mkdtempSync(join(tmpdir(), 'dispensary-migrations-'));
});
afterEach(async () => {
  await execute(admin, `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

const applied = async () =>
  (await execute(database, 'select file from schema_migrations order by applied_at, file')).map(
    ({ file }) => file,
  );

test('the migrations create the schema, and a second run applies none', async () => {
  const files = (await readdir(programMigrations)).filter((file) => file.endsWith('.sql')).sort();
  expect(await migrate(database)).toEqual({ applied: files, waiting: [] });
  expect(await migrate(database)).toEqual({ applied: [], waiting: [] });
  expect(await applied()).toEqual(files);
});

test('concurrent runs apply each migration exactly once', async () => {
  write('0001_create_notes.sql', 'create table notes (id integer); select pg_sleep(0.1)');
  write('0002_fill_notes.sql', 'insert into notes values (1)');
  const results = await Promise.all(Array.from({ length: 6 }, () => migrate(database, { folder })));
  expect(results.flatMap((result) => result.applied)).toEqual([
    '0001_create_notes.sql',
    '0002_fill_notes.sql',
  ]);
  expect(await execute(database, 'select id from notes')).toEqual([{ id: 1 }]);
});

test('a connection that the database ends behind the migrations of the job queue does not end the process', async () => {
  await migrate(database);
  await withSession(database, async (holder) => {
    // The last statement of a run waits for this row; the connection of the queue's migrations is idle then.
    await holder.query('begin; grant usage on schema graphile_worker to dispensary_app');
    const running = migrate(database);
    const endIdle = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and state = 'idle' and query <> ''
        and exists (select from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock' and query ~ 'graphile_worker')`;
    await expect.poll(() => execute(admin, endIdle)).not.toEqual([]);
    await holder.query('rollback');
    expect(await running).toEqual({ applied: [], waiting: [] });
  });
});

test('migrations run in the order of their numbers, and other files are ignored', async () => {
  write('0010_fill.sql', `insert into steps values ('ten')`);
  write('0002_fill.sql', `insert into steps values ('two')`);
  write('0001_create.sql', 'create table steps (name text)');
  write('README.md', 'not SQL');
  write('draft.sql', 'not a number');
  expect((await migrate(database, { folder })).applied).toEqual([
    '0001_create.sql',
    '0002_fill.sql',
    '0010_fill.sql',
  ]);
  expect(await execute(database, 'select name from steps')).toEqual([{ name: 'two' }, { name: 'ten' }]);
  write('0011_fill.sql', `insert into steps values ('eleven')`);
  expect((await migrate(database, { folder })).applied).toEqual(['0011_fill.sql']);
});

test('a file that changed after it was applied is refused, before newer files run', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, { folder });
  write('0001_create.sql', 'create table notes (id bigint)');
  write('0002_more.sql', 'create table more (id integer)');
  await expect(migrate(database, { folder })).rejects.toThrow(
    '0001_create.sql was changed after it had been applied',
  );
  expect(await applied()).toEqual(['0001_create.sql']);
});

test('a database that is newer than the program is refused, and the message names the unknown files', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  write('0002_more.sql', '-- contract: the former release reads it\ndrop table notes');
  await migrate(database, { folder });
  rmSync(join(folder, '0002_more.sql'));
  await expect(migrate(database, { folder })).rejects.toThrow(
    'newer than this program: it has 0002_more.sql',
  );
  expect(await applied()).toEqual(['0001_create.sql', '0002_more.sql']);
});

test('a failed migration changes nothing, and is applied once it is fixed', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  write('0002_more.sql', 'create table more (id integer); select 1 / 0');
  await expect(migrate(database, { folder })).rejects.toThrow('division by zero');
  expect(await applied()).toEqual(['0001_create.sql']);
  write('0002_more.sql', 'create table more (id integer)');
  expect((await migrate(database, { folder })).applied).toEqual(['0002_more.sql']);
});

test('migrations of each kind follow the baseline, and a start beside the former release leaves the contract', async () => {
  copyFileSync(join(programMigrations, '0001_baseline.sql'), join(folder, '0001_baseline.sql'));
  await migrate(database, { folder });
  write('0002_expand.sql', 'alter table orders add column picked_by text');
  write(
    '0003_index.sql',
    `-- concurrently: there can be many orders
drop index concurrently if exists orders_by_picker;
create index concurrently orders_by_picker on orders (organization_id, picked_by)`,
  );
  write('0004_contract.sql', '-- contract: 1.0 writes it\nalter table orders drop column change_cents');
  const missing = ['0002_expand.sql', '0003_index.sql'];
  expect(await missingMigrations(database, folder)).toEqual({ missing, waiting: ['0004_contract.sql'] });
  const serving = onDatabase(owner, name);
  await withSession({ ...serving, options: '-c application_name=dispensary-commerce\\ 0001' }, async () => {
    expect(await migrate(database, { folder })).toEqual({ applied: missing, waiting: ['0004_contract.sql'] });
  });
  expect(await migrate(database, { folder })).toEqual({ applied: ['0004_contract.sql'], waiting: [] });
});

test('a database from before the baseline is refused and left as it is, and the message says what to do', async () => {
  // As the migrations before 1.0.0 left it.
  await execute(
    database,
    `create table schema_migrations (file text primary key, digest text not null, applied_at timestamptz not null default now());
     insert into schema_migrations values ('0001_create_foundation.sql', 'one'), ('0504_validate_owed_points.sql', 'last')`,
  );
  const words = /made by a program before 1\.0\.0.*\(dispensary export,.*DATA_DIR.*\(dispensary import;/;
  await expect(migrate(database)).rejects.toThrow(words);
  await expect(missingMigrations(database)).rejects.toThrow(words);
  expect(await applied()).toEqual(['0001_create_foundation.sql', '0504_validate_owed_points.sql']);
  expect(await execute(database, `select to_regclass('orders') as made`)).toEqual([{ made: null }]);
});

test('missing migrations are listed without a change, and null for an empty database', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  expect(await missingMigrations(database, folder)).toBeNull();
  const tables = `select to_regclass('schema_migrations') as made`;
  expect(await execute(database, tables)).toEqual([{ made: null }]);
  await migrate(database, { folder });
  expect(await missingMigrations(database, folder)).toEqual({ missing: [], waiting: [] });
  write('0002_more.sql', 'create table more (id integer)');
  write('0003_less.sql', '-- contract: it is no longer read\ndrop table notes');
  const both = { missing: ['0002_more.sql'], waiting: ['0003_less.sql'] };
  expect(await missingMigrations(database, folder)).toEqual(both);
  expect(await applied()).toEqual(['0001_create.sql']);
  rmSync(join(folder, '0001_create.sql'));
  await expect(missingMigrations(database, folder)).rejects.toThrow(
    'The database is newer than this program',
  );
});
