import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { seededKeys } from './seed-world.ts';
import { basic, foreignShop, line, receipt, secondShop, serve, shop } from './state-call.test-support.ts';
import { switches } from './state-switches.ts';

const facilities = 'GET /facilities/v2';
const active = 'GET /packages/v2/active';
const denied = { Message: 'Authorization has been denied for this request.' };

test.each([
  ['no header', {}],
  ['a wrong vendor key', { authorization: basic('x', seededKeys.user) }],
  ['a wrong user key', { authorization: basic(seededKeys.vendor, 'x') }],
  ['a header that is no Basic', { authorization: 'Bearer x' }],
])('%s is 401, with the same body on every route', async (_, headers) => {
  const { call } = await serve();
  for (const at of [facilities, active, 'DELETE /sales/v2/receipts/1', 'POST /sales/v2/receipts']) {
    expect(await call(at, { headers, body: at.startsWith('POST') ? [] : undefined })).toMatchObject({
      ...{ status: 401, body: denied },
    });
  }
});

test.each([
  ['message', denied],
  ['text', 'Unauthorized'],
  ['empty', undefined],
])('the body of a 401 is %s', async (form, body) => {
  const { call } = await serve({ 'auth-body': form });
  expect(await call(facilities, { user: 'x' })).toMatchObject({ status: 401, body });
  expect((await call('GET /nothing/v2')).status).toBe(404);
});

test.each(['400', '401'])('a missing license is %s by the switch', async (status) => {
  const { call } = await serve({ 'missing-license': status });
  expect((await call(active, { license: null })).status).toBe(Number(status));
  expect((await call(facilities, { license: null })).status).toBe(200);
});

test('the license of another owner is 401', async () => {
  const { call } = await serve();
  expect(await call(active, { license: foreignShop })).toMatchObject({ status: 401, body: denied });
});

test('a missing capability or right is 401 as with wrong keys, and the keys work on', async () => {
  const { call, server } = await serve();
  const body = [receipt([line('x')])];
  expect(await call('POST /sales/v2/receipts', { user: seededKeys.reader, body })).toMatchObject({
    ...{ status: 401, body: denied },
  });
  server.people('set-flags', { license: shop, flags: { AdvancedSales: false } });
  expect((await call('POST /sales/v2/receipts', { body })).status).toBe(401);
  server.people('set-vendor-rights', { vendorKey: seededKeys.vendor, rights: ['View Sales'] });
  expect((await call(active)).status).toBe(401);
  expect((await call(facilities)).status).toBe(200);
});

test('a vendor key that the state has not approved works in the sandbox only; an ended user key nowhere', async () => {
  const { call, server } = await serve();
  server.people('approve-vendor', { vendorKey: seededKeys.vendor, approved: false });
  expect((await call(facilities)).status).toBe(401);
  server.world.turn({ deployment: 'sandbox' });
  expect((await call(facilities)).status).toBe(200);
  server.people('end-user-key', { userKey: seededKeys.user });
  expect((await call(facilities)).status).toBe(401);
});

test('an empty array is refused before the right is', async () => {
  const { call } = await serve();
  const empty = await call('POST /sales/v2/receipts', { user: seededKeys.reader, body: [] });
  expect(empty).toMatchObject({
    status: 400,
    body: { Message: 'The request body must not be an empty array' },
  });
});

test('unknown paths are 404, wrong methods 405, sandbox routes 403 in production', async () => {
  const { call } = await serve();
  expect((await call('POST /packages/v2/receive', { body: [{}] })).status).toBe(404);
  expect((await call('POST /packages/v2/active', { body: [{}] })).status).toBe(405);
  expect((await call('GET /sandbox/v2/tagtypes')).status).toBe(403);
});

test('routes can be absent or removed by state or switch', async () => {
  const { call } = await serve();
  expect((await call('GET /employees/v2/permissions')).status).toBe(404);
  const missouri = await serve({}, { state: 'MO' });
  expect((await missouri.call('GET /retailid/v2/allotment')).status).toBe(404);
  expect((await missouri.call('GET /employees/v2/permissions')).status).toBe(200);
  const other = await serve({ 'absent-routes': 'GET /items/*', 'removed-routes': 'DELETE *' });
  expect((await other.call('GET /items/v2/active')).status).toBe(404);
  expect((await other.call('DELETE /sales/v2/receipts/1')).status).toBe(405);
});

