import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { documentBody } from '../../../test/contract/contract-world.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestShop,
  pickupBody,
  type TestKeys,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { pruneOrganization } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { Database } from '../../platform/database/database.ts';
import { purgeEvents } from '../../platform/events/purge-events.ts';
import { purgeDocuments } from '../documents/documents.ts';
import { createSandbox, knowAsSandbox, sandboxResetting } from './sandbox.ts';
import { endSandbox } from './sandbox-queries.ts';
import type { SpecialCase } from './special-cases.ts';

const service = await startOwnTestService();
const { context } = service;
const integrator = await createTestIntegrator(context);
const witness = await openWitness(service.database);
const operator = new Database(service.database.owner, 1);
afterAll(async () => {
  await operator.close();
  await witness.end();
  await service.close();
});

const signal = new AbortController().signal;

/** Rows of every kind that an integrator can make: orders with their whole life, goods, people, papers, keys, webhooks. */
async function liveInSandbox(keys: TestKeys): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const { data, error } = await service.call(method, path, { keys, ...(body && { body }) });
    expect([path, error]).toEqual([path, undefined]);
    return data;
  };
  const { specialCases } = await ask('GET', '/api/v1/sandbox');
  const { productId, productOptionId } = specialCases.find((one: SpecialCase) => one.case === 'product');
  const order = await ask('POST', '/api/v1/orders', {
    type: 'delivery',
    lineItems: [{ productOptionId, quantity: 2 }],
    customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
    idempotencyKey: randomUUID(),
  });
  for (const action of ['accept', 'pack', 'dispatch', 'fulfill', 'return', 'void-return'])
    await ask('POST', `/api/v1/sandbox/orders/${order.id}/play`, { action });
  const customerId = order.customer.id;
  await ask('POST', '/api/v1/loyalty-events', { customerId, pointsAmount: 5, reason: 'Welcome' });
  await ask('POST', `/api/v1/documents/${customerId}/license`, documentBody);
  const [group] = await ask('GET', '/api/v1/customer-groups');
  const member = { emailOrPhone: 'ada@customers.example.com' };
  await ask('PUT', `/api/v1/customer-groups/${group.id}/add-customer`, member);
  await ask('POST', '/api/v1/purchase-orders', {
    lineItems: [{ productId, productOptionId, amount: '48', costPerUnit: '11.25' }],
    inventoryVendor: { name: 'Terrace Wholesale' },
  });
  await ask('PUT', `/api/v1/products/${productId}`, { description: 'Another one' });
  await ask('POST', '/api/v1/webhook-endpoints', { url: 'https://hooks.example.com/sandbox' });
  await ask('POST', '/api/v1/customer-sessions', { email: 'ada@customers.example.com' });
  await service.apiRequests.write();
}

/** The tables with rows of an organization, with how many. */
async function rowsOf(organization: OrganizationId): Promise<Readonly<Record<string, number>>> {
  const tables = await witness.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const counted: Record<string, number> = {};
  for (const { name } of [...tables, { name: 'organizations' }]) {
    const column = name === 'organizations' ? 'id' : 'organization_id';
    const [{ count }] = await witness.query(
      `select count(*)::int as count from ${name} where ${column} = $1`,
      [organization],
      organization,
    );
    if (count > 0) counted[name] = count;
  }
  return counted;
}

