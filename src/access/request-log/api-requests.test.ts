import { afterAll, beforeEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { ApiRequests } from './api-requests.ts';
import { purgeApiRequests } from './purge-api-requests.ts';

const service = await startOwnTestService();
const { context, clock, apiRequests, call } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const owner = await service.staff(shop);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
beforeEach(async () => {
  await apiRequests.write();
  clock.advance(1000);
  for (const { organizationId } of [shop, other]) {
    for (const table of ['batches', 'marks', 'kinds']) {
      await witness.query(`delete from api_request_${table}`, [], organizationId);
    }
  }
});

const { keys } = shop;
const listed = async (query: Record<string, string | number> = {}) => {
  await apiRequests.write();
  const { data } = await owner.call('GET', '/staff/v1/api-requests', undefined, { query });
  return data as Record<string, unknown>[];
};
const loggedIds = async () => {
  const sql = 'select unnest(request_ids) as id from api_request_batches order by last_at_ms, id';
  return (await witness.query(sql, [], shop.organizationId)).map(({ id }) => id);
};
const statuses = async (query: Record<string, string | number>) =>
  (await listed(query)).map(({ status }) => status);

test('shows path, outcome and duration of a request, and no sent data', async () => {
  const headers = { 'x-request-id': 'web-4711' };
  const body = pickupBody(shop, { lineItems: [{ productOptionId: 999_999_999, quantity: 1 }] });
  await call('POST', '/api/v1/orders', { keys, body, headers });
  await call('GET', '/api/v1/customers', { keys, query: { search: 'marisol@customers.example.com' } });
  const [second, first] = await listed();
  expect(first).toEqual({
    id: expect.stringMatching(/^\d+-\d+-\d+$/),
    at: new Date(clock.now()).toISOString(),
    integratorId: shop.integrator.id,
    integratorName: shop.integrator.name,
    clientKeyId: shop.clientKeyId,
    method: 'POST',
    pathTemplate: '/api/v1/orders',
    path: '/api/v1/orders',
    status: expect.any(Number),
    code: 'PRODUCT_OPTION_NOT_FOUND',
    ms: expect.any(Number),
    requestId: 'web-4711',
    message: expect.stringMatching(/^lineItems\[0\]\.productOptionId must be .* no option 999999999\.$/),
    operation: 'placeOrder',
    referencePath: '/docs/#tag/orders/POST/api/v1/orders',
    keyPrefix: expect.stringMatching(/^dck_live_\w{4}$/),
    keyProblem: null,
  });
  expect(second).toMatchObject({ path: '/api/v1/customers', status: 200, code: null });
  const rows = await witness.query(
    'select b::text as text from api_request_batches b',
    [],
    shop.organizationId,
  );
  for (const { text } of rows) expect(text).not.toMatch(/marisol|example\.com/i);
});

test('shows every request with the id of its reply, generated or sent by the caller, alone or mixed', async () => {
  const callWith = async (headers: Record<string, string>) =>
    (await call('GET', '/api/v1/customers', { keys, headers })).headers['x-request-id'];
  const rounds = [[{}, {}, {}], [{ 'x-request-id': 'web-1' }], [{}, { 'x-request-id': 'web-2' }, {}]];
  const told: unknown[] = [];
  for (const round of rounds) {
    for (const headers of round) told.push(await callWith(headers));
    await apiRequests.write();
    clock.advance(1000);
  }
  expect((await listed()).map(({ requestId }) => requestId)).toEqual(told.reverse());
});

test('finds requests by shared and by individual values', async () => {
  for (const path of ['/api/v1/customers', '/api/v1/customers', '/api/v1/orders', '/api/v1/customers/4711']) {
    await call('GET', path, { keys });
  }
  const pathsOf = async (query: Record<string, string | number>) =>
    (await listed(query)).map(({ path }) => path);
  expect(await pathsOf({ path: '/api/v1/customers' })).toEqual([
    '/api/v1/customers/4711',
    '/api/v1/customers',
    '/api/v1/customers',
  ]);
  expect(await pathsOf({ path: '/api/v1/orders' })).toEqual(['/api/v1/orders']);
  await call('GET', '/api/v1/customers', { keys });
  clock.advance(1000);
  expect(await pathsOf({ path: '/api/v1/orders' })).toEqual(['/api/v1/orders']);
});

test('shows ids in paths, and hides other text', async () => {
  await call('GET', '/api/v1/customers/4711', { keys });
  await call('GET', '/api/v1/customers/marisol@customers.example.com', { keys });
  expect((await listed()).map(({ path }) => path)).toEqual([
    '/api/v1/customers/{customerId}',
    '/api/v1/customers/4711',
  ]);
});

test.each([
  { what: 'all equal', paths: ['whoami', 'whoami', 'whoami'] },
  { what: 'a different one second', paths: ['whoami', 'organization', 'whoami'] },
  { what: 'different ones last', paths: ['whoami', 'whoami', 'organization', 'customers/12', 'whoami'] },
])('requests that are written together keep their own paths: $what', async ({ paths }) => {
  for (const path of paths) await call('GET', `/api/v1/${path}`, { keys });
  const ofStatus = async (query: object) => (await listed({ ...query })).map(({ path }) => path);
  const isRefused = (path: string) => path === 'customers/12';
  const inOrder = (sent: readonly string[]) => sent.toReversed().map((path) => `/api/v1/${path}`);
  expect(await ofStatus({ status: '2xx' })).toEqual(inOrder(paths.filter((path) => !isRefused(path))));
  expect(await ofStatus({ status: '4xx' })).toEqual(inOrder(paths.filter(isRefused)));
});

test('is found by integrator, key, status, class of statuses, code, path and time', async () => {
  await call('GET', '/api/v1/whoami', { keys });
  clock.advance(60_000);
  const midway = new Date(clock.now()).toISOString();
  await call('GET', '/api/v1/orders/nothing/detail', { keys });
  await call('POST', '/api/v1/orders', { keys, body: {} });
  expect(await statuses({})).toEqual([400, 404, 200]);
  expect(await statuses({ status: '4xx' })).toEqual([400, 404]);
  expect(await statuses({ status: '404' })).toEqual([404]);
  expect(await statuses({ status: '2xx' })).toEqual([200]);
  expect(await statuses({ status: '5xx' })).toEqual([]);
  expect(await statuses({ code: 'ORDER_NOT_FOUND' })).toEqual([404]);
  expect(await statuses({ path: '/api/v1/orders' })).toEqual([400, 404]);
  expect(await statuses({ path: '/api/v1/orders/{' })).toEqual([404]);
  expect(await statuses({ integratorId: shop.integrator.id })).toEqual([400, 404, 200]);
  expect(await statuses({ integratorId: shop.integrator.id, status: '4xx' })).toEqual([400, 404]);
  expect(await statuses({ integratorId: other.integrator.id })).toEqual([]);
  expect(await statuses({ clientKeyId: shop.clientKeyId })).toEqual([400, 404, 200]);
  expect(await statuses({ clientKeyId: other.clientKeyId })).toEqual([]);
  expect(await statuses({ from: midway })).toEqual([400, 404]);
  expect(await statuses({ to: midway })).toEqual([200]);
  const refused = await owner.call('GET', '/staff/v1/api-requests?status=4x');
  expect([refused.status, refused.error?.message]).toEqual([400, expect.stringContaining('status')]);
});

test('pages list every request once, also many of the same instant', async () => {
  for (let count = 0; count < 120; count++) await call('GET', '/api/v1/whoami', { keys });
  const seen: unknown[] = [];
  for (let page = await listed(); page.length > 0; ) {
    seen.push(...page.map(({ id }) => id));
    page = await listed({ startingAfter: String(page.at(-1)!.id) });
  }
  expect(seen.length).toBe(120);
  expect(new Set(seen).size).toBe(120);
});

const callerOf = ({ organizationId, clientKeyId, integrator }: typeof shop) => ({
  organizationId,
  clientKeyId,
  integratorId: integrator.id,
  integratorName: integrator.name,
  permissions: new Set<never>(),
  origins: null,
  strict: false,
  rateLimitPerSecond: { menu: 4, other: 15 },
});
const noted = (requestId: string) =>
  ({
    caller: callerOf(shop),
    routeId: 'whoami',
    url: '/api/v1/whoami',
    method: 'GET',
    status: 200,
    errorCode: undefined,
    ms: 1,
    requestId,
  }) as const;

test('no entry is lost when requests wait longer than a batch lasts, or the clock is set back', async () => {
  for (const ms of [0, 59_999, 1, 1, -5000, 60_001]) {
    clock.advance(ms);
    apiRequests.note(noted(`at ${ms}`));
  }
  expect((await listed()).map(({ requestId }) => requestId)).toEqual([
    'at 60001',
    'at 1',
    'at 1',
    'at 59999',
    'at -5000',
    'at 0',
  ]);
});

test('pages of each query are complete and in the order of time across the batches of several keys', async () => {
  const kinds: readonly { query: Record<string, string | number>; isOfPage: (moment: number) => boolean }[] =
    [
      { query: {}, isOfPage: () => true },
      { query: { integratorId: shop.integrator.id }, isOfPage: () => true },
      { query: { clientKeyId: shop.clientKeyId }, isOfPage: (moment) => moment % 3 === 0 },
      { query: { status: '409' }, isOfPage: (moment) => moment % 2 === 1 },
      {
        query: { status: '409', path: '/api/v1/orders', clientKeyId: shop.clientKeyId },
        isOfPage: (moment) => moment % 6 === 3,
      },
      { query: { path: '/api/v1/orders/7/detail' }, isOfPage: (moment) => moment % 11 === 7 },
    ];
  const moments = Array.from({ length: 4500 }, (_, moment) => moment);
  for (const moment of moments) {
    clock.advance(5);
    // Six batches of the same time, more than are read at first: some pages end where others are still unread.
    const caller = { ...callerOf(shop), clientKeyId: shop.clientKeyId + (moment % 3) };
    const url = `/api/v1/orders/${moment % 11}/detail`;
    const status = moment % 2 === 0 ? 200 : 409;
    apiRequests.note({ ...noted(`${moment}`), routeId: 'getOrder', url, caller, status });
  }
  for (const { query, isOfPage } of kinds) {
    const seen: unknown[] = [];
    for (let rows = await listed(query); rows.length > 0; ) {
      seen.push(...rows.map(({ requestId }) => requestId));
      rows = await listed({ ...query, startingAfter: String(rows.at(-1)!.id) });
    }
    expect([query, seen]).toEqual([query, moments.filter(isOfPage).map(String).toReversed()]);
  }
});

test('a rare match is found behind many other requests', async () => {
  apiRequests.note({ ...noted('rare'), routeId: 'getOrder', url: '/api/v1/orders/4711/detail' });
  for (let count = 0; count < 5000; count++) {
    if (count % 500 === 0) clock.advance(100);
    apiRequests.note(noted('usual'));
  }
  const found = async (path: string) => (await listed({ path })).map(({ requestId }) => requestId);
  for (const path of [
    '/api/v1/ord',
    '/api/v1/orders/{orderId}/d',
    '/api/v1/orders/4711',
    '/api/v1/orders/4711/detail',
  ]) {
    expect([path, await found(path)]).toEqual([path, ['rare']]);
  }
  // An id is given in full.
  for (const path of ['/api/v1/orders/471', '/api/v1/orders/4711/status', '/api/v1/orders/4712', '/zz']) {
    expect([path, await found(path)]).toEqual([path, []]);
  }
});

test('a batch with many ids is found by each of them, and is marked by a few rows', async () => {
  const orderUrl = (id: number) => `/api/v1/orders/${id}/detail`;
  for (let id = 1; id <= 300; id++) {
    apiRequests.note({ ...noted(`order ${id}`), routeId: 'getOrder', url: orderUrl(id) });
    apiRequests.note({
      ...noted(`customer ${id % 2}`),
      routeId: 'getCustomer',
      url: `/api/v1/customers/${id % 2}`,
    });
  }
  apiRequests.note({ ...noted('again'), routeId: 'getOrder', url: orderUrl(7) });
  await apiRequests.write();
  clock.advance(1000);
  apiRequests.note({ ...noted('alone'), routeId: 'getOrder', url: orderUrl(7) });
  const found = async (path: string) => (await listed({ path })).map(({ requestId }) => requestId);
  expect(await found(orderUrl(7))).toEqual(['alone', 'again', 'order 7']);
  for (let id = 1; id <= 300; id += 23) {
    if (id !== 7) expect(await found(`/api/v1/orders/${id}`)).toEqual([`order ${id}`]);
  }
  expect((await found('/api/v1/customers/1')).length).toBe(50);
  expect(await found('/api/v1/orders/301')).toEqual([]);
  const marks = 'select count(*)::integer as count from api_request_marks';
  // Two kinds with their filters, and the kind and the id of the batch with one.
  expect(await witness.query(marks, [], shop.organizationId)).toEqual([{ count: 6 }]);
});

test.each([
  '',
  '1',
  'x-1-1',
  '1-1',
  '9999999999999-1-1',
  '1772384709123-9007199254740993-1',
  '1-1-0',
  '1-1-99999',
  '--',
])('refuses the cursor %j', async (startingAfter) => {
  const reply = await owner.call('GET', '/staff/v1/api-requests', undefined, { query: { startingAfter } });
  expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_CURSOR']);
});

test('requests without valid keys and those of staff are not logged', async () => {
  await call('GET', '/api/v1/whoami');
  await call('GET', '/api/v1/nothing', { keys });
  await owner.call('GET', '/staff/v1/me');
  expect(await listed()).toEqual([]);
});

test('health counts the last 24 hours of each integrator that has a key', async () => {
  const health = async () => {
    await apiRequests.write();
    return (await owner.call('GET', '/staff/v1/integrators/health')).data;
  };
  const noRequests = { requests: 0, succeeded: 0, refused: 0, failed: 0, medianMs: null, p95Ms: null };
  const { id: integratorId, name: integratorName } = shop.integrator;
  expect(await health()).toEqual([
    { integratorId, integratorName, ...noRequests, lastRequestAt: null, state: 'silent' },
  ]);
  const [caller, routeId, url] = [callerOf(shop), 'whoami', '/api/v1/whoami'];
  for (const [index, status] of [200, 201, 204, 404, 429, 499, 500, 503].entries()) {
    const ms = (index + 1) * 10;
    apiRequests.note({
      caller,
      routeId,
      url,
      method: 'GET',
      status,
      errorCode: undefined,
      ms,
      requestId: 'r',
    });
  }
  const lastRequestAt = new Date(clock.now()).toISOString();
  const counted = { requests: 8, succeeded: 3, refused: 3, failed: 2, medianMs: 40, p95Ms: 80 };
  expect(await health()).toEqual([
    { integratorId, integratorName, ...counted, lastRequestAt, state: 'failing' },
  ]);
  clock.advance(25 * 3_600_000);
  const late = await service.staff(shop);
  expect((await late.call('GET', '/staff/v1/integrators/health')).data).toEqual([
    { integratorId, integratorName, ...noRequests, lastRequestAt, state: 'silent' },
  ]);
});

test('writes any number at once, and does not invalidate caches of prices and menus', async () => {
  const { database } = context;
  const before = database.commitCount(shop.organizationId);
  for (let count = 0; count < 3500; count++) apiRequests.note(noted(`many-${count}`));
  await apiRequests.write();
  const written = await witness.query(
    'select request_count, cardinality(request_ids) as ids from api_request_batches order by id',
    [],
    shop.organizationId,
  );
  expect(written.map(({ request_count, ids }) => [request_count, ids])).toEqual([
    [1000, 1000],
    [1000, 1000],
    [1000, 1000],
    [500, 500],
  ]);
  expect(database.commitCount(shop.organizationId)).toBe(before);
});

test('entries beyond the queue, and failed writes, are counted and logged, and stop nothing', async () => {
  const log = new ApiRequests(context, service.endpoints);
  for (let count = 0; count < 20_010; count++) log.note(noted('r'));
  expect(log.statistics).toEqual({ written: 0, dropped: 10 });
  await witness.query('alter table api_request_batches rename to api_requests_away');
  const said: unknown[] = [];
  const logger = { warn: (fields: unknown) => void said.push(fields) };
  await log.write(logger as never);
  await witness.query('alter table api_requests_away rename to api_request_batches');
  expect(log.statistics).toEqual({ written: 0, dropped: 20_010 });
  expect(said).toEqual([expect.objectContaining({ count: 20_000 })]);
  log.note(noted('again'));
  await log.write();
  expect(log.statistics).toEqual({ written: 1, dropped: 20_010 });
});

test('waiting entries are written when the log is stopped', async () => {
  const log = new ApiRequests(context, service.endpoints);
  const writing = log.start({} as never);
  log.note(noted('the last one'));
  await writing.stop();
  expect(await loggedIds()).toEqual(['the last one']);
});

test('a long queue is written at once, before its interval ends', async () => {
  const taken: number[] = [];
  const take = (count: number) => {
    taken.push(count);
    return context.ids.take(count);
  };
  const log = new ApiRequests({ ...context, ids: { ...context.ids, take } as never }, service.endpoints);
  const writing = log.start({} as never);
  for (let count = 0; count < 4999; count++) log.note(noted('r'));
  expect(taken).toEqual([]);
  log.note(noted('r'));
  expect(taken).toEqual([5]);
  await writing.stop();
  expect(log.statistics).toEqual({ written: 5000, dropped: 0 });
});

test('is kept for 30 days', async () => {
  const day = 24 * 3_600_000;
  apiRequests.note(noted('old'));
  await apiRequests.write();
  clock.advance(day);
  apiRequests.note(noted('younger'));
  await apiRequests.write();
  clock.advance(29 * day);
  const purge = () => purgeApiRequests(context, shop.organizationId);
  expect(await purge()).toEqual({ pruned: 0, hasMore: false });
  clock.advance(1);
  expect(await purge()).toEqual({ pruned: 1, hasMore: false });
  expect(await loggedIds()).toEqual(['younger']);
  const marks = `select m.mark = any(b.marks) as of_batch from api_request_marks m, api_request_batches b
                  where m.organization_id = $1 and b.organization_id = $1`;
  const ofShop = [shop.organizationId];
  expect(await witness.query(marks, ofShop, shop.organizationId)).toEqual([{ of_batch: true }]);
  const kinds = async () =>
    (await witness.query('select 1 from api_request_kinds', [], shop.organizationId)).length;
  expect(await kinds()).toBeGreaterThan(0);
  clock.advance(61 * day);
  await purge();
  expect(await kinds()).toBe(0);
});
