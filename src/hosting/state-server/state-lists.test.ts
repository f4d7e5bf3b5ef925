import { expect, test } from 'vitest';
import { type Caller, line, serve, shop } from './state-call.test-support.ts';

const active = 'GET /packages/v2/active';
const receipts = 'GET /sales/v2/receipts/active';
const day = 'lastModifiedStart=2026-03-05T18:00:00Z&lastModifiedEnd=2026-03-06T18:00:00Z';

interface Row {
  readonly Id: number;
  readonly LastModified: string;
}

const ids = (body: { Data: Row[] } | Row[]): number[] =>
  (Array.isArray(body) ? body : body.Data).map(({ Id }) => Id);

/** A world with 24 active packages in the first shop, of which five changed in the last day. */
const list = async (caller: Caller, query: string) => (await caller.call(`${active}?${query}`)).body;

test('pages have all eight members, and beyond the last page there are no rows', async () => {
  const { call } = await serve();
  const first = (await call(`${active}?pageNumber=1&pageSize=20`)).body;
  expect(first).toMatchObject({
    ...{
      Total: 24,
      TotalRecords: 24,
      PageSize: 20,
      RecordsOnPage: 20,
      Page: 1,
      CurrentPage: 1,
      TotalPages: 2,
    },
  });
  const second = (await call(`${active}?pageNumber=2&pageSize=20`)).body;
  expect(new Set([...ids(first), ...ids(second)]).size).toBe(24);
  const beyond = await call(`${active}?pageNumber=3&pageSize=20`);
  expect(beyond).toMatchObject({ status: 200, body: { Data: [], Total: 24, RecordsOnPage: 0, Page: 3 } });
});

test('an empty list has a page size and a number of pages of 0, with and without pages', async () => {
  const { call } = await serve();
  for (const query of ['', '?pageNumber=1&pageSize=20']) {
    expect((await call(`${receipts}${query}`)).body).toEqual({
      ...{ Data: [], Total: 0, TotalRecords: 0, PageSize: 0, RecordsOnPage: 0, Page: 1, CurrentPage: 1 },
      TotalPages: 0,
    });
  }
});

test.each([
  ['all', (body: { Data: Row[] }) => [body.Data.length]],
  ['first-20', (body: { Data: Row[]; Total: number }) => [body.Data.length, body.Total]],
  ['bare-array', (body: Row[]) => [body.length]],
])('without pageSize: %s', async (value, shape) => {
  const { call } = await serve({ 'no-page': value });
  const expected = { all: [24], 'first-20': [20, 24], 'bare-array': [24] }[value];
  expect(shape((await call(active)).body)).toEqual(expected);
});

test.each([
  ['400', 400],
  ['clamp', 200],
])('pageSize above 20: %s', async (value, status) => {
  const { call } = await serve({ 'oversize-page': value });
  const answer = await call(`${active}?pageNumber=1&pageSize=21`);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.body.PageSize).toBe(20);
});

test.each([
  ['400', 400],
  ['first', 200],
])('pageNumber 0: %s', async (value, status) => {
  const { call } = await serve({ 'page-zero': value });
  expect((await call(`${active}?pageNumber=0&pageSize=20`)).status).toBe(status);
});

test('lists of words are bare arrays, whatever pages are asked for', async () => {
  const { call } = await serve();
  for (const path of [
    ...['facilities/v2', 'unitsofmeasure/v2/active', 'wastemethods/v2', 'sales/v2/customertypes'],
    ...['sales/v2/patientregistration/locations', 'packages/v2/types', 'labtests/v2/states'],
    ...['transfers/v2/deliveries/packages/states', 'tags/v2/package/available', 'tags/v2/staged'],
    'patients/v2/statuses/P-1001',
  ]) {
    const { body } = await call(`GET /${path}?pageNumber=1&pageSize=1`);
    expect([path, Array.isArray(body)]).toEqual([path, true]);
  }
  expect((await call('GET /unitsofmeasure/v2/active')).body).toHaveLength(11);
  expect((await call('GET /labtests/v2/states')).body).toHaveLength(14);
});

