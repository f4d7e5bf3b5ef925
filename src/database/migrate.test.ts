import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../test/harness/test-connection.ts';
import { projectFolder } from '../kernel/project-folder.ts';
import type { ConnectionConfig } from './database.ts';
import { migrate } from './migrate.ts';

const { owner, admin, template } = inject('server');
let name: string;
let database: ConnectionConfig;
let folder: string;

beforeEach(async () => {
  // Dropped with the run's others should this test be killed (global-setup).
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

test('the migrations of the program make the schema, and a second time find nothing to do', async () => {
  const files = (await readdir(join(projectFolder(), 'migrations')))
    .filter((file) => file.endsWith('.sql'))
    .sort();
  expect(await migrate(database)).toEqual({ applied: files });
  expect(await migrate(database)).toEqual({ applied: [] });
  expect(await applied()).toEqual(files);
});

test('started many times at once, each migration is applied by one of them and once', async () => {
  write('0001_create_notes.sql', 'create table notes (id integer); select pg_sleep(0.1)');
  write('0002_fill_notes.sql', 'insert into notes values (1)');
  const results = await Promise.all(Array.from({ length: 6 }, () => migrate(database, folder)));
  expect(results.flatMap((result) => result.applied)).toEqual([
    '0001_create_notes.sql',
    '0002_fill_notes.sql',
  ]);
  expect(await execute(database, 'select id from notes')).toEqual([{ id: 1 }]);
});

test('they are applied in the order of their numbers, and what is no migration is left alone', async () => {
  write('0010_fill.sql', `insert into steps values ('ten')`);
  write('0002_fill.sql', `insert into steps values ('two')`);
  write('0001_create.sql', 'create table steps (name text)');
  write('README.md', 'not SQL');
  write('draft.sql', 'not a number');
  expect((await migrate(database, folder)).applied).toEqual([
    '0001_create.sql',
    '0002_fill.sql',
    '0010_fill.sql',
  ]);
  expect(await execute(database, 'select name from steps')).toEqual([{ name: 'two' }, { name: 'ten' }]);
  write('0011_fill.sql', `insert into steps values ('eleven')`);
  expect((await migrate(database, folder)).applied).toEqual(['0011_fill.sql']);
});

test('a file that was changed after it had been applied is refused, before anything newer is applied', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, folder);
  write('0001_create.sql', 'create table notes (id bigint)');
  write('0002_more.sql', 'create table more (id integer)');
  await expect(migrate(database, folder)).rejects.toThrow(
    '0001_create.sql was changed after it had been applied',
  );
  expect(await applied()).toEqual(['0001_create.sql']);
});

test('a database that is newer than the program is refused, and the message names what is unknown', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  write('0002_more.sql', 'create table more (id integer)');
  await migrate(database, folder);
  rmSync(join(folder, '0002_more.sql'));
  write('0003_other.sql', 'create table other (id integer)');
  await expect(migrate(database, folder)).rejects.toThrow('newer than this program: it has 0002_more.sql');
  expect(await applied()).toEqual(['0001_create.sql', '0002_more.sql']);
});

test('a migration that fails leaves nothing of itself, and is applied once it is mended', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  write('0002_more.sql', 'create table more (id integer); select 1 / 0');
  await expect(migrate(database, folder)).rejects.toThrow('division by zero');
  expect(await applied()).toEqual(['0001_create.sql']);
  write('0002_more.sql', 'create table more (id integer)');
  expect((await migrate(database, folder)).applied).toEqual(['0002_more.sql']);
});
