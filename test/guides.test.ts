import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../src/kernel/clock.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { testWorker } from '../src/shop/webhooks/webhooks.test-support.ts';
import { startOwnTestService } from './harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from './harness/test-shop.ts';

const service = await startOwnTestService();
const { baseUrl } = await service.listen();
const folder = mkdtempSync(join(tmpdir(), 'guides-'));
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** How a program of the guides is run. */
function commandOf(shop: TestShop, program: string, args: readonly string[]) {
  return [
    process.execPath,
    ['--import', 'tsx', join('docs', 'examples', program), ...args],
    {
      cwd: projectFolder(),
      env: {
        ...process.env,
        DISPENSARY_URL: baseUrl,
        DISPENSARY_CONSUMER_KEY: shop.keys.consumerKey!,
        DISPENSARY_CLIENT_KEY: shop.keys.clientKey!,
      },
    },
  ] as const;
}

/** Runs a program of the guides, as they say. Resolves to what it prints. */
async function run(shop: TestShop, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(...commandOf(shop, program, args));
  return stdout;
}

async function place(shop: TestShop, name: string) {
  const customer = {
    firstName: name,
    lastName: 'Okafor',
    email: `${name.toLowerCase()}@customers.example.com`,
  };
  const body = deliveryBody(shop, { customer });
  const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data;
}

test('the program of "Keep a copy of orders" copies a shop, proves the copy and adds up its orders', async () => {
  const shop = await createTestShop(service.context);
  const orders = [await place(shop, 'Ada'), await place(shop, 'Ida')];
  const cents = orders.reduce((sum, order) => sum + order.customerGrandTotal, 0);
  const file = join(folder, 'copy.db');
  const first = await run(shop, 'keep-a-copy.ts', file);
  expect(first).toContain('from the beginning: no copy');
  expect(first).toContain(`The copy is exact.\nOrders that were not canceled: ${cents} cents`);
  const { customerGrandTotal } = await place(shop, 'Ada');
  const second = await run(shop, 'keep-a-copy.ts', file);
  expect(second).not.toContain('from the beginning');
  expect(second).toContain(`${cents + customerGrandTotal} cents`);
});

test('the program of "Handle a customer who wants to be forgotten" forgets, and moves what is merged', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const ids: Record<string, number> = {};
  for (const name of ['Ada', 'Ida', 'Noor']) {
    const { id } = await place(shop, name);
    const { data } = await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys });
    ids[name] = data.userId;
    const canceled = await owner.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Closed' });
    expect(canceled.error).toBeUndefined();
  }
  const { Ada, Ida, Noor } = ids;
  const [copy, notes] = [join(folder, 'forget.db'), join(folder, 'notes.json')];
  writeFileSync(notes, JSON.stringify({ [Ada!]: 'gummies', [Ida!]: 'vapes', [Noor!]: 'flower' }));
  expect(await run(shop, 'forget-customers.ts', copy, notes)).toBe('');
  await owner.call('POST', `/staff/v1/customers/${Ida}/merge`, { intoCustomerId: Ada });
  await owner.call('DELETE', `/staff/v1/customers/${Noor}`, {});
  const said = await run(shop, 'forget-customers.ts', copy, notes);
  expect(said).toContain(`${Ida} is ${Ada} now`);
  expect(said).toContain(`${Noor} is forgotten`);
  expect(JSON.parse(readFileSync(notes, 'utf8'))).toEqual({ [Ada!]: 'gummies; vapes' });
  expect(await run(shop, 'forget-customers.ts', copy, notes)).toBe('');
});

test('the program of "Know when an order is ready" tells of each order when it is packed, by webhooks', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const [ready, never, early] = [
    await place(shop, 'Ada'),
    await place(shop, 'Ida'),
    await place(shop, 'Noor'),
  ];
  const step = async (order: { id: string }, action: string, body: object = {}) => {
    const { error } = await owner.call('POST', `/staff/v1/orders/${order.id}/${action}`, body);
    expect(error).toBeUndefined();
  };
  const accept = async (order: { id: string; status: string }) => {
    if (order.status === 'draft') await step(order, 'accept');
  };
  await accept(early);
  await step(early, 'pack');
  // A receiver compares the time of a message with its own clock.
  const worker = testWorker(service, { context: { ...service.context, clock: systemClock } }).start();
  const program = spawn(...commandOf(shop, 'tell-when-ready.ts', [ready.id, never.id, early.id]));
  const said = { out: '', err: '' };
  program.stdout.on('data', (text) => {
    said.out += text;
  });
  program.stderr.on('data', (text) => {
    said.err += text;
  });
  const ended = once(program, 'close');
  try {
    await expect.poll(() => said.out + said.err, { timeout: 60_000 }).toContain('Waiting for 2');
    expect(said.out).toContain(`${early.id} is ready`);
    await accept(ready);
    await step(ready, 'pack');
    await step(never, 'cancel', { reason: 'Closed' });
    expect([await ended, said.err]).toEqual([[0, null], '']);
  } finally {
    program.kill('SIGKILL');
    await worker.stop();
  }
  expect(said.out.split('\n').slice(2).sort()).toEqual(
    ['', `${never.id} is canceled`, `${ready.id} is ready`].sort(),
  );
  const { data } = await service.call('GET', '/api/v1/webhook-endpoints', { keys: shop.keys });
  expect([data, service.faults]).toEqual([[], []]);
});

test('the program of "Webhooks" takes a genuine event once, and refuses a forged or an old one', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const program = spawn(
    process.execPath,
    ['--import', 'tsx', join('docs', 'examples', 'receive-events.ts')],
    {
      cwd: projectFolder(),
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    },
  );
  try {
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await lines.next()).value;
    const port = /port (\d+)/.exec(await next())![1];
    const send = async (id: string, at: Date, signedBy = secret) => {
      const body = JSON.stringify({ type: 'order.packed', timestamp: at, data: { resource: { id } } });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(signedBy).sign(id, at, body),
      };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
    };
    const now = new Date();
    expect(await send('one', now)).toBe(204);
    expect(await send('one', now)).toBe(204);
    expect(await send('old', new Date(now.getTime() - 600_000))).toBe(400);
    expect(await send('forged', now, `whsec_${randomBytes(32).toString('base64')}`)).toBe(400);
    expect(await send('two', now)).toBe(204);
    expect([await next(), await next()]).toEqual(['order.packed {"id":"one"}', 'order.packed {"id":"two"}']);
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});
