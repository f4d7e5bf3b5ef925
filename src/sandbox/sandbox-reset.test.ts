import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestIntegrator, testOrigin } from '../../test/harness/test-shop.ts';
import { createSandbox, sandboxResetting } from './sandbox.ts';

const service = await startTestService();
const { context } = service;
const integrator = await createTestIntegrator(context);
afterAll(() => service.close());

const signal = new AbortController().signal;

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