test('categories, counties, reasons and types come in envelopes', async () => {
  const { call } = await serve();
  for (const path of [
    ...['items/v2/categories', 'items/v2/brands', 'sales/v2/counties', 'sales/v2/deliveries/returnreasons'],
    ...['packages/v2/adjust/reasons', 'transfers/v2/types', 'locations/v2/types', 'labtests/v2/types'],
    'labtests/v2/batches',
  ]) {
    expect([path, (await call(`GET /${path}`)).body.Data?.length > 0]).toEqual([path, true]);
  }
});

test.each([
  ['strings', ['Cash', 'Electronic']],
  ['objects', [{ Name: 'Cash' }, { Name: 'Electronic' }]],
  ['empty', []],
])('payment types: %s', async (value, expected) => {
  const { call } = await serve({ 'payment-types': value });
  expect((await call('GET /sales/v2/paymenttypes')).body).toEqual(expected);
});

test('a window shows what changed in it, both ends included', async () => {
  const caller = await serve();
  expect(ids(await list(caller, day)).length).toBe(4);
  const { LastModified } = (await list(caller, day)).Data[0];
  const at = encodeURIComponent(LastModified);
  expect(ids(await list(caller, `lastModifiedStart=${at}&lastModifiedEnd=${at}`))).toHaveLength(1);
});

test.each([
  ['24h', 'none', 400, 200],
  ['none', '24h', 200, 400],
])('a window above 24 hours: %s of stock, %s of sales', async (stock, sales, ofStock, ofSales) => {
  const { call } = await serve({ 'window-cap': stock, 'window-cap-sales': sales });
  const wide = 'lastModifiedStart=2015-01-01&lastModifiedEnd=2026-03-06';
  const answer = await call(`${active}?${wide}`);
  expect(answer.status).toBe(ofStock);
  if (ofStock === 400) expect(answer.body).toEqual({ Message: 'Last Modified range cannot exceed 24 hours' });
  expect((await call(`GET /transfers/v2/incoming?${wide}`)).status).toBe(ofStock);
  expect((await call(`${receipts}?${wide}`)).status).toBe(ofSales);
  expect((await call(`GET /sales/v2/deliveries/active?${wide}`)).status).toBe(ofSales);
});

test.each([
  ['everything', 24],
  ['last-day', 4],
])('without a window: %s', async (value, count) => {
  expect(ids(await list(await serve({ 'no-window': value }), ''))).toHaveLength(count);
});

test('without a window: a random part, which is always the same', async () => {
  const caller = await serve({ 'no-window': 'random-part' });
  const part = ids(await list(caller, ''));
  expect(part.length).toBeGreaterThan(0);
  expect(part.length).toBeLessThan(24);
  expect(ids(await list(caller, ''))).toEqual(part);
});

test.each([
  ['open', 200],
  ['400', 400],
])('half a window: %s', async (value, status) => {
  const { call } = await serve({ 'half-window': value });
  expect((await call(`${active}?lastModifiedStart=2026-03-05`)).status).toBe(status);
  expect((await call(`${active}?lastModifiedEnd=2026-03-05`)).status).toBe(status);
});

test.each([
  ['utc', 1],
  ['facility', 0],
])('dates as bounds are midnights: %s', async (value, count) => {
  const caller = await serve({ 'date-zone': value }, { standsAt: '2026-03-06T04:00:00Z' });
  await caller.sell({ SalesDateTime: '2026-03-05T19:00:00.000' });
  const query = 'lastModifiedStart=2026-03-06&lastModifiedEnd=2026-03-07';
  expect(ids((await caller.call(`${receipts}?${query}`)).body)).toHaveLength(count);
});

test('a plus that is not escaped gives a wrong window and no error', async () => {
  const { call, sell } = await serve();
  await sell();
  const window = (plus: string) =>
    `lastModifiedStart=2026-03-06T17:00:00${plus}00:00&lastModifiedEnd=2026-03-06T19:00:00${plus}00:00`;
  expect(ids((await call(`${receipts}?${window('%2B')}`)).body)).toHaveLength(1);
  expect(await call(`${receipts}?${window('+')}`)).toMatchObject({ status: 200, body: { Data: [] } });
});

test('bounds that are no times, and sales dates beside last changes, are refused', async () => {
  const { call } = await serve();
  expect((await call(`${active}?lastModifiedStart=2026-067`)).status).toBe(400);
  const both = `${receipts}?lastModifiedStart=2026-03-05&salesDateStart=2026-03-05`;
  expect((await call(both)).status).toBe(400);
});

