import { expect, test } from 'vitest';
import type { Fault } from './fault-plan.ts';
import { type Caller, line, receipt, secondShop, serve, shop } from './state-call.test-support.ts';
import { switches } from './state-switches.ts';

const post = 'POST /sales/v2/receipts';
const active = 'GET /packages/v2/active';

const written = ({ server }: Caller): number => server.world.receipts.all().length;

/** Status of a sale; null: no reply came. */
async function sale(caller: Caller, fault: Fault): Promise<number | null> {
  caller.server.faults.plan(fault);
  const stop = new AbortController();
  const body = [receipt([line(caller.counted().label)])];
  const answer = caller.call(post, { body, signal: stop.signal }).then(
    ({ status }) => status,
    () => null,
  );
  if (!fault.kind.endsWith('hang')) return answer;
  await caller.server.whenHeld(1);
  stop.abort();
  return answer;
}

test.each([
  ['commit-then-hang', null, 1],
  ['commit-then-500', 500, 1],
  ['commit-then-close', null, 1],
  ['commit-then-cut', 200, 1],
  ['hang', null, 0],
  ['close', null, 0],
  ['status', 500, 0],
  ['html', 503, 0],
  ['internal-400', 400, 0],
  ['double-write', 200, 2],
] as const)('%s: the reply and what was written', async (kind, status, count) => {
  const caller = await serve();
  expect([await sale(caller, { kind, at: post }), written(caller)]).toEqual([status, count]);
  // It hits once.
  expect((await caller.sell()).status).toBe(200);
});

test.each([401, 413, 429, 500, 502, 503, 504])(
  'a planned %i comes with its message or Retry-After',
  async (status) => {
    const { call, server } = await serve();
    server.faults.plan({ kind: 'status', status, ...(status === 429 && { retryAfter: 7 }) });
    const answer = await call(active);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 429 ? '7' : null]);
  },
);

test('an outage is the HTML page of a gateway until its end', async () => {
  const { call, server } = await serve();
  server.faults.plan({ kind: 'html', untilMs: server.world.nowMs() + 3_600_000 });
  for (const at of [active, active, 'GET /facilities/v2']) {
    const { status, headers, body } = await call(at);
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html']);
    expect(body).toContain('<html>');
  }
  server.advance(3_600);
  expect((await call(active)).status).toBe(200);
});

test('an internal fault comes on some instances only, as a 400 with a message, and reads work', async () => {
  const caller = await serve();
  caller.server.faults.plan({ kind: 'internal-400', share: 0.5, times: 1_000 });
  const answers = [];
  for (let count = 0; count < 12; count += 1) answers.push(await caller.sell());
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(12);
  expect(refused[0]!.body).toEqual({ Message: expect.stringContaining('assembly') });
  expect((await caller.call(active)).status).toBe(200);
});

test('lists can lack rows, have them twice, or move between two pages', async () => {
  const { call, server } = await serve();
  const page = async (number: number): Promise<number[]> =>
    (await call(`${active}?pageNumber=${number}&pageSize=20`)).body.Data.map((it: { Id: number }) => it.Id);
  const whole = [...(await page(1)), ...(await page(2))];
  server.faults.plan({ kind: 'partial-list' });
  expect(await page(1)).toHaveLength(12);
  server.faults.plan({ kind: 'double-rows' });
  const doubled = await page(1);
  expect(new Set(doubled).size).toBeLessThan(doubled.length);
  server.world.turn({ order: 'modified-asc' });
  server.faults.plan({ kind: 'moving-pages' });
  const moved = [...(await page(1)), ...(await page(2))];
  expect(moved).toHaveLength(whole.length);
  expect(new Set(moved).size).toBeLessThan(whole.length);
});

test('a fault waits for its route, license and turn', async () => {
  const { call, server } = await serve();
  server.faults.plan({ kind: 'status', at: '* /packages/*', license: secondShop, after: 1, times: 2 });
  const statuses = [];
  for (const license of [shop, secondShop, secondShop, secondShop, secondShop]) {
    statuses.push((await call(active, { license })).status);
  }
  expect([...statuses, (await call('GET /items/v2/active', { license: secondShop })).status]).toEqual([
    ...[200, 200, 500, 500, 200],
    200,
  ]);
});