test('paths work with and without a slash at the end', async () => {
  const { call } = await serve();
  expect((await call('GET /packages/v2/active/')).body).toEqual((await call(active)).body);
});

test.each([
  ['ignore', 200],
  ['exact', 400],
])('member names of requests: case %s', async (value, status) => {
  const { call, counted } = await serve({ 'member-case': value });
  const { Transactions, ...rest } = receipt([line(counted().label)]);
  const body = [{ ...rest, transactions: Transactions }];
  expect((await call('POST /sales/v2/receipts', { body })).status).toBe(status);
});

test.each([
  ['ignore', 200],
  ['400', 400],
])('unknown members of requests: %s', async (value, status) => {
  const { sell } = await serve({ 'unknown-member': value });
  expect((await sell({ Color: 'red' })).status).toBe(status);
});

test.each(['400', '500'])('a body that is no JSON is %s', async (value) => {
  const { call } = await serve({ 'bad-json': value });
  expect((await call('POST /sales/v2/receipts', { body: '[{' })).status).toBe(Number(value));
});

test('more than ten objects are 413, and nothing is written', async () => {
  const { call, server, counted } = await serve();
  const body = Array.from({ length: 11 }, () => receipt([line(counted().label)]));
  expect(await call('POST /sales/v2/receipts', { body })).toMatchObject({
    ...{ status: 413, body: { Message: expect.any(String) } },
  });
  expect(server.world.receipts.all()).toEqual([]);
});

test('the GETs of a license and of a key are counted, a second and at once; writes are not', async () => {
  const clock = new ManualClock(Date.parse('2026-03-06T18:00:00Z'));
  const { call, server } = await serve({ limits: '3/2/2/9' }, { clock });
  const statuses = async (at: string, count: number, license: string | null) => {
    const all: number[] = [];
    for (let n = 0; n < count; n += 1) all.push((await call(at, { license, body: undefined })).status);
    return all;
  };
  expect(await statuses(active, 4, shop)).toEqual([200, 200, 200, 429]);
  expect(await statuses(active, 1, secondShop)).toEqual([200]);
  expect(await statuses(facilities, 3, null)).toEqual([200, 200, 429]);
  expect((await call(facilities, { license: null })).headers.get('retry-after')).toBe('1');
  expect(await statuses('DELETE /sales/v2/receipts/1', 5, shop)).toEqual([401, 401, 401, 401, 401]);
  clock.advance(1_000);
  expect(await statuses(active, 1, shop)).toEqual([200]);

  clock.advance(1_000);
  server.faults.plan({ kind: 'hang', times: 2 });
  const hanging = [1, 2].map(() => call(active).catch(() => undefined));
  await server.whenHeld(2);
  expect(await statuses(active, 1, shop)).toEqual([429]);
  server.letGo();
  await Promise.all(hanging);
});

test('a 429 may lack Retry-After, and writes may be counted, by the switches', async () => {
  const { call } = await serve({
    ...{ limits: '0/0/9/9', 'retry-after-missing': 'yes', 'limit-writes': 'yes' },
  });
  expect((await call('DELETE /sales/v2/receipts/1')).status).toBe(429);
  expect((await call(active)).headers.get('retry-after')).toBeNull();
});

test('the facilities are those of the user, with every member of their type', async () => {
  const { call } = await serve();
  const { body } = await call(facilities, { license: null });
  expect(body.map((it: { License: { Number: string } }) => it.License.Number)).toEqual([shop, secondShop]);
  expect(Object.keys(body[0].FacilityType)).toHaveLength(96);
  expect(body[0].FacilityType).toMatchObject({ IsRetail: true, AdvancedSales: true, RetailerDelivery: true });
  expect((await call('GET /employees/v2')).body.Data[0]).toMatchObject({ FullName: 'R. Ames' });
});

test('the same seed makes the same world, another seed another one', async () => {
  const all = await Promise.all(
    ['a', 'a', 'b'].map(async (seed) => (await (await serve({}, { seed })).call(active)).body),
  );
  expect(all[0]).toEqual(all[1]);
  expect(all[0]).not.toEqual(all[2]);
});

test('each value of each switch has a test', () => {
  const folder = import.meta.dirname;
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const has = (word: string) => texts.includes(`'${word}'`) || texts.includes(`${word}:`);
  const untested = Object.entries(switches).flatMap(([name, { values }]) =>
    [name, ...values.slice(1)].filter((word) => !has(word)),
  );
  expect(untested).toEqual([]);
});
