import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context, { state: 'CA' });
  owner = await service.staff(shop);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/purchase-limit-rules';
const flower = {
  name: 'House flower',
  customerType: 'all',
  cannabisType: 'non-concentrated',
  limit: '14',
  unit: 'g',
  window: 'rolling-days',
  windowDays: 7,
} as const;
const oneToOne = (cannabisType: string) => ({
  cannabisType,
  amount: null,
  unit: null,
  countsAs: null,
  countsAsUnit: null,
  of: 'content',
});

async function create(body: object): Promise<TestReply['data']> {
  const reply = await owner.call('POST', path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.data;
}

async function ownRules(): Promise<TestReply['data']> {
  const { data } = await owner.call('GET', path);
  return data.filter((rule: { source: string }) => rule.source === 'organization');
}

const everywhereAndAlways = { locality: null, ownSource: null, startsOn: null, endsOn: null };

test("the list has the state's current rules with the law, and then the organization's own", async () => {
  const created = await create(flower);
  const { data, meta } = await owner.call('GET', path);
  expect(meta.warnings).toEqual([
    expect.stringMatching(/counts edibles in California for medical customers/),
  ]);
  expect(data).toHaveLength(6);
  expect(data[0]).toEqual({
    id: null,
    source: 'state',
    name: 'Flower',
    customerType: 'adult-use',
    cannabisType: 'non-concentrated',
    limit: '28.5',
    unit: 'g',
    window: 'local-day',
    windowDays: null,
    counts: [oneToOne('non-concentrated')],
    citation: '4 CCR 15409(a)(1)',
    equivalences: [],
    law: expect.objectContaining({
      citation: '4 CCR 15409(a)(1)',
      readOn: '2026-11-20',
      textOf: '2021-07-14',
    }),
    ...everywhereAndAlways,
    createdAt: null,
    updatedAt: null,
  });
  const now = new Date(service.clock.now()).toISOString();
  expect(created).toEqual({
    id: expect.any(Number),
    ...flower,
    counts: [oneToOne('non-concentrated')],
    ...everywhereAndAlways,
    createdAt: now,
    updatedAt: now,
  });
  expect(data[5]).toEqual({
    source: 'organization',
    citation: null,
    law: null,
    equivalences: [],
    ...created,
  });
});

test('a rule is replaced, changed in part, and deleted', async () => {
  const { id } = await create({
    ...flower,
    counts: [
      {
        cannabisType: 'edibles',
        amount: '800',
        unit: 'mg',
        countsAs: '1',
        countsAsUnit: 'oz',
        of: 'content',
      },
      { cannabisType: 'non-concentrated' },
    ],
  });
  service.clock.advance(1000);
  const replaced = await owner.call('PUT', `${path}/${id}`, { ...flower, limit: '7.50' });
  expect(replaced.status).toBe(200);
  expect(replaced.data).toMatchObject({ id, limit: '7.5', counts: [oneToOne('non-concentrated')] });
  expect(Date.parse(replaced.data.updatedAt)).toBe(Date.parse(replaced.data.createdAt) + 1000);

  const changed = await owner.call('PATCH', `${path}/${id}`, {
    window: 'local-day',
    customerType: 'medical',
  });
  expect(changed.data).toMatchObject({ window: 'local-day', windowDays: null, limit: '7.5' });
  const edibles = await owner.call('PATCH', `${path}/${id}`, { cannabisType: 'edibles', unit: 'mg' });
  expect(edibles.data).toMatchObject({ counts: [oneToOne('edibles')], customerType: 'medical' });
  expect(await ownRules()).toMatchObject([edibles.data]);

  const deleted = await owner.call('DELETE', `${path}/${id}`);
  expect([deleted.status, deleted.data]).toEqual([200, edibles.data]);
  expect(await ownRules()).toEqual([]);
  expect((await owner.call('DELETE', `${path}/${id}`)).error?.code).toBe('PURCHASE_LIMIT_RULE_NOT_FOUND');

  const audit = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select action, actor from audit_entries where subject_type = 'purchase_limit_rule' order by id`,
  );
  expect(audit.map(({ action }) => action.split('.')[1])).toEqual([
    'created',
    'updated',
    'updated',
    'updated',
    'deleted',
  ]);
  expect(new Set(audit.map(({ actor }) => actor))).toEqual(new Set([`staff:${owner.staffId}`]));
});

const converted = {
  cannabisType: 'edibles',
  amount: '800',
  unit: 'mg',
  countsAs: '1',
  countsAsUnit: 'oz',
};

test.each([
  [{ unit: 'count' }, /^unit must measure the content of non-concentrated, which is in g/],
  [{ unit: 'fl oz' }, /^unit must measure/],
  [{ window: 'local-day' }, /^windowDays must be absent or null unless window is rolling-days/],
  [{ windowDays: 0 }, /^windowDays must be a whole number from 1 to 366, or null/],
  [{ windowDays: 367 }, /^windowDays/],
  [
    { limit: '14.0000001' },
    /^limit must be a number of at least 0 as text, with at most 12 digits before and 6 after/,
  ],
  [{ limit: '-1' }, /^limit/],
  [{ limit: 14 }, /^limit/],
  [{ name: ' ' }, /^name must not be blank/],
  [{ cannabisType: 'none' }, /^cannabisType must be one of non-concentrated, concentrated/],
  [{ customerType: 'medical-under-21' }, /^customerType must be one of all, adult-use, medical/],
  [{ counts: [] }, /^counts must be a list of 1 to 10 items/],
  [
    { counts: [{ cannabisType: 'edibles' }, { ...converted }] },
    /^counts\[1\]\.cannabisType must not be named twice: edibles/,
  ],
  [
    { counts: [{ cannabisType: 'immature-plant' }] },
    /^counts\[0\] must say what it counts as \(amount, unit, countsAs, countsAsUnit\): immature-plant is measured in count/,
  ],
  [{ counts: [{ ...converted, unit: 'fl oz' }] }, /^counts\[0\]\.unit must measure the content of edibles/],
  [{ counts: [{ ...converted, countsAsUnit: 'count' }] }, /^counts\[0\]\.countsAsUnit must measure/],
  [{ counts: [{ ...converted, of: 'thc', unit: 'fl oz' }] }, /^counts\[0\]\.unit must be a weight of THC/],
  [
    { counts: [{ cannabisType: 'edibles', of: 'thc' }] },
    /^counts\[0\] must say what its THC counts as \(amount, unit, countsAs, countsAsUnit\)/,
  ],
  [{ counts: [{ ...converted, amount: '0' }] }, /^counts\[0\]\.amount must be a number above 0/],
])('a rule with %j is refused with INVALID_PARAMS, and nothing is written', async (changes, message) => {
  const reply = await owner.call('POST', path, { ...flower, ...changes });
  expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(reply.error?.message).toMatch(message);
  expect(await ownRules()).toEqual([]);

  const { id } = await create(flower);
  const patched = await owner.call('PATCH', `${path}/${id}`, changes);
  // A change of the window removes the days.
  if (Object.keys(changes).join() === 'window') expect(patched.status).toBe(200);
  else expect(patched.error?.message).toMatch(message);
});

test('a field required by another one is MISSING_PARAMS', async () => {
  const { windowDays, ...withoutDays } = flower;
  const days = await owner.call('POST', path, withoutDays);
  expect(days.error).toMatchObject({ code: 'MISSING_PARAMS', meta: { missing: ['windowDays'] } });
  const { countsAs, ...half } = converted;
  const conversion = await owner.call('POST', path, { ...flower, counts: [half] });
  expect(conversion.error).toMatchObject({
    code: 'MISSING_PARAMS',
    meta: { missing: ['counts[0].countsAs'] },
  });
  const { id } = await create({ ...flower, window: 'transaction', windowDays: null });
  const patched = await owner.call('PATCH', `${path}/${id}`, { window: 'rolling-days' });
  expect(patched.error).toMatchObject({ code: 'MISSING_PARAMS', meta: { missing: ['windowDays'] } });
});

test('an unknown state, or one with data older than a year, gives a warning', async () => {
  const unknown = await service.staff(await createTestShop(service.context, { state: 'OK' }));
  const { data, meta } = await unknown.call('GET', path);
  expect(data).toEqual([]);
  expect(meta.warnings).toEqual([expect.stringMatching(/^No fact about the law of OK is known here/)]);

  const now = service.clock.now();
  service.clock.set(Date.parse('2027-11-21T12:00:00Z'));
  const later = await service.staff(shop);
  expect((await later.call('GET', path)).meta.warnings).toEqual([
    expect.stringMatching(/law of California were read more than a year ago, the oldest on 2026-11-20/),
    expect.stringMatching(/^No purchase limit counts edibles in California for medical customers/),
  ]);
  service.clock.set(now);
});

test("a limit of the shop's own counts milligrams of THC over all forms, with what was bought before", async () => {
  const mg = { amount: '1', unit: 'mg', countsAs: '1', countsAsUnit: 'mg', of: 'thc' };
  const rule = {
    ...{ name: 'THC of a day', customerType: 'all', cannabisType: 'edibles', limit: '1000', unit: 'mg' },
    ...{
      window: 'local-day',
      counts: ['non-concentrated', 'edibles'].map((it) => ({ cannabisType: it, ...mg })),
    },
  };
  const { id, counts } = await create(rule);
  expect(counts).toEqual(rule.counts);
  // An eighth of 21.5 % holds 752.5 mg.
  const place = async (quantity: number) =>
    owner.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', idempotencyKey: randomUUID() },
      customer: { firstName: 'Ada', lastName: 'Quill', email: 'ada.thc@customers.example.com' },
      lineItems: [{ productOptionId: shop.optionId('eighth'), quantity }],
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    });
  expect((await place(2)).error).toMatchObject({
    code: 'PURCHASE_LIMIT_EXCEEDED',
    meta: { overages: [{ limit: '1000', total: '1505' }] },
  });
  expect((await place(1)).status).toBe(201);
  expect((await place(1)).error?.meta).toMatchObject({ overages: [{ total: '1505' }] });
  await owner.call('DELETE', `${path}/${id}`);
});
