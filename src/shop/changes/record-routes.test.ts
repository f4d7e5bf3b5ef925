import { afterAll, expect, test } from 'vitest';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { recordsPerPage } from './record-routes.ts';
import { collections, listOf, readOf, tradedShop } from './traded-shop.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());

const read = (shop: TestShop, path: string, query = {}) => readOf(service, shop, path, query);
const byId = (a: TestReply['data'], b: TestReply['data']) => (a.id < b.id ? -1 : 1);

test('records are those of the list, in its shape, by ascending id; also by their ids', async () => {
  const { shop } = await tradedShop(service);
  for (const collection of collections) {
    const listed = [...(await read(shop, listOf[collection]))].sort(byId);
    expect(listed.length).toBeGreaterThan(0);
    const path = `records/${collection}`;
    expect(await read(shop, path)).toEqual(listed);
    const last = listed.at(-1)!;
    expect(await read(shop, path, { after: String(listed[0].id) })).toEqual(listed.slice(1));
    expect(await read(shop, path, { after: String(last.id) })).toEqual([]);
    const unknown = collection === 'orders' ? '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37' : '999999999999';
    expect(await read(shop, path, { ids: `${last.id},${unknown},${last.id}` })).toEqual([last]);
  }
});

test('a page ends with its hundredth record, and the next page continues after it', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const people = Array.from({ length: recordsPerPage + 5 }, (_, at) => at);
  await Promise.all(
    people.map((at) =>
      owner.call('POST', '/staff/v1/customers', {
        firstName: 'Noor',
        lastName: `No. ${at}`,
        email: `noor${at}@customers.example.com`,
      }),
    ),
  );
  const first = await read(shop, 'records/customers');
  expect(first).toHaveLength(recordsPerPage);
  const second = await read(shop, 'records/customers', { after: first.at(-1).id });
  const ids = [...first, ...second].map(({ id }) => id);
  expect(new Set(ids).size).toBe(people.length);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('a key reads the records of the lists that it may read, and bad input is refused by name', async () => {
  const shop = await createTestShop(service.context);
  const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
    permissions: ['customers'],
  });
  const ask = (path: string, query = {}) => service.call('GET', `/api/v1/records/${path}`, { keys, query });
  expect((await ask('customers')).status).toBe(200);
  for (const other of collections.filter((name) => name !== 'customers')) {
    expect(await ask(other)).toMatchObject({ status: 403 });
  }
  for (const query of [
    { ids: 'seven' },
    { ids: '1,-2' },
    { ids: '99999999999999999999' },
    { ids: Array.from({ length: recordsPerPage + 1 }, (_, at) => at + 1).join() },
    { after: '0' },
  ]) {
    const { status, error } = await ask('customers', query);
    expect([query, status, error?.code]).toEqual([query, 400, 'INVALID_PARAMS']);
    expect(error?.message).toMatch(/^(ids|after)/);
  }
});
