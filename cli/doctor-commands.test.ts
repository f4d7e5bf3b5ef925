import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { revokeClientKey } from '../src/access/keys/keys.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { clockFinding } from './doctor-commands.ts';
import { runCommandLine } from './run-command-line.ts';

const service = await startOwnTestService();
const { baseUrl } = await service.listen();
const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function doctor(shop: TestShop, ...options: string[]) {
  let out = '';
  await service.apiRequests.write();
  const code = await runCommandLine(['doctor', ...options], {
    env: {
      DISPENSARY_URL: baseUrl,
      DISPENSARY_CONSUMER_KEY: shop.keys.consumerKey,
      DISPENSARY_CLIENT_KEY: shop.keys.clientKey,
    },
    folder,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (out += text) },
  });
  return { code, out };
}

test('a key with what it needs, answered requests and a working endpoint are good', async () => {
  const shop = await createTestShop(service.context, { key: { permissions: ['menu', 'create-orders'] } });
  const body = { url: 'https://hooks.example.com/events' };
  await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body });
  const { code, out } = await doctor(shop);
  expect(out).toMatch(/^good {2}keys {9}the keys are valid/m);
  expect(out).toMatch(/^good {2}permissions {2}(menu, create-orders|create-orders, menu)$/m);
  expect(out).toMatch(/^good {2}requests {5}0 of the last \d+ were refused$/m);
  expect(out).toMatch(/^good {2}webhooks {5}hooks\.example\.com keeps up$/m);
  // The service of the tests has no TLS.
  expect(out).toMatch(/^look {2}address/m);
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'Nothing must change']);
});

test('an endpoint that is disabled and requests that are mostly refused must change', async () => {
  const shop = await createTestShop(service.context, {
    key: { expiresAtMs: service.context.clock.now() + 86_400_000 },
  });
  const body = { url: 'https://hooks.example.com/events' };
  const { data } = await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body });
  await service.call('PATCH', `/api/v1/webhook-endpoints/${data.id}`, {
    keys: shop.keys,
    body: { enabled: false },
  });
  for (let count = 0; count < 12; count += 1) {
    await service.call('GET', '/api/v1/orders/none', { keys: shop.keys });
  }
  const { code, out } = await doctor(shop);
  expect(out).toMatch(/^fix {2}requests {5}12 of the last \d+ were refused: \w+$/m);
  expect(out).toMatch(/^fix {2}webhooks {5}hooks\.example\.com is disabled: it gets nothing$/m);
  expect(out).toMatch(/^look {2}keys {9}the client key ends at /m);
  expect(out).toMatch(/^look {2}permissions {2}the key has all permissions/m);
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([1, '2 must change']);
});

test('a revoked key ends the examination, and the result is the same as data', async () => {
  const shop = await createTestShop(service.context);
  await revokeClientKey(service.context, testOrigin, shop.organizationId, shop.clientKeyId);
  const { code, out } = await doctor(shop, '--json');
  const { findings, mustChange } = JSON.parse(out);
  expect([code, mustChange]).toEqual([1, 1]);
  expect(findings.at(-1)).toMatchObject({
    verdict: 'fix',
    check: 'keys',
    text: expect.stringContaining('INVALID_API_CREDENTIALS'),
  });
});

test('an address without an answer is named', async () => {
  const shop = await createTestShop(service.context);
  const { code, out } = await doctor(shop, '--url', 'http://127.0.0.1:9');
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('http://127.0.0.1:9 does not answer. (NO_CONNECTION)'),
  ]);
});

test.each([
  [0, 'good'],
  [59_000, 'good'],
  [61_000, 'look'],
  [301_000, 'fix'],
])('clocks that are %d ms apart: %s', (offMs, verdict) => {
  expect(clockFinding(offMs).verdict).toBe(verdict);
});

test('a reply without a time says nothing about the clocks', () => {
  expect(clockFinding(Number.NaN)).toMatchObject({
    verdict: 'look',
    text: expect.stringContaining('could not be compared'),
  });
});
