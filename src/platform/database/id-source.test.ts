import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { organizationId } from '../../kernel/ids.ts';
import { statement } from '../statements/statement.ts';
import { Database } from './database.ts';
import { IdSource } from './id-source.ts';

let testDatabase: TestDatabase;
const databases: Database[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await testDatabase.drop();
});

function open(poolSizeMax?: number): Database {
  const database = new Database(testDatabase.serving, poolSizeMax);
  databases.push(database);
  return database;
}

test('no id is issued twice to concurrent callers of several processes, across block boundaries', async () => {
  const sources = [open(), open(), open()].map((database) => new IdSource(database));
  const taken = await Promise.all(
    Array.from({ length: 90 }, (_, at) => sources[at % 3]!.take([1, 7, 999, 1500][at % 4]!)),
  );
  const ids = taken.flat();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
});

test('taking no id sends no statement', async () => {
  const database = open();
  expect(await new IdSource(database).take(0)).toEqual([]);
  expect(database.statistics.statements).toBe(0);
});

test('the next caller retries a block that could not be fetched', async () => {
  const broken = new Database({
    ...testDatabase.serving,
    connectionString: undefined,
    host: '127.0.0.1',
    port: 1,
  });
  const ids = new IdSource(broken);
  await expect(ids.takeOne()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(ids.takeOne()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await broken.close();
});

test('writes that hold every connection still get their ids', async () => {
  const database = open(3);
  const ids = new IdSource(database);
  const touch = statement<Record<never, never>, never>('test_touch', 'select 1 as one');
  const writes = Array.from({ length: 12 }, () =>
    database.write(organizationId(1), async (tx) => {
      await tx.run(touch({}));
      return ids.take(600);
    }),
  );
  const taken = (await Promise.all(writes)).flat();
  expect(new Set(taken).size).toBe(12 * 600);
});
