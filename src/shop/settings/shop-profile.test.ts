import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  owner = await service.staff(shop);
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const profile = '/staff/v1/shop-profile';
const address = { street1: '410 Wharf Street', street2: null, city: 'Oakland', postalCode: '94607' };
const day = (number: number, opensAt: string, closesAt: string) => ({ day: number, opensAt, closesAt });

async function shown() {
  const { data } = await service.call('GET', '/api/v1/shop', { keys: shop.keys });
  return data;
}

test('a shop without a profile shows its name, order types, minimums and zones', async () => {
  const organization = await owner.call('GET', '/staff/v1/organization');
  const zones = await owner.call('GET', '/staff/v1/delivery-zones');
  const { name, tz, orderMinimums } = organization.data;
  const seen = await shown();
  expect(seen).toMatchObject({ name, tz, orderMinimums, address: null, hours: [], logo: null });
  expect(seen.orderTypes).toEqual(['delivery', 'pickup', 'in-store']);
  expect(seen.deliveryZones.length).toBeGreaterThan(0);
  for (const [index, zone] of seen.deliveryZones.entries()) expect(zones.data[index]).toMatchObject(zone);
  expect(seen.deliveryZones).toHaveLength(zones.data.length);
  expect((await owner.call('GET', profile)).data.updatedAt).toBe(null);
});

test('web shops see address, state and hours as soon as the owner has told them', async () => {
  const hours = [day(6, '10:00', '02:00'), day(1, '13:00', '21:00'), day(1, '09:00', '12:00')];
  const told = await owner.call('PATCH', profile, { address, hours });
  expect(told.status).toBe(200);
  const sorted = [hours[2], hours[1], hours[0]];
  expect(told.data).toMatchObject({ address, hours: sorted });
  expect(await shown()).toMatchObject({ address: { ...address, state: 'OK' }, hours: sorted });
  // What is left out stays, and the same again writes nothing.
  const { updatedAt } = told.data;
  service.clock.advance(1000);
  expect((await owner.call('PATCH', profile, { address })).data).toMatchObject({ hours: sorted, updatedAt });
  await owner.call('PATCH', profile, { address: null });
  expect(await shown()).toMatchObject({ address: null, hours: sorted });
});

test('labels say every field until the owner chooses, and each field once', async () => {
  const { labels } = (await owner.call('GET', profile)).data;
  expect(labels.exit.fields).toEqual(expect.arrayContaining(['license', 'potency', 'soldOn', 'customer']));
  const exit = { fields: ['soldOn', 'license', 'soldOn'], notice: ' For use by adults only. ' };
  const told = await owner.call('PATCH', profile, { labels: { ...labels, exit } });
  expect(told.data.labels).toEqual({
    ...labels,
    exit: { fields: ['license', 'soldOn'], notice: 'For use by adults only.' },
  });
  const wrong = { ...labels, shelf: { fields: ['weather'], notice: '' } };
  const refused = await owner.call('PATCH', profile, { labels: wrong });
  expect(refused.error).toMatchObject({ code: 'INVALID_PARAMS' });
  expect((await shown()).labels).toBeUndefined();
});

test('the notice that a state asks for on labels is offered with its source, where its words are known', async () => {
  const noticeIn = async (state: string) => {
    const member = await service.staff(await createTestShop(service.context, { state }));
    return (await member.call('GET', profile)).data.labelNotice;
  };
  expect(await noticeIn('CA')).toMatchObject({
    words: expect.stringMatching(/^GOVERNMENT WARNING: /),
    citation: expect.stringContaining('26120'),
  });
  expect(await noticeIn('NY')).toBeNull();
});

test('hours that cannot be are refused, and an edit of an older version is too', async () => {
  for (const [body, message] of [
    [{ hours: [day(1, '24:00', '10:00')] }, /^hours\[0\]\.opensAt must be a time of day HH:MM/],
    [{ hours: [day(8, '09:00', '10:00')] }, /^hours\[0\]\.day must be/],
    [
      { hours: [day(1, '09:00', '12:00'), day(1, '09:00', '11:00')] },
      /^hours must open once at 09:00 of day 1/,
    ],
    [{ address: { ...address, city: ' ' } }, /^address\.city must be text/],
  ] as const) {
    const { status, error } = await owner.call('PATCH', profile, body);
    expect([status, error?.code, error?.message]).toEqual([
      400,
      'INVALID_PARAMS',
      expect.stringMatching(message),
    ]);
  }
  const { data } = await owner.call('PATCH', profile, { address });
  service.clock.advance(1000);
  await owner.call('PATCH', profile, { hours: [day(2, '09:00', '17:00')] });
  const stale = await owner.call(
    'PATCH',
    profile,
    { address: null },
    {
      headers: { 'if-match': `"${data.updatedAt}"` },
    },
  );
  expect(stale.error?.code).toBe('STALE_EDIT');
});

test('a logo is shown in its sizes until it is deleted', async () => {
  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#2f5d50' } })
    .png()
    .toBuffer();
  const uploaded = await owner.call('PUT', `${profile}/logo`, picture, {
    headers: { 'content-type': 'image/png' },
  });
  expect(uploaded.status).toBe(200);
  const { logo } = await shown();
  expect(logo.sizes.map(({ width }: { width: number }) => width)).toEqual([320, 800, 1600]);
  expect(logo.fullPath).toBe(logo.sizes[2].fullPath);
  const broken = await owner.call('PUT', `${profile}/logo`, Buffer.from('no picture'), {
    headers: { 'content-type': 'image/png' },
  });
  expect(broken.error?.code).toBe('INVALID_PHOTO');
  expect((await shown()).logo).toEqual(logo);
  await owner.call('PATCH', profile, { deleteLogo: true });
  expect((await shown()).logo).toBe(null);
});
