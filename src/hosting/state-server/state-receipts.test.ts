import { describe, expect, test } from 'vitest';
import { seededKeys } from './seed-world.ts';
import {
  type Caller,
  foreignShop,
  line,
  messages,
  receipt,
  secondShop,
  serve,
  shop,
} from './state-call.test-support.ts';

const post = 'POST /sales/v2/receipts';
const put = 'PUT /sales/v2/receipts';

/** Records a receipt and returns its id. */
async function sold({ sell }: Caller, members: object = {}, lines?: readonly object[]): Promise<number> {
  const { body, status } = await sell(members, lines);
  expect([status, body]).toEqual([200, { Ids: [expect.any(Number)], Warnings: null }]);
  return body.Ids[0];
}

const lists = async ({ call }: Caller) => {
  const ids = async (list: string) =>
    (await call(`GET /sales/v2/receipts/${list}`)).body.Data.map(({ Id }: { Id: number }) => Id);
  return { active: await ids('active'), inactive: await ids('inactive') };
};

test('POST answers an id for each receipt, in the order of the request', async () => {
  const { call, counted } = await serve();
  const body = ['a', 'b', 'c'].map((ExternalReceiptNumber) =>
    receipt([line(counted().label)], { ExternalReceiptNumber }),
  );
  const { Ids } = (await call(post, { body })).body;
  for (const [at, number] of ['a', 'b', 'c'].entries()) {
    expect((await call(`GET /sales/v2/receipts/${Ids[at]}`)).body.ExternalReceiptNumber).toBe(number);
  }
});

test.each([
  ['off', [200, 200, 200]],
  ['license', [200, 400, 400]],
  ['license-and-day', [200, 400, 200]],
])('the same POST again makes a second receipt; external numbers unique: %s', async (value, statuses) => {
  const { sell } = await serve({ 'external-unique': value });
  const members = { ExternalReceiptNumber: 'K7' };
  const all = [await sell(members), await sell(members)];
  all.push(await sell({ ...members, SalesDateTime: '2026-03-05T09:00:00.000' }));
  expect(all.map(({ status }) => status)).toEqual(statuses);
});

test.each([
  ['50', 50],
  ['20', 20],
  ['255', 255],
])('external numbers have at most %s characters', async (value, max) => {
  const { sell } = await serve({ 'external-max': value });
  expect((await sell({ ExternalReceiptNumber: 'x'.repeat(max) })).status).toBe(200);
  expect((await sell({ ExternalReceiptNumber: 'x'.repeat(max + 1) })).status).toBe(400);
});

describe('a receipt by its external number', () => {
  const find = (number: string) => `GET /sales/v2/receipts/external/${encodeURIComponent(number)}`;

  test.each([
    ['no', false],
    ['yes', true],
  ])('is one object; as an array: %s', async (value, isArray) => {
    const caller = await serve({ 'external-array': value });
    const id = await sold(caller, { ExternalReceiptNumber: 'K7' });
    const { body } = await caller.call(find('K7'));
    expect(Array.isArray(body)).toBe(isArray);
    expect(isArray ? body[0] : body).toMatchObject({ Id: id, Transactions: [expect.anything()] });
  });

  test('that does not exist at this license is 401', async () => {
    const caller = await serve();
    await sold(caller, { ExternalReceiptNumber: 'K7' });
    expect((await caller.call(find('K8'))).status).toBe(401);
    expect((await caller.call(find('K7'), { license: secondShop })).status).toBe(401);
  });

  test.each([
    ['lowest-id', (ids: number[]) => ids[0]],
    ['newest', (ids: number[]) => ids[1]],
    ['array', (ids: number[]) => ids],
    ['400', () => undefined],
  ])('that several have: %s', async (value, expected) => {
    const caller = await serve({ 'external-many': value });
    const members = { ExternalReceiptNumber: 'K7' };
    const ids = [await sold(caller, members), await sold(caller, members)];
    const { status, body } = await caller.call(find('K7'));
    expect(status).toBe(value === '400' ? 400 : 200);
    const found = Array.isArray(body) ? body.map(({ Id }) => Id) : body.Id;
    expect(found).toEqual(expected(ids));
  });

  test.each(['a/b', 'a b', 'a#b', 'a%b', 'a%2Fb'])('%s is decoded once', async (number) => {
    const caller = await serve();
    const id = await sold(caller, { ExternalReceiptNumber: number });
    expect((await caller.call(find(number))).body.Id).toBe(id);
  });
});

