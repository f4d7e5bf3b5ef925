import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { packageList } from './package-queries.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/packages';
const label = (end: string | number) => `1A4FF${String(end).padStart(19, '0')}`;
const list = (query: Readonly<Record<string, unknown>> = {}) => {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) sent.set(name, String(value));
  return staff.call('GET', `${path}?${sent}`);
};
const create = async (end: string | number, changes: object = {}) => {
  const body = { label: label(end), unit: 'Each', initialAmount: '48', ...changes };
  return (await staff.call('POST', path, body)).data;
};
const labelsOf = async (query: Readonly<Record<string, unknown>>) =>
  (await list(query)).data.map((shown: { label: string }) => shown.label);

test('staff list packages newest first, 50 a page, including those not received', async () => {
  const before = (await list()).data;
  const made: { id: number }[] = [];
  for (let end = 800; end < 860; end++) made.unshift(await create(end));
  const first = (await list()).data;
  expect(first).toEqual(made.slice(0, 50));
  const second = (await list({ startingAfter: first.at(-1).id })).data;
  expect(second).toEqual([...made.slice(50), ...before]);
  expect((await list({ startingAfter: second.at(-1).id })).data).toEqual([]);
});

test('staff find packages by state, label and product, case-insensitive, and by all filters at once', async () => {
  const ready = await create(77, { externalProductName: 'Grove 100% (sealed)' });
  const done = await create(78, { externalProductName: 'Grove rolls' });
  await staff.call('POST', `${path}/${done.id}/finish`);
  expect(await labelsOf({ status: 'ready' })).toEqual([ready.label]);
  expect(await labelsOf({ status: 'finished' })).toContain(done.label);
  expect(await labelsOf({ search: '1a4ff0000000000000000077' })).toEqual([ready.label]);
  expect(await labelsOf({ search: '00% (SEAL' })).toEqual([ready.label]);
  expect(await labelsOf({ search: '%' })).toEqual([ready.label]);
  expect(await labelsOf({ search: 'grove', status: 'ready' })).toEqual([ready.label]);
  expect(await labelsOf({ search: ' moonlit grove ' })).toContain(label(1));
  expect(await labelsOf({ search: 'nothing of this kind' })).toEqual([]);
});

test('staff read one package, and change it if it is unchanged since', async () => {
  const made = await create(77, { labName: 'Cedar Ridge Labs' });
  const read = () => staff.call('GET', `${path}/${made.id}`);
  expect((await read()).data).toEqual(made);
  const change = (labName: string, updatedAt: string) =>
    staff.call('PATCH', `${path}/${made.id}`, { labName }, { headers: { 'if-match': `"${updatedAt}"` } });
  const changed = await change('Second Look Labs', made.updatedAt);
  expect([changed.status, changed.data.labName]).toEqual([200, 'Second Look Labs']);
  expect((await read()).data).toEqual(changed.data);
  expect((await change('Third Look Labs', made.updatedAt)).error?.code).toBe('STALE_EDIT');
});

test('packages by their initial amount are in exact order, also behind a cursor, and a page begins at its place', async () => {
  const amounts = ['10', '9.5', '9.500001', '100', '.000001', '10'];
  const made: { id: number; updatedAt: string }[] = [];
  for (const [at, initialAmount] of amounts.entries()) {
    made.push(await create(900 + at, { initialAmount, status: 'ready' }));
  }
  const inOrder = async (startingAfter?: number) => {
    const query = { sortBy: 'initialAmount', sortDirection: 'ascending', status: 'ready' };
    return labelsOf(startingAfter === undefined ? query : { ...query, startingAfter });
  };
  expect(await inOrder()).toEqual([904, 901, 902, 900, 905, 903].map(label));
  expect(await inOrder(made[0]!.id)).toEqual([905, 903].map(label));

  // Its settings would not reach the server of the organization.
  if (inject('server').isDistributed) return;
  const { text, values } = packageList.page({
    sortBy: 'initialAmount',
    sortDirection: 'ascending',
    startingAfter: made[0]!.id,
  });
  const bound = values.map((value) => (typeof value === 'symbol' ? shop.organizationId : value));
  const plan = await service.context.database.write(shop.organizationId, async (tx) => {
    const run = (name: string, sql: string, ...of: typeof bound) => tx.run({ name, text: sql, values: of });
    await run(
      'test_no_scan_of_packages',
      `select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
              set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true)`,
    );
    const [rows] = await run('test_plan_of_packages', `explain (costs off) ${text}`, ...bound);
    return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n');
  });
  // Behind row-level security, a `numeric` would be compared row by row, from the first one on.
  expect(plan).toMatch(
    /using package_amounts_in_order .*\n *Index Cond: .*ROW\(initial_millionths, package_id\) >/,
  );
});