test('LastModified grows with every change, so a row leaves the window that it was in', async () => {
  const caller = await serve();
  const { call, server, counted } = caller;
  const read = async () => (await call(`GET /packages/v2/${counted().label}`)).body.LastModified as string;
  const before = await read();
  const window = `lastModifiedStart=${encodeURIComponent(before)}&lastModifiedEnd=${encodeURIComponent(before)}`;
  expect(ids(await list(caller, window))).toHaveLength(1);
  server.people('edit-package', { label: counted().label, members: { Note: 'x' } });
  const between = await read();
  server.people('edit-package', { label: counted().label, members: { Note: 'y' } });
  expect([between > before, (await read()) > between]).toEqual([true, true]);
  expect(between).toMatch(/^2026-03-06T18:00:00\.\d{7}\+00:00$/);
  expect(ids(await list(caller, window))).toEqual([]);
});

test('a row that changes between two pages of changes moves, and another one is never seen', async () => {
  const caller = await serve({ order: 'modified-asc' });
  const first = await list(caller, 'pageNumber=1&pageSize=20');
  caller.server.people('edit-package', { label: first.Data[0].Label, members: {} });
  const second = await list(caller, 'pageNumber=2&pageSize=20');
  expect(ids(second)).toContain(first.Data[0].Id);
  expect(new Set([...ids(first), ...ids(second)]).size).toBe(23);
});

test.each(['id-asc', 'modified-asc', 'modified-desc', 'random'])('order of rows: %s', async (order) => {
  const caller = await serve({ order });
  const { label, id } = caller.counted();
  caller.server.people('edit-package', { label, members: {} });
  const shown = ids(await list(caller, ''));
  const sorted = [...shown].sort((a, b) => a - b);
  if (order === 'id-asc') expect(shown).toEqual(sorted);
  if (order === 'modified-asc') expect(shown.at(-1)).toBe(id);
  if (order === 'modified-desc') expect(shown[0]).toBe(id);
  if (order === 'random') expect(ids(await list(caller, ''))).not.toEqual(shown);
  expect(sorted).toHaveLength(24);
});

test.each([
  ['newest-first', ['b', 'a']],
  ['oldest-first', ['a', 'b']],
])('adjustments have no id and no window: %s', async (value, notes) => {
  const { call, server, counted } = await serve({ 'adjustment-order': value });
  const { label } = counted();
  server.people('adjust-package', { label, quantity: 9, note: 'a' });
  server.people('adjust-package', { label, quantity: 8, note: 'b' });
  const { Data } = (await call('GET /packages/v2/adjustments?lastModifiedStart=2020-01-01')).body;
  expect(Data.map((it: { AdjustmentNote: string }) => it.AdjustmentNote)).toEqual(notes);
  expect(Data[0]).not.toHaveProperty('Id');
  expect(Data[0].AdjustmentDate).toBe('2026-03-06T00:00:00Z');
});

test('there may be ten thousand kinds of lab tests', async () => {
  const { call } = await serve({ 'lab-types': '10000' });
  const { body } = await call('GET /labtests/v2/types?pageNumber=500&pageSize=20');
  expect([body.Total, body.RecordsOnPage]).toEqual([10_000, 20]);
});

test('a change is readable only after the lag, in lists and by id, for all kinds or one', async () => {
  const caller = await serve({ lag: 'receipts=10' });
  const { call, sell, server, counted } = caller;
  const before = counted();
  const id = (await sell()).body.Ids[0];
  const seen = async () => [
    ids((await call(receipts)).body).length,
    (await call(`GET /sales/v2/receipts/${id}`)).status,
    (await call(`GET /packages/v2/${before.label}`)).body.Quantity,
  ];
  expect(await seen()).toEqual([0, 401, before.quantity - 2]);
  server.advance(10);
  expect(await seen()).toEqual([1, 200, before.quantity - 2]);
  server.world.turn({ lag: '3' });
  await sell({}, [line(before.label)]);
  expect((await call(`GET /packages/v2/${before.label}`)).body.Quantity).toBe(before.quantity - 2);
  server.advance(3);
  expect((await call(`GET /packages/v2/${before.label}`)).body.Quantity).toBe(before.quantity - 4);
  expect(server.world.packages.all(shop)).toHaveLength(24);
});