test('lines lower their packages at once, PUT applies the difference, void gives back', async () => {
  const caller = await serve();
  const { call, counted, quantity } = caller;
  const [first, second] = [counted(0), counted(1)];
  const id = await sold(caller, {}, [line(first.label, { Quantity: 3 }), line(second.label)]);
  expect(quantity(first.label)).toBe(first.quantity - 3);
  // The second line is left out, so it is gone.
  await call(put, { body: [receipt([line(first.label, { Quantity: 1 })], { Id: id })] });
  expect([quantity(first.label), quantity(second.label)]).toEqual([first.quantity - 1, second.quantity]);
  expect((await call(`GET /sales/v2/receipts/${id}`)).body.Transactions).toHaveLength(1);
  await call(`DELETE /sales/v2/receipts/${id}`);
  expect(quantity(first.label)).toBe(first.quantity);
});

test('a voided or final receipt is inactive; unfinalizing brings it back; a voided one stays readable', async () => {
  const caller = await serve();
  const { call } = caller;
  const [voided, final] = [await sold(caller), await sold(caller)];
  await call(`DELETE /sales/v2/receipts/${voided}`);
  await call('PUT /sales/v2/receipts/finalize', { body: [{ Id: final }] });
  expect(await lists(caller)).toEqual({ active: [], inactive: [voided, final] });
  await call('PUT /sales/v2/receipts/unfinalize', { body: [{ Id: final }] });
  expect(await lists(caller)).toEqual({ active: [final], inactive: [voided] });
  expect((await call(`GET /sales/v2/receipts/${voided}`)).body.ArchivedDate).toBe('2026-03-06');
});

test.each([
  ['400', 400],
  ['200', 200],
])('a final receipt cannot be edited until it is unfinalized; its void: %s', async (value, status) => {
  const caller = await serve({ 'void-final': value });
  const { call, counted } = caller;
  const id = await sold(caller);
  await call('PUT /sales/v2/receipts/finalize', { body: [{ Id: id }] });
  const body = [receipt([line(counted().label)], { Id: id })];
  expect((await call(put, { body })).status).toBe(400);
  const other = await sold(caller);
  await call('PUT /sales/v2/receipts/finalize', { body: [{ Id: other }] });
  expect((await call(`DELETE /sales/v2/receipts/${other}`)).status).toBe(status);
  await call('PUT /sales/v2/receipts/unfinalize', { body: [{ Id: id }] });
  expect((await call(put, { body })).status).toBe(200);
});

test.each(['200', '400', '401'])('a second DELETE and the PUT of a voided receipt: %s', async (value) => {
  const caller = await serve({ 'void-twice': value });
  const { call, counted, quantity } = caller;
  const before = counted();
  const id = await sold(caller);
  await call(`DELETE /sales/v2/receipts/${id}`);
  expect((await call(`DELETE /sales/v2/receipts/${id}`)).status).toBe(Number(value));
  const again = await call(put, { body: [receipt([line(before.label)], { Id: id })] });
  expect([again.status, quantity(before.label)]).toEqual([Number(value), before.quantity]);
});

test('lists have no lines, the receipt by its id has all members of its lines', async () => {
  const caller = await serve();
  const id = await sold(caller);
  expect((await caller.call('GET /sales/v2/receipts/active')).body.Data[0].Transactions).toEqual([]);
  const { body } = await caller.call(`GET /sales/v2/receipts/${id}`);
  expect(body).toMatchObject({
    ...{ ReceiptNumber: String(id).padStart(10, '0'), TotalPackages: 1, TotalPrice: 18, IsFinal: false },
    ...{ RecordedDateTime: '2026-03-06T18:00:00+00:00', RecordedByUserName: 'R. Ames' },
    Transactions: [{ QuantitySold: 2, TotalPrice: 18, UnitOfMeasureAbbreviation: 'ea', ArchivedDate: null }],
  });
  expect(body.Transactions[0]).not.toHaveProperty('Price');
  caller.server.world.turn({ 'line-shape': 'with-money-fields' });
  const withMoney = (await caller.call(`GET /sales/v2/receipts/${id}`)).body;
  expect(withMoney.Transactions[0]).toMatchObject({ Price: null, QrCodes: [] });
});

