import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { organizationId } from '../../kernel/ids.ts';
import { statement } from '../statements/statement.ts';
import { Database } from './database.ts';

/* Concurrent reads are batched, without a visible effect. */

const ours = organizationId(1);
const theirs = organizationId(2);

const insertBrand = statement<{ id: number; name: string }, never>(
  'test_insert_joint_brand',
  `insert into brands (organization_id, id, name, created_at, updated_at)
   values (:organizationId, :id, :name, now(), now())`,
);
const selectBrand = statement<{ id: number }, { name: string }>(
  'test_select_joint_brand',
  'select name from brands where organization_id = :organizationId and id = :id',
);
/** Lacks its tenant condition on purpose. */
const countAllBrands = statement<Record<never, never>, { count: number }>(
  'test_count_joint_brands',
  'select count(*) from brands',
);
const divide = statement<{ by: number }, { quotient: number }>(
  'test_divide_jointly',
  'select 1 / :by::integer as quotient',
);

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await execute(
    testDatabase.owner,
    `insert into organizations (id, name, customer_email, customer_phone, license_number, state, tz, created_at, updated_at)
     select id, 'Shop ' || id, '', '', '', 'CA', 'America/Los_Angeles', now(), now() from generate_series(1, 2) id`,
  );
  const setUp = new Database(testDatabase.serving);
  for (const [organization, names] of [
    [ours, ['Fern Ridge', 'Low Tide', 'Old Mill']],
    [theirs, ['Far Field']],
  ] as const) {
    await setUp.write(organization, async (tx) =>
      tx.queue(...names.map((name, at) => insertBrand({ id: at + 1, name }))),
    );
  }
  await setUp.close();
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  database = new Database(testDatabase.serving);
});
afterEach(() => database.close());

async function nameOf(id: number, organization = ours): Promise<string | undefined> {
  const [brand] = await database.readBatched(organization, selectBrand({ id }));
  return brand?.name;
}

test('concurrent reads share a round trip, equal ones are sent once, and each gets its own rows', async () => {
  const names = await Promise.all([1, 2, 1, 3, 4].map((id) => nameOf(id)));
  expect(names).toEqual(['Fern Ridge', 'Low Tide', 'Fern Ridge', 'Old Mill', undefined]);
  // One statement enters the organization, four read brands 1 to 4.
  expect(database.statistics).toMatchObject({ roundTrips: 1, statements: 5 });
});

test('organizations never share a round trip and see only their own rows', async () => {
  const counts = await Promise.all(
    [ours, theirs, ours].map((organization) => database.readBatched(organization, countAllBrands({}))),
  );
  expect(counts.map(([row]) => row?.count)).toEqual([3, 1, 3]);
  expect(await Promise.all([nameOf(1), nameOf(1, theirs)])).toEqual(['Fern Ridge', 'Far Field']);
});

test('a read never returns a snapshot older than its call, under any concurrency', async () => {
  const reading: Promise<unknown>[] = [];
  for (let id = 100; id < 140; id++) {
    const others = [1, 2, 3, id].map((other) => nameOf(other));
    await database.write(ours, async (tx) => tx.queue(insertBrand({ id, name: `Brand ${id}` })));
    expect(await nameOf(id)).toBe(`Brand ${id}`);
    reading.push(...others);
  }
  await Promise.all(reading);
});

test('a read that fails fails alone', async () => {
  const read = (by: number) => database.readBatched(ours, divide({ by }));
  const results = await Promise.allSettled([read(1), nameOf(1), read(0), nameOf(2)]);
  expect(results).toMatchObject([
    { value: [{ quotient: 1 }] },
    { value: 'Fern Ridge' },
    { reason: { code: '22012' } },
    { value: 'Low Tide' },
  ]);
  expect(await nameOf(3)).toBe('Old Mill');
});

test('reads beyond the limit of one round trip are all answered', async () => {
  const ids = Array.from({ length: 200 }, (_, at) => at);
  const names = await Promise.all(ids.map((id) => nameOf(id)));
  expect(names.filter((name) => name !== undefined).length).toBeGreaterThanOrEqual(3);
  expect(names.slice(1, 4)).toEqual(['Fern Ridge', 'Low Tide', 'Old Mill']);
});

test('without a database every read of the batch is rejected', async () => {
  const gone = new Database({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' });
  const results = await Promise.allSettled([1, 2].map((id) => gone.readBatched(ours, selectBrand({ id }))));
  expect(results).toMatchObject([1, 2].map(() => ({ reason: { code: 'SERVICE_UNAVAILABLE' } })));
  await gone.close();
});
