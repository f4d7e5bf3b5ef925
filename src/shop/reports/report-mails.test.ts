import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { stepOrder } from '../orders/orders.ts';
import { mailReports } from './mail-reports.ts';
import { nextMailMs } from './report-mail-times.ts';

const service = await startOwnTestService();
const { context, clock } = service;
const shop = await createTestShop(context);
let owner = await service.staff(shop);
const manager = await service.staff(shop, 'manager');
afterAll(() => service.close());

const path = '/staff/v1/report-mails';
const idOf = async (staff: typeof owner): Promise<number> =>
  (await staff.call('GET', '/staff/v1/me')).data.staff.id;
const mail = () => mailReports(context, shop.organizationId, 'https://shop.example/console');
const mails = async () =>
  (await owner.call('GET', '/staff/v1/mails')).data.filter(({ kind }: { kind: string }) => kind === 'report');
/** Sessions end meanwhile. */
const goTo = async (instant: string) => {
  clock.advance(Date.parse(instant) - clock.now());
  owner = await service.staff(shop);
};

test('a schedule names the next time in the zone of the shop, over changes of the clock', () => {
  const next = (after: string, weekday: string | null, hour: number) =>
    new Date(nextMailMs(Date.parse(after), { weekday, hour, tz: 'America/Los_Angeles' })).toISOString();
  expect([
    next('2026-03-07T15:00:00Z', null, 7),
    next('2026-03-07T15:00:00.001Z', null, 7),
    next('2026-03-08T09:30:00Z', null, 2),
    next('2026-10-31T20:00:00Z', null, 1),
    next('2026-03-10T14:00:00Z', 'tuesday', 7),
    next('2026-03-09T12:00:00Z', 'monday', 0),
  ]).toEqual([
    '2026-03-08T14:00:00.000Z',
    '2026-03-08T14:00:00.000Z',
    '2026-03-08T10:00:00.000Z',
    '2026-11-01T08:00:00.000Z',
    '2026-03-17T14:00:00.000Z',
    '2026-03-16T07:00:00.000Z',
  ]);
});

test('a day is mailed once to each owner and manager who is named, also where processes race and after a pause', async () => {
  await goTo('2026-03-10T20:00:00Z');
  const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
  const placed = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { payments }),
  });
  const { id, status } = placed.data;
  const by = { staff: null };
  if (status === 'draft') await stepOrder(context, testOrigin, shop.organizationId, id, 'accept', by);
  await stepOrder(context, testOrigin, shop.organizationId, id, 'fulfill', by);

  const staffIds = [await idOf(owner), await idOf(manager)];
  const body = {
    name: 'Every morning',
    reports: ['taxes', 'sales', 'products', 'vendors'],
    hour: 7,
    staffIds,
  };
  const made = await owner.call('POST', path, body);
  expect(made.data).toMatchObject({
    reports: ['sales', 'products', 'vendors', 'taxes'],
    weekday: null,
    hour: 7,
  });
  // It reckons its first time, and mails nothing of the days before.
  await mail();
  expect(await mails()).toEqual([]);

  await goTo('2026-03-11T14:00:30Z');
  await Promise.all([mail(), mail(), mail()]);
  await mail();
  const [first, ...others] = await mails();
  expect([first.subject, others.length]).toEqual(['Every morning: Mar 10, 2026', 1]);
  const { total } = (
    await owner.call('GET', '/staff/v1/reports/sales', undefined, {
      query: { from: '2026-03-10', to: '2026-03-10' },
    })
  ).data;
  expect(total.orders).toBe(1);
  const net = `$${(total.net / 100).toFixed(2)}`;
  expect(first.text).toContain(`Net sales: ${net}`);
  expect(first.text).toContain('Without vendor');

  // Down for three days: only the last time is mailed. Who is disabled gets none.
  const disabled = await owner.call('PATCH', `/staff/v1/staff/${staffIds[1]}`, { disabled: true });
  expect(disabled.error).toBeUndefined();
  await goTo('2026-03-14T18:00:00Z');
  await mail();
  await mail();
  const after = await mails();
  expect([after.length, after[0].subject]).toEqual([3, 'Every morning: Mar 13, 2026']);

  // A change reckons the time again; an archived one mails nothing.
  const weekly = await owner.call('PATCH', `${path}/${made.data.id}`, { weekday: 'sunday', hour: 12 });
  expect(weekly.data).toMatchObject({ weekday: 'sunday', hour: 12 });
  await mail();
  await goTo('2026-03-15T19:01:00Z');
  await mail();
  expect((await mails())[0].subject).toBe('Every morning: Mar 8, 2026 to Mar 14, 2026');
  await owner.call('DELETE', `${path}/${made.data.id}`);
  await goTo('2026-03-22T19:01:00Z');
  await mail();
  expect(await mails()).toHaveLength(4);
});

test('recipients are owners and managers of the shop', async () => {
  const budtender = await service.staff(shop, 'budtender');
  const stranger = await service.staff(await createTestShop(context));
  const schedule = { name: 'Weekly', reports: ['sales'], weekday: 'monday' };
  for (const staffIds of [[await idOf(budtender)], [await idOf(stranger)], [404_404]]) {
    const refused = await owner.call('POST', path, { ...schedule, staffIds });
    expect([refused.status, refused.error?.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(refused.error?.message).toContain('staffIds');
  }
  expect((await budtender.call('GET', path)).status).toBe(403);
  expect((await stranger.call('GET', path)).data).toEqual([]);
});
