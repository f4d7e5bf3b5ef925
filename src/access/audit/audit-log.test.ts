import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { listAuditPage } from './audit-log-queries.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
afterAll(() => service.close());

type Entry = {
  id: number;
  at: string;
  action: string;
  actor: string;
  actorName: string;
  subjectId: string;
  subjectType: string;
};
const list = async (query = {}): Promise<Entry[]> => {
  const reply = await owner.call('GET', '/staff/v1/audit-log', undefined, { query });
  expect([reply.status, reply.error]).toEqual([200, undefined]);
  return reply.data;
};

// All at the same instant: only ids order them.
for (let count = 0; count < 60; count++) await service.staff(shop, 'inventory');

test('entries are listed newest first, each once, page by page', async () => {
  const seen: Entry[] = [];
  for (let page = await list(); page.length > 0; page = await list({ startingAfter: page.at(-1)!.id })) {
    expect(page.length).toBeLessThanOrEqual(50);
    seen.push(...page);
  }
  expect(seen.length).toBeGreaterThan(120);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  const order = seen.map(({ at, id }) => [at, id] as const);
  expect(order).toEqual(order.toSorted(([atA, a], [atB, b]) => (atA === atB ? b - a : atA < atB ? 1 : -1)));
});

test('an entry has actor, change and request id', async () => {
  const { staffId } = await service.staff(shop, 'budtender');
  await owner.call(
    'PATCH',
    `/staff/v1/staff/${staffId}`,
    { role: 'manager', firstName: 'Secret' },
    { headers: { 'x-request-id': 'audit-1' } },
  );
  const [entry] = await list({ subjectType: 'staff', subjectId: staffId });
  expect(entry).toEqual({
    id: entry!.id,
    at: new Date(service.clock.now()).toISOString(),
    actor: `staff:${owner.staffId}`,
    actorName: 'Robin Castellan',
    action: 'staff.updated',
    subjectType: 'staff',
    subjectId: String(staffId),
    details: {
      staffId,
      fields: ['firstName'],
      role: { from: 'budtender', to: 'manager' },
    },
    requestId: 'audit-1',
  });
});

test('actor and subject filter the list, alone and together', async () => {
  const actor = `staff:${owner.staffId}`;
  const ofActor = await list({ actor });
  expect(ofActor.length).toBeGreaterThan(0);
  expect(new Set(ofActor.map((entry) => entry.actor))).toEqual(new Set([actor]));
  const ofStaff = await list({ subjectType: 'staff' });
  expect(new Set(ofStaff.map(({ subjectType }) => subjectType))).toEqual(new Set(['staff']));
  const both = await list({ subjectType: 'staff', actor });
  expect(both).toEqual(ofActor.filter(({ subjectType }) => subjectType === 'staff'));
  expect(await list({ subjectType: 'order' })).toEqual([]);
});

test('the entries of a subject by an actor are the same, whichever of the two has fewer', async () => {
  const actor = `staff:${owner.staffId}`;
  const target = await service.staff(shop, 'budtender');
  for (const firstName of ['One', 'Two', 'Three']) {
    await owner.call('PATCH', `/staff/v1/staff/${target.staffId}`, { firstName });
  }
  const subject = { subjectType: 'staff', subjectId: String(target.staffId) } as const;
  const read = async (of: object, startingAfter: number | null, shortRangeMax: number): Promise<number[]> => {
    const statement = listAuditPage({ ...subject, ...of, startingAfter }, shortRangeMax);
    const [rows] = await service.context.database.read(shop.organizationId, statement);
    return rows.map(({ id }) => id);
  };
  const ids = (await list(subject)).filter((entry) => entry.actor === actor).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const ofActor = (await list({ subjectType: 'staff', actor })).length;
  expect(ofActor).toBeGreaterThan(ids.length);
  // Both have too many; the subject has few; both have few.
  for (const shortRangeMax of [0, 4, 500]) {
    expect(await read({ actor }, null, shortRangeMax)).toEqual(ids);
    expect(await read({ actor }, ids[0]!, shortRangeMax)).toEqual(ids.slice(1));
    expect(await read({ actor: 'staff:1' }, null, shortRangeMax)).toEqual([]);
  }
  // The actor has few entries, and the subject too many.
  const once = await service.staff(shop);
  await once.call('PATCH', `/staff/v1/staff/${target.staffId}`, { firstName: 'Four' });
  const [last] = await list(subject);
  expect(last!.actor).toBe(`staff:${once.staffId}`);
  expect(await read({ actor: last!.actor }, null, 2)).toEqual([last!.id]);
});

