import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { labels, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
const shops: ReportingShop[] = [];
const open = async (
  ...wishes: Parameters<typeof openReportingShop> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const shop = await openReportingShop(service, ...wishes);
  shops.push(shop);
  return shop;
};
afterEach(async () => {
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
  for (const shop of shops.splice(0)) await shop.close();
});
afterAll(() => service.close());

test('a sale is one receipt, split over its packages, to the cent and the thousandth of a gram', async () => {
  const shop = await open();
  // Three of the old package and one of the new one, at 12.99 of which a tenth more is a tax.
  const order = await shop.sell([
    ['roll', 4],
    ['gram', 2],
    ['tray', 1],
  ]);
  expect(await shop.reports()).toMatchObject([{ kind: 'sale', state: 'waiting', revision: 1 }]);
  await shop.pass();
  expect(await shop.reports()).toMatchObject([
    { kind: 'sale', state: 'accepted', attempts: 1, problem: null },
  ]);
  const [receipt, ...others] = shop.live();
  expect(others).toEqual([]);
  expect(receipt).toMatchObject({ customerType: 'Consumer', soldAt: '2026-03-10T11:00:00.000' });
  expect(receipt!.external).toMatch(/^\d+-1-.$/);
  const sold = receipt!.lines.map(({ sent, quantity, amount }) => [sent.PackageLabel, quantity, amount]);
  expect(sold).toEqual([
    [labels.flower, 3, 35.43],
    [labels.second, 1, 11.81],
    [labels.jar, 2.468, 20.31],
  ]);
  expect(order.status).toBe('fulfilled');
});
