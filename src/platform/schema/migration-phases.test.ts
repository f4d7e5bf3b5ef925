import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { contractLater } from './contract-later.ts';
import { migrate } from './migrate.ts';

const { owner, admin, template } = inject('server');
let name: string;
let database: ConnectionConfig;
let folder: string;
const open: Client[] = [];

beforeEach(async () => {
  // global-setup drops it with the others of the run if this test is killed.
  name = `${template}_${randomBytes(6).toString('hex')}`;
  await execute(owner, `create database ${name}`);
  database = onDatabase(owner, name);
  folder = mkdtempSync(join(tmpdir(), 'dispensary-phases-'));
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.end();
  await execute(admin, `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

/** A session of a process of the release with that newest migration. */
async function connectAs(application_name: string): Promise<Client> {
  const client = new Client({ ...database, application_name });
  await client.connect();
  open.push(client);
  return client;
}

async function disconnect(client: Client): Promise<void> {
  open.splice(open.indexOf(client), 1);
  await client.end();
}

const silent = { info: () => {}, error: () => {} };

test('a contract waits for every process of an earlier release, and for none of its own', async () => {
  write('0001_create.sql', 'create table notes (id integer, old_name text)');
  await migrate(database, { folder });
  write('0002_expand.sql', 'alter table notes add column name text');
  write(
    '0003_contract.sql',
    '-- contract: releases up to 0002 write it\nalter table notes drop column old_name',
  );
  write('0004_expand.sql', 'create table others (id integer)');
  const former = await connectAs('dispensary-commerce 0002');
  await connectAs('dispensary-commerce 0004');
  await connectAs('psql');
  const first = await migrate(database, { folder });
  expect(first).toEqual({ applied: ['0002_expand.sql', '0004_expand.sql'], waiting: ['0003_contract.sql'] });
  expect(await migrate(database, { folder })).toEqual({ applied: [], waiting: ['0003_contract.sql'] });

  const later = contractLater(database, first, silent, { folder, lookEveryMs: 20 });
  await disconnect(former);
  const columns = () =>
    execute(
      database,
      `select attname from pg_attribute where attrelid = 'notes'::regclass and attnum > 0
      and not attisdropped order by attnum`,
    );
  await expect.poll(columns, { timeout: 20_000 }).toEqual([{ attname: 'id' }, { attname: 'name' }]);
  await later.stop();
  expect(await migrate(database, { folder })).toEqual({ applied: [], waiting: [] });
});

test('an operator can run a contract beside processes of an earlier release', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  write('0002_contract.sql', '-- contract: it is no longer read\ndrop table notes');
  await connectAs('dispensary-commerce 0001');
  expect((await migrate(database, { folder })).waiting).toEqual(['0002_contract.sql']);
  const forced = await migrate(database, { folder, contractsNow: true });
  expect(forced).toEqual({ applied: ['0002_contract.sql'], waiting: [] });
});

test('the former release starts on a database that was only expanded, and not once it was contracted', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, { folder });
  write('0002_expand.sql', 'create table others (id integer)');
  write('0003_contract.sql', '-- contract: it is no longer read\ndrop table notes');
  const former = await connectAs('dispensary-commerce 0001');
  await migrate(database, { folder });
  const formerFolder = mkdtempSync(join(tmpdir(), 'dispensary-phases-'));
  writeFileSync(join(formerFolder, '0001_create.sql'), 'create table notes (id integer)');
  expect(await migrate(database, { folder: formerFolder })).toEqual({ applied: [], waiting: [] });
  await disconnect(former);
  await migrate(database, { folder });
  await expect(migrate(database, { folder: formerFolder })).rejects.toThrow(
    'newer than this program: it has 0002_expand.sql, 0003_contract.sql',
  );
  rmSync(formerFolder, { recursive: true });
});

test('a migration whose table is locked lets waiting requests through, tries again, and succeeds', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, { folder });
  write('0002_expand.sql', 'create table before_it (id integer); alter table notes add column name text');
  const reader = await connectAs('a long transaction');
  await reader.query('begin; select from notes');
  const lockTimeoutMs = 100;
  let isDone = false;
  const migrating = migrate(database, { folder, lockTimeoutMs }).finally(() => {
    isDone = true;
  });
  const watcher = await connectAs('the test');
  const waits = async () => {
    const { rows } = await watcher.query(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%alter table notes%'`,
    );
    return rows[0].count as number;
  };
  const request = await connectAs('a request');
  for (let tries = 0; tries < 2; tries += 1) {
    await expect.poll(waits, { timeout: 20_000, interval: 5 }).toBe(1);
    // It queues behind the migration, and would wait for the reader's end without the time-out.
    await request.query(`set statement_timeout = '10s'; select from notes`);
    await expect.poll(waits, { timeout: 20_000, interval: 5 }).toBe(0);
  }
  expect(isDone).toBe(false);
  await reader.query('commit');
  expect(await migrating).toEqual({ applied: ['0002_expand.sql'], waiting: [] });
});

test('a migration that never gets its lock fails by name, and leaves nothing behind', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, { folder });
  write('0002_expand.sql', 'create table more (id integer); alter table notes add column name text');
  const reader = await connectAs('a long transaction');
  await reader.query('begin; select from notes');
  await expect(migrate(database, { folder, lockTimeoutMs: 10, patienceMs: 100 })).rejects.toThrow(
    'Migration 0002_expand.sql waits for a table that other sessions keep locked',
  );
  expect(await execute(database, `select to_regclass('more') as made`)).toEqual([{ made: null }]);
  await reader.query('commit');
  expect((await migrate(database, { folder })).applied).toEqual(['0002_expand.sql']);
});

test('a concurrent migration makes its index beside a write that is under way, also after a failed try', async () => {
  write('0001_create.sql', 'create table notes (id integer)');
  await migrate(database, { folder });
  const writer = await connectAs('a request');
  await writer.query('insert into notes values (1), (1)');
  const text = `-- concurrently: notes can be large
drop index concurrently if exists notes_by_id;
create unique index concurrently notes_by_id on notes (id);`;
  write('0002_index.sql', text);
  // Its rows are not unique: the try leaves an invalid index behind.
  await expect(migrate(database, { folder })).rejects.toThrow('could not create unique index');
  await writer.query('delete from notes');
  await writer.query('begin; insert into notes values (1)');
  const migrating = migrate(database, { folder });
  const isBuilding = () =>
    execute(
      database,
      `select from pg_stat_activity where datname = current_database() and query like '%index concurrently%'
      and pid <> pg_backend_pid()
      and wait_event_type = 'Lock'`,
    );
  await expect.poll(isBuilding, { timeout: 20_000 }).toHaveLength(1);
  const other = await connectAs('another request');
  await other.query('insert into notes values (2)');
  await writer.query('commit');
  expect((await migrating).applied).toEqual(['0002_index.sql']);
  expect(
    await execute(database, `select indisvalid from pg_index where indexrelid = 'notes_by_id'::regclass`),
  ).toEqual([{ indisvalid: true }]);
});
