import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestShop } from '../../test/harness/test-shop.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
afterAll(() => service.close());

type Entry = {
  id: number;
  at: string;
  action: string;
  actor: string;
  subjectId: string;
  subjectType: string;
};
const list = async (query = {}): Promise<Entry[]> => {
  const reply = await owner.call('GET', '/staff/v1/audit-log', undefined, { query });
  expect([reply.status, reply.error]).toEqual([200, undefined]);
  return reply.data;
};

// All at the same moment: only ids tell them apart.
for (let count = 0; count < 60; count++) await service.staff(shop, 'inventory');

test('what was done is listed newest first, every entry once, page by page', async () => {
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

test('an entry tells who changed what under which request', async () => {
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
    action: 'staff.updated',
    subjectType: 'staff',
    subjectId: String(staffId),
    details: {
      fields: ['role', 'firstName'],
      role: { from: 'budtender', to: 'manager' },
    },
    requestId: 'audit-1',
  });
});

test('actor and subject narrow the list, alone and together', async () => {
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

test('a subject without its kind, and a cursor of nothing, are refused', async () => {
  for (const [query, code] of [
    [{ subjectId: '5' }, 'INVALID_PARAMS'],
    [{ startingAfter: 9_007_199_254_740_000 }, 'INVALID_CURSOR'],
    [{ startingAfter: 'x' }, 'INVALID_CURSOR'],
  ] as const) {
    const { status, error } = await owner.call('GET', '/staff/v1/audit-log', undefined, { query });
    expect([query, status, error?.code]).toEqual([query, 400, code]);
  }
  const { call } = await service.staff(shop, 'budtender');
  expect((await call('GET', '/staff/v1/audit-log')).status).toBe(403);
});
