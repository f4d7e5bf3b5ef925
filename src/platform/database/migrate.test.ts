import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import { soughtMarks } from '../../access/api-request-marks.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import type { ConnectionConfig } from './database.ts';
import { migrate, missingMigrations } from './migrate.ts';
import { withSession } from './with-session.ts';

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

async function migrateTo(number: string): Promise<void> {
  const before = (await readdir(programMigrations)).filter((file) => file < number);
  for (const file of before) copyFileSync(join(programMigrations, file), join(folder, file));
  await migrate(database, { folder });
}

test('all requests logged as rows appear in the batches that replace them', async () => {
  await migrateTo('0020');
  await execute(database, 'alter table api_requests no force row level security');
  await execute(
    database,
    `insert into api_requests (organization_id, at, id, integrator_id, client_key_id, method, path_template, path,
       status, code, microseconds, request_id)
     select 1 + n % 2, timestamptz '2026-03-01 10:00:00.123Z' + n * interval '7 ms', n, 5 + n % 2, 50 + n % 2, 'GET', '/toys/{id}',
            case when n % 5 = 0 then '/toys/{id}' else '/toys/' || n end, case when n % 7 = 0 then 409 else 200 end,
            case when n % 7 = 0 then 'TOY_IN_USE' end, n, 'r' || n
       from generate_series(1, 10000) n`,
  );
  await migrate(database);

  await execute(database, 'alter table api_request_batches no force row level security');
  const wrong = `select count(*)::int from (
    select b.*, r.*, r.us as n from api_request_batches b cross join lateral unnest(b.times_ms, b.methods, b.path_templates,
      b.paths, b.statuses, b.codes, b.microseconds, b.request_ids) as r (ms, method, template, path, status, code, us, rid)) r
    where organization_id <> 1 + n % 2 or integrator_id <> 5 + n % 2 or client_key_id <> 50 + n % 2 or rid <> 'r' || n
       or ms <> 1772359200123 + n * 7 or ms not between first_at_ms and last_at_ms or method <> 'GET' or template <> '/toys/{id}'
       or path <> case when n % 5 = 0 then '' else '/toys/' || n end or is_refused <> (n % 7 = 0)
       or status <> case when n % 7 = 0 then 409 else 200 end or code <> case when n % 7 = 0 then 'TOY_IN_USE' else '' end`;
  expect(await execute(database, wrong)).toEqual([{ count: 0 }]);
  expect(
    await execute(database, 'select sum(request_count)::int as counted from api_request_batches'),
  ).toEqual([{ counted: 10_000 }]);
  expect(
    await execute(
      database,
      'select count(distinct id)::int as requests from (select unnest(request_ids) as id from api_request_batches) r',
    ),
  ).toEqual([{ requests: 10_000 }]);

  // They are found by the marks that the log gives to new ones.
  await execute(database, 'alter table api_request_marks no force row level security');
  const kind = { clientKeyId: 50, pathTemplate: '/toys/{id}', status: 200, code: '' };
  const [mark] = soughtMarks([kind], '/toys/12');
  const withMark = `
    select m.request_count, 'r12' = any(b.request_ids) as is_found, m.mark = any(b.marks) as is_named
      from api_request_marks m join api_request_batches b on b.id = m.batch_id
     where m.organization_id = 1 and m.mark = hashtextextended('${mark!.text}', 0)`;
  expect(await execute(database, withMark)).toEqual([{ request_count: 1, is_found: true, is_named: true }]);
  await execute(database, 'alter table api_request_kinds no force row level security');
  const kinds = `
    select distinct organization_id::int, integrator_id::int, client_key_id::int, path_template, status, code
      from api_request_kinds order by organization_id, status`;
  expect(await execute(database, kinds)).toEqual(
    [1, 2].flatMap((number) =>
      [200, 409].map((status) => ({
        organization_id: number,
        integrator_id: number + 4,
        client_key_id: number + 49,
        path_template: '/toys/{id}',
        status,
        code: status === 200 ? '' : 'TOY_IN_USE',
      })),
    ),
  );
});

test('a consumer key issued before rotation existed stays valid', async () => {
  await migrateTo('0021');
  await execute(
    database,
    `insert into integrators (id, name, consumer_key_digest, consumer_key_prefix, created_at, revoked_at)
     values (5, 'Corner Cart', '\\xc0', 'dcc_live_0123', '2026-03-01Z', null),
            (6, 'Late Cart', '\\xc1', 'dcc_live_4567', '2026-03-02Z', '2026-03-03Z')`,
  );
  await migrate(database);
  expect(
    await execute(
      database,
      `select i.id::int, encode(d.digest, 'hex') as digest, d.created_at = i.created_at as since, d.expires_at,
              i.revoked_at is not null as revoked
         from consumer_key_digests d join integrators i on i.id = d.integrator_id order by i.id`,
    ),
  ).toEqual([
    { id: 5, digest: 'c0', since: true, expires_at: null, revoked: false },
    { id: 6, digest: 'c1', since: true, expires_at: null, revoked: true },
  ]);
});

test('orders placed before lists by location existed are listed by time', async () => {
  await migrateTo('0027');
  for (const [table, key] of [
    ['orders', 'orders_organization_id_fkey'],
    ['order_line_fulfillments', 'order_line_fulfillments_organization_id_fkey'],
    ['order_line_fulfillments', 'order_line_fulfillments_organization_id_order_id_order_lin_fkey'],
  ]) {
    await execute(database, `alter table ${table} no force row level security, drop constraint ${key}`);
  }
  const id = '00000000-0000-7000-8000-000000000001';
  await execute(
    database,
    `insert into orders (organization_id, id, type, source, status, total_price_cents, net_price_cents,
       customer_grand_total_cents, merchandise_cents, discounts_total_cents, payment_fees_cents, tax_exempt, is_medical,
       created_at, updated_at, document)
     values (1, '${id}', 'pickup', 'open-api', 'new', 0, 0, 0, 0, 0, 0, false, false, '2026-03-01Z', '2026-03-02Z', '')`,
  );
  await execute(
    database,
    `insert into order_line_fulfillments (organization_id, order_id, order_line_item_id, id, product_id, product_option_id,
       inventory_location_id, package_id, amount) values (1, '${id}', 2, 3, 4, 5, 6, 0, 1)`,
  );
  for (const table of ['orders', 'order_line_fulfillments'])
    await execute(database, `alter table ${table} force row level security`);
  await migrate(database);

  await execute(database, 'alter table order_line_fulfillments no force row level security');
  expect(
    await execute(database, `select order_created_at = '2026-03-01Z' as known from order_line_fulfillments`),
  ).toEqual([{ known: true }]);
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
