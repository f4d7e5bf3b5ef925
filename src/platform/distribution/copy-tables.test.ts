import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { copyTables } from './copy-tables.ts';

let databases: TestDatabase[];
beforeAll(async () => {
  databases = [await createTestDatabase(), await createTestDatabase()];
});
afterAll(async () => {
  for (const database of databases) await database.drop();
});

/** As the superuser. */
function adminOf({ owner }: TestDatabase): ConnectionConfig {
  const name = owner.connectionString ? new URL(owner.connectionString).pathname.slice(1) : owner.database!;
  return onDatabase(inject('server').admin, name);
}

const copy = (source: ConnectionConfig, target: ConnectionConfig) =>
  copyTables({ source, target, onProgress: () => {} });

test('rows, sequences and jobs are copied with no trigger and no check, and what the copy had before is gone', async () => {
  const [source, target] = databases.map(adminOf) as [ConnectionConfig, ConnectionConfig];
  const indexesOf = (on: ConnectionConfig) => execute(on, 'select indexdef from pg_indexes order by 1');
  const indexes = await indexesOf(target);
  await execute(
    source,
    `set session_replication_role = replica;
     insert into customer_versions (organization_id, version) select n, n from generate_series(1, 20000) n;
     insert into book_changes (organization_id, order_id, at, fulfilled_at, voids)
       select 1, gen_random_uuid(), now(), now(), false from generate_series(1, 5);
     select graphile_worker.add_job('a-task', to_json(e'Te\\xt\t"\n' || repeat('ü', 100000)))`,
  );
  await execute(target, `select graphile_worker.add_job('another', '{}')`);
  const copied = await copy(source, target);
  expect(copied.rows).toBeGreaterThan(20_005);
  const jobs = 'select task_id, payload::text from graphile_worker._private_jobs';
  expect(await execute(target, jobs)).toEqual(await execute(source, jobs));
  // The number after the last one, not the first.
  const next = `insert into book_changes (organization_id, order_id, at, fulfilled_at, voids) values (1, gen_random_uuid(), now(), now(), false) returning id`;
  expect(await execute(target, next)).toEqual([{ id: '6' }]);
  expect(await execute(target, 'select identifier from graphile_worker._private_tasks')).toEqual([
    { identifier: 'a-task' },
  ]);
  expect(await indexesOf(target)).toEqual(indexes);
});

test('a table or a column that the other side has not is refused by its name, and nothing is changed', async () => {
  const [source, target] = databases.map(adminOf) as [ConnectionConfig, ConnectionConfig];
  await execute(source, 'create table own_notes (note text); alter table customers add column own int');
  await expect(copy(source, target)).rejects.toThrow(
    /Only there: public\.customers\.own, public\.own_notes, public\.own_notes\.note\. Missing there: nothing else/,
  );
});