test('lines of unknown, foreign, finished and held packages are refused, all with the row of their receipt', async () => {
  const { call, server, counted, weighed } = await serve();
  const foreign = server.world.packages.all(foreignShop)[0]!.label;
  server.people('finish-package', { label: counted(1).label });
  server.people('hold-package', { label: counted(2).label });
  const good = receipt([line(counted(0).label)]);
  const bad = receipt(['x', foreign, counted(1).label, counted(2).label].map((label) => line(label)));
  const answer = await call(post, { body: [good, bad] });
  expect([answer.status, messages(answer)]).toEqual([
    400,
    [
      '1: Package x does not exist in the current Facility.',
      `1: Package ${foreign} does not exist in the current Facility.`,
      `1: Package ${counted(1).label} is not active.`,
      `1: Package ${counted(2).label} is on hold.`,
    ],
  ]);
  expect(weighed()).toBeDefined();
});

test.each([
  ['400', 400, 0],
  ['convert', 200, 28.3495],
])('a line in another unit than its package: %s', async (value, status, taken) => {
  const { sell, weighed, quantity } = await serve({ 'unit-mismatch': value });
  const { label, quantity: before } = weighed();
  const answer = await sell({}, [line(label, { Quantity: 1, UnitOfMeasure: 'Ounces' })]);
  expect(answer.status).toBe(status);
  expect(quantity(label)).toBeCloseTo(before - taken, 4);
  expect((await sell({}, [line(label, { UnitOfMeasure: 'Each' })])).status).toBe(400);
});

test.each([
  ['400', 400],
  ['accept', 200],
])('selling more than is there: %s', async (value, status) => {
  const { sell, counted, quantity } = await serve({ oversell: value });
  const { label, quantity: before } = counted();
  expect((await sell({}, [line(label, { Quantity: before + 1 })])).status).toBe(status);
  expect(quantity(label)).toBe(status === 200 ? -1 : before);
});

test.each([
  ['never', 'active'],
  ['at-zero', 'inactive'],
])('a package that is sold out: finishes %s', async (value, list) => {
  const { call, sell, counted } = await serve({ 'auto-finish': value });
  const { label, quantity } = counted();
  await sell({}, [line(label, { Quantity: quantity })]);
  const rows = (await call(`GET /packages/v2/${list}`)).body.Data;
  expect(rows.find((it: { Label: string }) => it.Label === label)).toMatchObject({ Quantity: 0 });
});

test.each([
  ['reopen', 200, 5, null],
  ['400', 400, 0, '2026-03-06'],
  ['negative', 200, -5, '2026-03-06'],
])('void when the package was finished meanwhile: %s', async (value, status, quantity, finishedDate) => {
  const caller = await serve({ 'void-finished': value });
  const { label } = caller.counted();
  caller.server.people('adjust-package', { label, quantity: 5 });
  const id = await sold(caller, {}, [line(label, { Quantity: 5 })]);
  caller.server.people('finish-package', { label });
  expect((await caller.call(`DELETE /sales/v2/receipts/${id}`)).status).toBe(status);
  expect(caller.counted()).toMatchObject({ quantity, finishedDate });
});

test.each([
  ['a type that is none', { SalesCustomerType: 'Friend' }, undefined],
  ['a type that the flags do not allow', {}, { CanSellToConsumers: false }],
  ['a patient without number', { SalesCustomerType: 'Patient' }, undefined],
  ['a caregiver without number', { SalesCustomerType: 'Caregiver' }, undefined],
  [
    'a caregiver without the number of the patient',
    { SalesCustomerType: 'Caregiver', CaregiverLicenseNumber: 'C-1' },
    { SalesRequireCaregiverPatientNumber: true },
  ],
  [
    'an external patient without the way of identification',
    { SalesCustomerType: 'ExternalPatient', PatientLicenseNumber: 'P-9' },
    { SalesRequireExternalPatientIdentificationMethod: true },
  ],
])('%s is refused', async (_, members, flags) => {
  const { sell, server } = await serve();
  if (flags !== undefined) server.people('set-flags', { license: shop, flags });
  const answer = await sell(members);
  expect([answer.status, answer.body[0].row]).toEqual([400, 0]);
});

