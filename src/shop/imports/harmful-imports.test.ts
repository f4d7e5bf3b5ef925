import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyHeaders } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { type BuiltProgram, buildProgram, Deployment } from '../../../test/simulation/built-program.ts';
import { startSession } from '../../access/sessions/sessions.ts';
import { createStaff } from '../../access/staff/staff.ts';

/*
 * Files of one shop that would keep a program busy, beside the requests of another shop. The program is the built one, in a process
 * of its own.
 */

let built: BuiltProgram;
let deployment: Deployment;
let token = '';

beforeAll(async () => {
  built = await buildProgram();
  deployment = await Deployment.make(built, 'harmful', async (context) => {
    const { organizationId } = await createTestShop(context, { products: [] });
    const [owner] = await createStaff(context, testOrigin, organizationId, [
      { email: 'vale@shop.example.com', firstName: 'Vale', lastName: 'Roe', role: 'owner', password: null },
    ]);
    token = (await startSession(context, 'production', testOrigin, organizationId, owner!)).token;
  });
  await deployment.start();
}, 120_000);
afterAll(() => built.remove());

async function staff(method: string, path: string, body?: Buffer | object) {
  const isFile = Buffer.isBuffer(body);
  const reply = await fetch(`${deployment.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: data of several operations
  return (await reply.json()) as { data?: any; error?: { code: string; message: string } };
}

/** How long the other shop waits for the price of a cart, and a probe for its answer. */
async function waited({ keys }: TestShop): Promise<number> {
  const startedMs = performance.now();
  const [ready, priced] = await Promise.all([
    fetch(`${deployment.baseUrl}/readyz`),
    fetch(`${deployment.baseUrl}/api/v1/orders/pricing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(keys) },
      body: JSON.stringify(pickupBody(deployment.shop)),
    }),
  ]);
  expect([ready.status, priced.status]).toEqual([200, 200]);
  await Promise.all([ready.text(), priced.text()]);
  return performance.now() - startedMs;
}

const header = 'name,category,unit,strainType,amount,price,content,description';
const row = (at: number, description: string) => `Product ${at},Flower,gram,hybrid,1,$10,1,${description}`;
const rows = (count: number, description: string) =>
  Array.from({ length: count }, (_, at) => row(at, description));
const csv = (...lines: readonly string[]) => [header, ...lines].join('\n');
const cell = (unit: string) => unit.repeat(32_000 / unit.length);

const refusedRow = { status: 'checked', refused: 1 };
const unreadable = (message: RegExp) => ({
  code: 'INVALID_MENU_FILE',
  message: expect.stringMatching(message),
});

const worst: readonly (readonly [what: string, name: string, text: () => string, outcome: object])[] = [
  ['300 KB of opened tags', 'a.csv', () => csv(row(1, '<p '.repeat(100_000))), refusedRow],
  ['20,000 nested tags', 'b.csv', () => csv(row(1, '<b>'.repeat(20_000))), refusedRow],
  [
    'cells full of nested tags',
    'c.csv',
    () => csv(...rows(30, cell('<b>'))),
    { status: 'checked', created: 30 },
  ],
  [
    '100,000 columns',
    'd.csv',
    () => `${Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(',')}\n1`,
    unreadable(/100,000 columns; at most 500/),
  ],
  ['a list 400,000 deep', 'e.ndjson', () => `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, refusedRow],
  [
    'five million empty objects',
    'f.json',
    () => `[${'{},'.repeat(5_000_000)}{}]`,
    unreadable(/more than 320 MB of memory/),
  ],
  [
    'a quote that never ends',
    'g.csv',
    () => csv(`"${'a,b\n'.repeat(1_000_000)}`),
    unreadable(/more than 200,000 records/),
  ],
  [
    'one product of 50,000 rows',
    'h.csv',
    () => csv(...Array.from({ length: 50_000 }, (_, at) => `Product 1,Flower,gram,hybrid,${at + 1},$10,1,x`)),
    { status: 'checked', refused: 1 },
  ],
  [
    'lists of 500 options with 400 fields',
    'i.ndjson',
    () => wideOptions(15),
    { status: 'checked', refused: 15 },
  ],
];

function wideOptions(count: number): string {
  const fields = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, '1']));
  const list = Array<string>(500).fill('1');
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({ ...fields, name: `P${at}`, Options: list, Prices: list }),
  ).join('\n');
}

test.each(worst)(
  'beside a file with %s, other shops get prices and the program says that it is ready',
  async (_, name, text, outcome) => {
    const { shop } = deployment;
    const times: number[] = [];
    let isOver = false;
    const reading = importFile(name, Buffer.from(text())).finally(() => {
      isOver = true;
    });
    const look = async () => {
      times.push(await waited(shop));
      return isOver;
    };
    await expect.poll(look, { interval: 100, timeout: 100_000 }).toBe(true);
    expect(await reading).toMatchObject(outcome);
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(500);
    // On a machine that does much else.
    expect(times.at(-1)).toBeLessThan(3_000);
  },
  120_000,
);

const patience = { interval: 200, timeout: 100_000 };

/** Uploads, looks, checks and waits; resolves to what became of it. */
async function importFile(name: string, content: Buffer) {
  const uploaded = await staff('POST', `/staff/v1/menu-imports?fileName=${name}`, content);
  if (uploaded.error !== undefined) return uploaded.error;
  const path = `/staff/v1/menu-imports/${uploaded.data.id}`;
  await staff('GET', `${path}/look`);
  await staff('POST', `${path}/runs`, { mode: 'change', dryRun: true });
  await expect.poll(async () => (await staff('GET', path)).data.status, patience).not.toBe('checking');
  return (await staff('GET', path)).data;
}

test('after the program is killed in the middle of an import it is ready again, and the import fails with the reason', async () => {
  const { data: menu } = await staff(
    'POST',
    '/staff/v1/menu-imports?fileName=long.csv',
    Buffer.from(csv(...rows(25_000, 'A long menu.'))),
  );
  const path = `/staff/v1/menu-imports/${menu.id}`;
  await staff('POST', `${path}/runs`, { mode: 'change', dryRun: true });
  let state = (await staff('GET', path)).data;
  await expect.poll(async () => (await staff('GET', path)).data.products, patience).toBeGreaterThan(0);
  state = (await staff('GET', path)).data;
  expect(state.status).toBe('checking');
  await deployment.kill(true);
  await deployment.start();
  expect(await waited(deployment.shop)).toBeLessThan(5_000);
  await expect.poll(async () => (await staff('GET', path)).data.status, patience).toBe('failed');
  state = (await staff('GET', path)).data;
  expect(state).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/^The service ended in the middle/),
  });
  // The next run need not wait for the dead one.
  const again = await staff('POST', `${path}/runs`, { mode: 'change', dryRun: true });
  expect(again.data.status).toBe('checking');
  await expect.poll(async () => (await staff('GET', path)).data.products, patience).toBeGreaterThan(0);
  expect((await staff('POST', `${path}/cancel`)).data.status).toBe('canceled');
}, 180_000);
