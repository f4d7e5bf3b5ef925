import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { organizationId } from '../../kernel/ids.ts';
import { statement } from '../statements/statement.ts';
import { Database } from './database.ts';
import { RetryWrite } from './write-collisions.ts';

const shop = organizationId(1);
const columns = 'organization_id, id, name, created_at, updated_at';
const addTag = statement<{ id: number; name: string }, never>(
  'test_add_tag',
  `insert into tags (${columns}) values (:organizationId, :id, :name, now(), now())`,
);
const renameTag = statement<{ id: number; name: string }, never>(
  'test_rename_tag',
  'update tags set name = :name where organization_id = :organizationId and id = :id',
);
const selectTags = statement<Record<never, never>, { name: string }>(
  'test_select_tags',
  'select name from tags where organization_id = :organizationId order by id',
);
const deleteTags = statement<Record<never, never>, never>(
  'test_delete_tags',
  'delete from tags where organization_id = :organizationId',
);
const selectPid = statement<Record<never, never>, { pid: number }>(
  'test_select_pid',
  'select pg_backend_pid() as pid',
);

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await execute(
    testDatabase.owner,
    `insert into organizations (id, name, customer_email, customer_phone, license_number, state, tz, created_at, updated_at)
     values (1, 'Shop', '', '', '', 'CA', 'America/Los_Angeles', now(), now())`,
  );
});
afterAll(() => testDatabase.drop());
// One connection: a function that needed a second one would wait forever.
beforeEach(() => {
  database = new Database(testDatabase.serving, 1);
});
afterEach(async () => {
  await database.write(shop, async (tx) => tx.queue(deleteTags({})));
  await database.close();
});

const names = async () => (await database.read(shop, selectTags({})))[0].map(({ name }) => name);
const write = (id: number, name: string) =>
  database.write(shop, async (tx) => tx.queue(addTag({ id, name })));
/** The opening statement adds an unnamed tag; the closing statement sets the result as its name. */
const inOne = (work: () => Promise<string>) =>
  database.withAmbientTransaction(shop, addTag({ id: 1, name: '' }), work, (name) =>
    renameTag({ id: 1, name }),
  );

test('the writes of a function commit together with the opening and closing statements', async () => {
  const changesBefore = database.commitCount(shop);
  const result = await inOne(async () => {
    expect(await names()).toEqual([]);
    await write(2, 'first');
    expect(await names()).toEqual(['', 'first']);
    expect(await database.readBatched(shop, selectTags({}))).toHaveLength(2);
    await write(3, 'second');
    expect(database.commitCount(shop)).toBe(changesBefore);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await names()).toEqual(['done', 'first', 'second']);
  expect(database.commitCount(shop)).toBe(changesBefore + 1);
});

test('the opening and closing statements run for a function without writes, too', async () => {
  await inOne(async () => 'nothing to do');
  expect(await names()).toEqual(['nothing to do']);
});

test('a function that fails after a write changes nothing', async () => {
  const failing = inOne(async () => {
    await write(2, 'first');
    throw new Error('too late');
  });
  await expect(failing).rejects.toThrow('too late');
  expect(await names()).toEqual([]);
});

test('a refusal by the opening statement undoes the first write and everything else', async () => {
  await write(1, 'there');
  const refused = inOne(async () => {
    await write(2, 'first');
    return 'done';
  });
  await expect(refused).rejects.toMatchObject({ constraint: 'tags_pkey' });
  expect(await names()).toEqual(['there']);
});

test('a write that collides runs again alone, and one that fails keeps the earlier writes', async () => {
  let runs = 0;
  const attempts: number[] = [];
  await inOne(async () => {
    runs++;
    await write(2, 'first');
    await database.write(shop, async (tx) => {
      attempts.push(tx.attempt);
      await tx.run(addTag({ id: 3, name: `attempt ${tx.attempt}` }));
      if (tx.attempt < 3) throw new RetryWrite();
    });
    await expect(write(2, 'again')).rejects.toMatchObject({ constraint: 'tags_pkey' });
    return 'done';
  });
  expect([runs, attempts]).toEqual([1, [1, 2, 3]]);
  expect(await names()).toEqual(['done', 'first', 'attempt 3']);
});

test('a lost connection answers SERVICE_UNAVAILABLE and changes nothing', async () => {
  const lost = inOne(async () => {
    await write(2, 'first');
    const [[session]] = await database.read(shop, selectPid({}));
    await execute(inject('server').admin, `select pg_terminate_backend(${session!.pid})`);
    await write(3, 'second');
    return 'done';
  });
  await expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await names()).toEqual([]);
});

test('work that outlives the function runs outside its transaction', async () => {
  let goOn = () => {};
  let leftBehind = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await inOne(async () => {
    leftBehind = leftBehind.then(() => write(9, 'later'));
    return 'done';
  });
  goOn();
  await leftBehind;
  expect(await names()).toEqual(['done', 'later']);
});