test.each([
  ['strip', 'Z', '2026-03-06T09:00:00.000'],
  ['convert', 'Z', '2026-03-06T01:00:00.000'],
  ['convert', '-05:00', '2026-03-06T06:00:00.000'],
  ['400', 'Z', undefined],
])('a sale time with a zone: %s (%s)', async (value, suffix, kept) => {
  const caller = await serve({ 'zone-suffix': value });
  const { status, body } = await caller.sell({ SalesDateTime: `2026-03-06T09:00:00.000${suffix}` });
  expect(status).toBe(kept === undefined ? 400 : 200);
  if (kept === undefined) return;
  expect((await caller.call(`GET /sales/v2/receipts/${body.Ids[0]}`)).body.SalesDateTime).toBe(kept);
});

test.each([
  ['400', 400],
  ['accept', 200],
])('a sale time of the future: %s, five minutes are tolerated', async (value, status) => {
  const { sell } = await serve({ 'future-sale': value });
  expect((await sell({ SalesDateTime: '2026-03-06T10:05:00.000' })).status).toBe(200);
  expect((await sell({ SalesDateTime: '2026-03-06T10:05:00.001' })).status).toBe(status);
});

test.each([
  ['accept', 200],
  ['400', 400],
])('a sale time in the hour that spring skips: %s', async (value, status) => {
  const { sell } = await serve({ 'gap-hour': value }, { standsAt: '2026-03-09T18:00:00Z' });
  expect((await sell({ SalesDateTime: '2026-03-08T02:30:00.000' })).status).toBe(status);
});

test('two sales of the repeated autumn hour have one time', async () => {
  const caller = await serve({}, { standsAt: '2026-11-02T18:00:00Z' });
  const SalesDateTime = '2026-11-01T01:30:00.000';
  const ids = [await sold(caller, { SalesDateTime }), await sold(caller, { SalesDateTime })];
  for (const id of ids) {
    expect((await caller.call(`GET /sales/v2/receipts/${id}`)).body.SalesDateTime).toBe(SalesDateTime);
  }
});

test.each([
  ['4/2', 1.2346, 10.13],
  ['3/2', 1.235, 10.13],
  ['8/4', 1.23455, 10.125],
])(
  'quantities and amounts are kept with %s decimals, half away from zero',
  async (value, Quantity, TotalAmount) => {
    const caller = await serve({ scale: value });
    const { label } = caller.weighed();
    const sent = line(label, { Quantity: 1.23455, UnitOfMeasure: 'Grams', TotalAmount: 10.125 });
    const id = await sold(caller, {}, [sent]);
    const [kept] = (await caller.call(`GET /sales/v2/receipts/${id}`)).body.Transactions;
    expect([kept.QuantitySold, kept.TotalPrice]).toEqual([Quantity, TotalAmount]);
    caller.server.world.turn({ 'over-precise': '400' });
    expect((await caller.sell({}, [{ ...sent, Quantity: 0.123456789 }])).status).toBe(400);
  },
);

test.each([
  ['2', 2],
  ['1', 1],
])('two lines with one label count as %s packages', async (value, count) => {
  const caller = await serve({ 'count-lines': value });
  const { label } = caller.counted();
  const id = await sold(caller, {}, [line(label), line(label, { TotalAmount: 0.1 })]);
  expect((await caller.call(`GET /sales/v2/receipts/${id}`)).body).toMatchObject({
    ...{ TotalPackages: count, TotalPrice: 18.1 },
  });
});

