import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { license, openReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());

test('a license is mended until the state was read or told with it; then another one is a new connection', async () => {
  const shop = await openReportingShop(service, { userKey: 'wrong-key-of-a-person' });
  const { data: made } = await shop.owner.call('GET', '/staff/v1/state-connections');
  const path = `/staff/v1/state-connections/${made[0].id}`;
  const settings = {
    state: 'CA',
    isSandbox: false,
    licenseNumber: license,
    isOn: true,
    adjustmentReason: null,
  };
  const change = async (other: object) =>
    (await shop.owner.call('PUT', path, { ...settings, ...other })).error;
  const { id, lineItems } = await shop.sell([['roll', 2]]);
  await shop.pass();
  for (const other of [{ licenseNumber: 'MISTYPED' }, { isSandbox: true }, { userKey: 'user-key' }]) {
    expect(await change(other)).toBeUndefined();
  }
  await shop.pass();
  expect(await shop.reports()).toMatchObject([{ state: 'accepted' }]);
  for (const [name, value] of [
    ['state', 'NV'],
    ['isSandbox', true],
    ['licenseNumber', 'OTHER-1'],
  ] as const) {
    expect(await change({ [name]: value })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(new RegExp(`^${name} must stay: .* make a new one for each location`)),
    });
  }
  expect(await change({ isOn: true, userKey: 'user-key' })).toBeUndefined();
  await shop.takeBack(id, lineItems[0].id, 1);
  await shop.pass();
  expect((await shop.reports()).map(({ state }) => state)).toEqual(['accepted', 'accepted']);
  await shop.close();
});
