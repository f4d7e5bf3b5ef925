import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { onDatabase } from '../../../test/harness/test-connection.ts';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { organizationId } from '../../kernel/ids.ts';
import { statement } from '../statements/statement.ts';
import { BatchedLookup } from './batched-lookup.ts';
import { Database } from './database.ts';

/** Stands for a table of one row: the first of the ids, and the organization. */
const selectFirst = statement<{ ids: readonly string[] }, { id: string; organization: number }>(
  'test_select_first_jointly',
  'select (:ids::uuid[])[1]::text as id, :organizationId::bigint as organization',
);
const selectAll = statement<{ ids: readonly string[] }, { id: string }>(
  'test_select_all_jointly',
  'select unnest(:ids::uuid[])::text as id',
);

const testDatabase = await createTestDatabase();
const database = new Database(testDatabase.serving);
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const ours = organizationId(1);
const theirs = organizationId(2);

test('concurrent look-ups are one statement, and each gets its own row or none', async () => {
  const lookUps = new BatchedLookup(database, selectFirst);
  const [there, nowhere] = [randomUUID(), randomUUID()];
  const before = { ...database.statistics };
  const found = await Promise.all([there, nowhere, there].map((id) => lookUps.find(ours, id)));
  expect(found).toEqual([{ id: there, organization: 1 }, undefined, { id: there, organization: 1 }]);
  // One statement enters the organization, one looks up.
  expect(database.statistics).toMatchObject({
    roundTrips: before.roundTrips + 1,
    statements: before.statements + 2,
  });
});

test('an id in capitals is the same id', async () => {
  const id = randomUUID();
  expect(await new BatchedLookup(database, selectAll).find(ours, id.toUpperCase())).toEqual({ id });
});

test('different organizations never share a statement', async () => {
  const lookUps = new BatchedLookup(database, selectFirst);
  const id = randomUUID();
  const found = await Promise.all([ours, theirs].map((organization) => lookUps.find(organization, id)));
  expect(found.map((row) => row?.organization)).toEqual([1, 2]);
});

test('look-ups beyond the limit of one statement are all answered', async () => {
  const lookUps = new BatchedLookup(database, selectAll);
  const ids = Array.from({ length: 950 }, () => randomUUID());
  const found = await Promise.all(ids.map((id) => lookUps.find(ours, id)));
  expect(found.map((row) => row?.id)).toEqual(ids);
});

test('a failed statement rejects all its look-ups, and the next look-up sends a new one', async () => {
  const gone = new Database(onDatabase(testDatabase.serving, 'there_is_none'));
  const lookUps = new BatchedLookup(gone, selectAll);
  const outcomes = await Promise.allSettled([randomUUID(), randomUUID()].map((id) => lookUps.find(ours, id)));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  }
  await expect(lookUps.find(ours, randomUUID())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await gone.close();
});
