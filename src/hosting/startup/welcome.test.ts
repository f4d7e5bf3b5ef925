import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoFile } from '../../../seed/seed-demo.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { loadConfig } from './config.ts';
import { printWelcome } from './welcome.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

let demo: DemoFile;
beforeAll(async () => {
  const { organizationId: id, keys } = await createTestShop(service.context);
  const staff = { email: 'owner@shop.example.com', password: 'lemon grove 7' };
  const shop = { id, name: 'Fern & Anchor', ...keys, publishableKey: '', origins: [], staff };
  demo = { ...urls, organizations: [shop] };
});

const urls = { baseUrl: 'http://127.0.0.1:8080', menuUrl: 'http://127.0.0.1:8081' };

/** The output at the end of a start with these settings. */
async function welcome(
  env: Record<string, string>,
  madeDemo = true,
  shops: DemoFile | null = demo,
): Promise<string> {
  const lines: string[] = [];
  await printWelcome({
    ...{ ...urls, demo: shops, context: service.context, madeDemo, readyAfterMs: 1_234 },
    config: loadConfig(env, '/nowhere'),
    say: (line) => void lines.push(line),
  });
  return lines.join('\n');
}

test('a start ends with the addresses, the keys, the sign-in and a ready-to-use request', async () => {
  const text = await welcome({});
  const [shop] = demo.organizations;
  expect(text).toContain('ready (1.2 s)');
  for (const part of [urls.baseUrl, urls.menuUrl, shop!.consumerKey, shop!.clientKey, 'lemon grove 7']) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/curl -s http:\/\/127\.0\.0\.1:8080\/api\/v1\/orders\/pricing/);
});

test('a start tells of the sandbox for tests, or how to get one, where sandboxes are allowed', async () => {
  const sandbox = {
    ...{ name: 'Corner Cart (sandbox)', origins: [] },
    ...{
      consumerKey: 'dcc_test_a',
      clientKey: 'dck_test_b',
      provenClientKey: 'dck_test_d',
      publishableKey: 'dcp_test_c',
    },
  };
  for (const madeDemo of [true, false]) {
    const text = await welcome({}, madeDemo, { ...demo, sandbox });
    expect(text).toMatch(
      /Sandbox, for tests: its keys are under "sandbox" .* node dispensary.mjs sandbox create --help/,
    );
    expect(text).not.toContain('dck_test_b');
    expect(await welcome({}, madeDemo)).toMatch(/Sandboxes, .* node dispensary.mjs sandbox create --help/);
    expect(await welcome({ SANDBOXES: 'off' }, madeDemo)).not.toMatch(/sandbox/i);
  }
  const staging = { DISPENSARY_ENVIRONMENT: 'staging', DEMO: 'off' };
  expect(await welcome(staging, false, null)).toMatch(/node dispensary.mjs sandbox create --help$/);
});

test('behind proxies, the output has the public URLs of both addresses', async () => {
  const env = { PUBLIC_URL: 'https://shop.example.com', PUBLIC_MENU_URL: 'https://menu.example.com' };
  const lines = (await welcome(env)).split('\n').map((line) => line.trim());
  const behind = (start: string) => lines[lines.findIndex((line) => line.startsWith(start)) + 1];
  expect(behind('Base address')).toBe('reached at https://shop.example.com');
  expect(behind('Menu address')).toBe('reached at https://menu.example.com');
});

test.each([
  ['worker', [], ['Base address', 'Console', 'Menu address', 'X-Client-Key', 'curl']],
  ['menu', ['Menu address'], ['Base address', 'Console', 'X-Client-Key', 'curl']],
  ['api', ['Base address', 'Console', 'X-Client-Key', 'curl'], ['Menu address']],
])(
  'a process with the roles %s prints the addresses where it listens, and no other',
  async (ROLES, there, not) => {
    const text = await welcome({ ROLES });
    expect(text).toMatch(new RegExp(`Parts +${ROLES}\n`));
    for (const part of there) expect(text).toContain(part);
    for (const part of not) expect(text).not.toContain(part);
  },
);

test('keys of the other environment are shown as invalid', async () => {
  const text = await welcome({ DISPENSARY_ENVIRONMENT: 'staging' });
  const [shop] = demo.organizations;
  expect(text).toContain(
    'The keys of the demo shops belong to the environment production and are refused in this one',
  );
  expect(text).not.toContain(shop!.clientKey);
  expect(text).not.toContain('orders/pricing');
  expect(text).toContain('lemon grove 7');
});

test('keys and passwords are shown once; later starts name their file', async () => {
  const text = await welcome({ DATA_DIR: '/srv/shop' }, false);
  const [shop] = demo.organizations;
  for (const secret of [shop!.consumerKey, shop!.clientKey, 'lemon grove 7']) {
    expect(text).not.toContain(secret);
  }
  expect(text).toContain(`Fern & Anchor (organization ${shop!.id})`);
  expect(text).toContain(
    `Their keys, and email and password of their owners: ${resolve('/srv/shop/demo.json')}`,
  );
});