test('an entry has the current name of its actor: a person, an integrator and its key, a program', async () => {
  const { staffId, call } = await service.staff(shop, 'manager');
  const { data: type } = await call('POST', '/staff/v1/payment-types', { name: 'Tokens', method: 'other' });
  await owner.call('PATCH', `/staff/v1/staff/${staffId}`, { firstName: 'Ada' });
  const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect(placed.status).toBe(201);
  const nameOf = async (query: object) => (await list(query))[0]?.actorName;
  expect(await nameOf({ subjectType: 'payment_type', subjectId: type.id })).toBe('Ada Castellan');
  expect(await nameOf({ subjectType: 'order' })).toMatch(/^.+ \(.+\)$/);
  expect(await nameOf({ subjectType: 'organization' })).toBe('Test');
  const manager = await service.staff(shop, 'manager');
  const { data } = await manager.call('GET', '/staff/v1/audit-log', undefined, {
    query: { subjectType: 'payment_type' },
  });
  expect(data.map((entry: Entry) => entry.actorName)).toEqual(['Ada Castellan']);
});

test('payment types, zones, limits and keys have their own subject types, with their ids', async () => {
  const made = async (path: string, body: object): Promise<number> => {
    const reply = await owner.call('POST', `/staff/v1/${path}`, body);
    expect([path, reply.status, reply.error]).toEqual([path, 201, undefined]);
    return reply.data.id;
  };
  const [integrator] = (await owner.call('GET', '/staff/v1/integrators')).data;
  const subjects = [
    ['payment_type', await made('payment-types', { name: 'Chips', method: 'other' })],
    ['delivery_zone', await made('delivery-zones', { name: 'Far hills', postalCodes: ['95999'] })],
    [
      'purchase_limit_rule',
      await made('purchase-limit-rules', {
        name: 'Two ounces',
        customerType: 'adult-use',
        cannabisType: 'non-concentrated',
        limit: '56',
        unit: 'g',
        window: 'rolling-days',
        windowDays: 2,
      }),
    ],
    [
      'client_key',
      await made('client-keys', { integratorId: integrator.id, name: 'Audited', permissions: ['menu'] }),
    ],
  ] as const;
  for (const [subjectType, subjectId] of subjects) {
    expect((await list({ subjectType, subjectId })).map(({ action }) => action)).toEqual([
      `${subjectType}.created`,
    ]);
  }
});

test('a subject without its type, and an unknown cursor, are refused', async () => {
  for (const [query, code] of [
    [{ subjectId: '5' }, 'INVALID_PARAMS'],
    [{ subjectType: 'payment-type' }, 'INVALID_PARAMS'],
    [{ startingAfter: 9_007_199_254_740_000 }, 'INVALID_CURSOR'],
    [{ startingAfter: 'x' }, 'INVALID_CURSOR'],
  ] as const) {
    const { status, error } = await owner.call('GET', '/staff/v1/audit-log', undefined, { query });
    expect([query, status, error?.code]).toEqual([query, 400, code]);
  }
  const { call } = await service.staff(shop, 'budtender');
  expect((await call('GET', '/staff/v1/audit-log')).status).toBe(403);
});

test('a time filters the list: from its first moment, and before its last one', async () => {
  const nowMs = service.clock.now();
  const at = (ms: number) => new Date(nowMs + ms).toISOString();
  const now = (await list()).filter((entry) => entry.at === at(0));
  expect(now.length).toBeGreaterThan(0);
  expect(await list({ from: at(0), to: at(1) })).toEqual(now);
  expect(await list({ from: at(0), to: at(0) })).toEqual([]);
});

test('an owner exports what a filter finds, and the export is in the log', async () => {
  const before = await list({ subjectType: 'staff' });
  const file = async (query: Record<string, string>) => {
    const { status, text } = await owner.call('GET', '/staff/v1/audit-log/export', undefined, { query });
    expect(status).toBe(200);
    return text;
  };
  const lines = (await file({ subjectType: 'staff' })).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(60);
  expect(
    lines
      .map((line) => JSON.parse(line))
      .slice(-before.length)
      .reverse(),
  ).toEqual(before);
  const [head, ...rows] = (await file({ format: 'csv', subjectType: 'staff' })).trimEnd().split('\r\n');
  expect(head).toBe('id,at,actor,actorName,action,subjectType,subjectId,details,requestId');
  expect(rows).toHaveLength(lines.length);
  expect((await list()).slice(0, 2).map(({ action }) => action)).toEqual([
    'organization.exported',
    'organization.exported',
  ]);
});
