import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnTestService, type TestService } from './test-service.ts';
import { createTestShop } from './test-shop.ts';
import { openWitness, type Witness } from './witness.ts';

let service: TestService;
let witness: Witness;
beforeAll(async () => {
  service = await startOwnTestService();
  witness = await openWitness(service.database);
});
afterAll(async () => {
  await witness.end();
  await service.close();
});

test('contents stay equal until a row is written, changed or deleted, by any session', async () => {
  const [first, second] = [await createTestShop(service.context), await createTestShop(service.context)];
  const { organizationId } = first;
  let before = await witness.contents(organizationId);
  const beforeSecond = await witness.contents(second.organizationId);
  expect(Object.keys(before).length).toBeGreaterThan(50);
  await service.call('GET', '/api/v1/orders', { keys: first.keys });
  expect(await witness.contents(organizationId)).toEqual(before);

  const ask = (method: string, path: string, body?: object) =>
    service.call(method, `/api/v1/${path}`, { keys: first.keys, ...(body && { body }) });
  const writes = {
    row: () => ask('POST', 'webhook-endpoints', { url: 'https://hooks.example.com', types: ['order.*'] }),
    change: () => witness.query(`update brands set name = name || '!'`, [], organizationId),
    deletion: () => witness.query('delete from webhook_endpoints', [], organizationId),
  };
  for (const [name, write] of Object.entries(writes)) {
    await write();
    const after = await witness.contents(organizationId);
    expect([name, after]).not.toEqual([name, before]);
    before = after;
  }
  const ofTenants = (contents: Readonly<Record<string, string>>) =>
    Object.entries(contents).filter(([table]) => table.includes(' of '));
  expect(ofTenants(await witness.contents(second.organizationId))).toEqual(ofTenants(beforeSecond));
});