test('a reset starts over behind the same keys, also if it runs twice, and leaves other sandboxes alone', async () => {
  const [sandbox, other] = [
    await createSandbox(context, testOrigin, integrator),
    await createSandbox(context, testOrigin, integrator),
  ];
  const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
  const call = (method: string, path: string, body?: object) => service.call(method, path, { keys, body });
  const before = (await call('GET', '/api/v1/sandbox')).data;
  await call('PUT', '/api/v1/sandbox/clock', { moveSeconds: 86_400 });
  const keyBefore = (await call('GET', '/api/v1/whoami')).data.key;
  const ordersBefore = (await call('GET', '/api/v1/orders')).data;
  const asked = await call('POST', '/api/v1/sandbox/reset');
  expect([asked.status, asked.data.resetRequestedAt]).toEqual([202, expect.any(String)]);

  const job = { organization: sandbox.organizationId, payload: {}, signal };
  await sandboxResetting(context).run(job);
  const after = (await call('GET', '/api/v1/sandbox')).data;
  expect(after.organizationId).not.toBe(before.organizationId);
  expect(after).toMatchObject({ resetRequestedAt: null, clock: { isMoved: false } });
  expect(after.specialCases.map((one: { case: string }) => one.case)).toEqual(
    before.specialCases.map((one: { case: string }) => one.case),
  );
  expect((await call('GET', '/api/v1/whoami')).data.key).toEqual(keyBefore);
  const ordersAfter = (await call('GET', '/api/v1/orders')).data;
  expect(ordersAfter).toHaveLength(ordersBefore.length);
  expect(ordersAfter[0].id).not.toBe(ordersBefore[0].id);

  await sandboxResetting(context).run(job);
  expect((await call('GET', '/api/v1/sandbox')).data).toEqual(after);

  const otherKeys = { consumerKey: other.consumerKey, clientKey: other.clientKey };
  const { data } = await service.call('GET', '/api/v1/sandbox', { keys: otherKeys });
  expect(data.organizationId).toBe(other.organizationId);
});

test('a week after a reset every row of the former organization is gone, whatever happened in it, and no other row', async () => {
  const sandbox = await createSandbox(context, testOrigin, integrator);
  const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
  const former = sandbox.organizationId;
  await liveInSandbox(keys);
  expect(await pruneOrganization(context, operator, former)).toBe(0);
  await service.call('POST', '/api/v1/sandbox/reset', { keys });
  await sandboxResetting(context).run({ organization: former, payload: {}, signal });
  const after = await service.call('GET', '/api/v1/sandbox', { keys });
  const current: OrganizationId = after.data.organizationId;
  const kept = await rowsOf(current);

  service.clock.advance(7 * 86_400_000 - 1_000);
  expect(await pruneOrganization(context, operator, former)).toBe(0);
  service.clock.advance(2_000);
  // The retention of documents comes first.
  expect(await pruneOrganization(context, operator, former)).toBe(0);
  service.clock.advance(86_400_000);
  await purgeDocuments(context, service.documentFiles, testOrigin, former);
  expect(await pruneOrganization(context, operator, former)).toBeGreaterThan(200);
  expect(await rowsOf(former)).toEqual({});
  // Jobs that know it from an earlier list find nothing to do.
  await purgeEvents(context, former);
  expect(await rowsOf(former)).toEqual({});
  expect(await pruneOrganization(context, operator, former)).toBe(0);
  expect(await pruneOrganization(context, operator, current)).toBe(0);
  expect(await rowsOf(current)).toEqual(kept);
  const { data } = await service.call('GET', '/api/v1/sandbox', { keys });
  expect(data.specialCases).toEqual(after.data.specialCases);
});

test('no organization that trades is pruned, also if its row says that it was a sandbox once and a key opens it', async () => {
  const shop = await createTestShop(context, { integrator });
  await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  service.clock.advance(30 * 86_400_000);
  const before = await witness.contents(shop.organizationId);
  expect(await pruneOrganization(context, operator, shop.organizationId)).toBe(0);
  await expect(pruneOrganization(context, context.database, shop.organizationId)).rejects.toThrow(
    /permission denied/,
  );
  const { staffId } = await service.staff(shop);
  await knowAsSandbox(context, testOrigin, integrator.id, {
    ...{ organization: shop.organizationId, staffId, specialCases: [] },
  });
  await context.database.write(shop.organizationId, async (tx) => {
    tx.queue(endSandbox({ at: new Date(service.clock.now() - 30 * 86_400_000).toISOString() }));
  });
  expect(await pruneOrganization(context, operator, shop.organizationId)).toBe(0);
  const after = await witness.contents(shop.organizationId);
  expect(after.orders).toEqual(before.orders);
});