test('people edit, void, adjust, finish and add at any time', async () => {
  const caller = await serve();
  const { call, server, counted } = caller;
  const id = (await caller.sell()).body.Ids[0];
  server.people('edit-receipt', { id, members: { SalesDateTime: '2026-03-06T08:00:00.000' } });
  server.people('finalize-receipt', { id });
  expect((await call(`GET /sales/v2/receipts/${id}`)).body).toMatchObject({
    ...{ SalesDateTime: '2026-03-06T08:00:00.000', IsFinal: true },
  });
  server.people('unfinalize-receipt', { id });
  server.people('void-receipt', { id });
  expect((await call(`GET /sales/v2/receipts/${id}`)).body.ArchivedDate).toBe('2026-03-06');
  const { label } = counted();
  server.people('adjust-package', { label, quantity: 0, reason: 'Theft', note: 'door' });
  server.people('finish-package', { label });
  expect((await call(`GET /packages/v2/${label}`)).body).toMatchObject({ Quantity: 0, IsFinished: true });
  server.people('unfinish-package', { label });
  server.people('add-package', { license: shop, item: 'Fern Valley Flower', quantity: 28 });
  expect((await call(active)).body.Total).toBe(25);
});

test('a demo adds a shop with its key, an item and a package', async () => {
  const { call, server } = await serve();
  const license = 'DEMO-1';
  server.people('add-facility', { license, name: 'Corner Cart' });
  server.people('add-user-key', { userKey: 'demo', name: 'O. Reed', licenses: [license] });
  server.people('add-item', { license, name: 'Rosin', category: 'Concentrate (Each)', unit: 'Each' });
  server.people('add-package', { license, item: 'Rosin', quantity: 12, label: '1A4FF0100000DEMO00000001' });
  const { body } = await call(active, { license, user: 'demo' });
  expect(body.Data).toMatchObject([
    { Label: '1A4FF0100000DEMO00000001', Quantity: 12, LocationName: 'Sales Floor' },
  ]);
});

/** A call of the control side. */
const control = async (caller: Caller, at: string, body?: unknown) => {
  const { status, body: read } = await caller.call(at, { license: null, headers: {}, body });
  return [status, read];
};

test('switches, faults, the clock, people, the true state and the calls are at hand over HTTP', async () => {
  const caller = await serve({ lag: '10' });
  const [, all] = await control(caller, 'GET /control/switches');
  expect(all).toHaveLength(Object.keys(switches).length);
  expect(await control(caller, 'PUT /control/switches', { order: 'random' })).toMatchObject([
    200,
    { order: 'random' },
  ]);
  expect(await control(caller, 'PUT /control/switches', { order: 'up' })).toMatchObject([
    ...[400, { message: 'order: one of id-asc, modified-asc, modified-desc, random.' }],
  ]);
  const until = '2026-03-06T19:00:00Z';
  await control(caller, 'POST /control/faults', { kind: 'status', status: 500, until });
  expect((await caller.sell()).status).toBe(500);
  expect(await control(caller, 'GET /control/faults')).toMatchObject([200, [{ hits: 1 }]]);
  expect((await control(caller, 'POST /control/faults', { kind: 'x' }))[0]).toBe(400);
  await control(caller, 'DELETE /control/faults');
  const id = (await caller.sell()).body.Ids[0];
  expect(await control(caller, 'GET /control/state')).toMatchObject([200, { receipts: [{ id }] }]);
  await control(caller, 'POST /control/people/void-receipt', { id });
  expect((await control(caller, 'POST /control/people/burn', {}))[0]).toBe(400);
  expect(await control(caller, 'PUT /control/clock', { advanceSeconds: 60 })).toEqual([
    ...[200, { now: '2026-03-06T18:01:00.000Z', stands: true }],
  ]);
  expect(await control(caller, 'PUT /control/clock', { now: until, stands: false })).toMatchObject([
    ...[200, { stands: false }],
  ]);
  expect(await control(caller, 'POST /control/webhooks', {})).toEqual([200, { sent: 0 }]);
  const [, calls] = await control(caller, 'GET /control/calls');
  expect(calls.at(-1)).toMatchObject({ method: 'POST', status: 200 });
  expect((await control(caller, 'GET /control'))[1].people['void-receipt']).toEqual({ id: 'int!' });
  expect((await control(caller, 'GET /control/nothing'))[0]).toBe(404);
});