test.each([
  ['atomic', 0],
  ['partial', 2],
])('one bad receipt among three: %s', async (value, written) => {
  const { call, counted, server } = await serve({ batch: value });
  const good = receipt([line(counted().label)]);
  const answer = await call(post, { body: [good, receipt([line('x')]), good] });
  expect([answer.status, messages(answer)]).toEqual([
    400,
    ['1: Package x does not exist in the current Facility.'],
  ]);
  expect(server.world.receipts.all()).toHaveLength(written);
});

test.each([
  ['400', 400],
  ['accept', 200],
])('unit codes that are unknown or sold before: %s', async (value, status) => {
  const caller = await serve({ qr: value });
  const { label } = caller.counted();
  caller.server.people('give-unit-codes', { label, codes: ['https://1a4.com/A', 'https://1a4.com/B'] });
  const sell = (code: string) => caller.sell({}, [line(label, { QrCodes: [code] })]);
  expect((await sell('https://1a4.com/A')).status).toBe(200);
  expect((await sell('https://1a4.com/A')).status).toBe(status);
  expect((await sell('https://1a4.com/X')).status).toBe(status);
  caller.server.people('set-rights', { userKey: seededKeys.user, rights: ['Manage Sales'] });
  expect((await sell('https://1a4.com/B')).status).toBe(401);
});

test.each([
  ['none', 200],
  ['1', 400],
  ['3', 400],
  ['30', 200],
])('days in which a receipt can be changed: %s', async (value, status) => {
  const caller = await serve({ 'receipt-edit-days': value });
  const id = await sold(caller);
  caller.server.advance(5 * 86_400);
  const body = [receipt([line(caller.counted().label)], { Id: id })];
  expect((await caller.call(put, { body })).status).toBe(status);
  expect((await caller.call(`DELETE /sales/v2/receipts/${id}`)).status).toBe(status);
});

test.each([
  ['accept', 200],
  ['400', 400],
])('two lines with one label: %s', async (value, status) => {
  const { sell, counted } = await serve({ 'same-label': value });
  expect((await sell({}, [line(counted().label), line(counted().label)])).status).toBe(status);
});

test.each([
  ['accept', 200],
  ['400', 400],
])('a line that costs nothing: %s, and never less', async (value, status) => {
  const { sell, counted } = await serve({ 'zero-amount': value });
  expect((await sell({}, [line(counted().label, { TotalAmount: 0 })])).status).toBe(status);
  expect((await sell({}, [line(counted().label, { TotalAmount: -1 })])).status).toBe(400);
});

test.each([
  ['number-or-string', 200, 200],
  ['number', 200, 400],
  ['string', 400, 200],
])('the optional amounts of a line: %s', async (value, asNumber, asText) => {
  const { sell, counted } = await serve({ 'tax-fields': value });
  expect((await sell({}, [line(counted().label, { SalesTax: 1.5 })])).status).toBe(asNumber);
  expect((await sell({}, [line(counted().label, { SalesTax: '1.50' })])).status).toBe(asText);
});

test.each([
  ['null', null],
  ['text', ''],
  ['array', []],
])('Warnings without warnings: %s', async (value, Warnings) => {
  const { sell } = await serve({ warnings: value });
  expect((await sell()).body.Warnings).toEqual(Warnings);
});

test.each([
  ['empty', undefined],
  ['ids', { Ids: [expect.any(Number)], Warnings: null }],
])('PUT receipts answers: %s', async (value, body) => {
  const caller = await serve({ 'put-ids': value });
  const id = await sold(caller);
  const answer = await caller.call(put, { body: [receipt([line(caller.counted().label)], { Id: id })] });
  expect(answer).toMatchObject({ status: 200, body });
});

test('a refused array may be answered by texts alone', async () => {
  const { call } = await serve({ 'row-errors': 'strings' });
  const { body } = await call(post, { body: [receipt([line('x')])] });
  expect(body).toEqual(['Package x does not exist in the current Facility.']);
});

test('a receipt without time, type or lines names what is missing', async () => {
  const { call } = await serve();
  expect(messages(await call(post, { body: [{}] }))).toEqual([
    '0: "SalesDateTime" was not specified.',
    '0: "SalesCustomerType" was not specified.',
    '0: "Transactions" was not specified.',
  ]);
});
