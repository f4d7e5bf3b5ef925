import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { suggestedAmount } from './suggest-purchases.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

test.each([
  // sold in four weeks, on hand, on order, weeks: to buy
  ['62', '4', '10', 2, '17'],
  ['62', '4', '0', 2, '27'],
  ['62', '31', '0', 2, '0'],
  ['62', '30.5', '0', 2, '1'],
  ['62', '4', '40', 2, '0'],
  ['1', '0', '0', 1, '1'],
  ['4', '0', '0', 1, '1'],
  ['4.000000000000000000000001', '0', '0', 1, '2'],
  ['0.1', '0.025', '0', 1, '0'],
  ['0.1', '0.024999999999999999999999', '0', 1, '1'],
  ['10000000000000000000001', '0', '0', 12, '30000000000000000000003'],
] as const)(
  'of %s sold, %s there and %s coming, %s weeks need %s',
  (sold, onHand, onOrder, weeks, amount) => {
    expect(suggestedAmount({ sold, onHand, onOrder, weeks })).toBe(amount);
  },
);

test('what does not last is suggested, with the last vendor and cost and less what is on its way', async () => {
  const option = { priceCents: 1_000, content: '1' };
  const product = (key: string) => ({
    ...{ key, category: 'Edibles', options: [{ key, ...option }] },
    stock: [{ option: key, amount: '20' }],
  });
  const shop = await createTestShop(service.context, {
    products: ['scarce', 'gone', 'plenty', 'unsold'].map(product),
  });
  const owner = await service.staff(shop);
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  const day = 86_400_000;
  let id = 1_000_000;
  const moved = (key: string, cause: string, delta: string, daysAgo: number) => {
    id += 1;
    return sql(`insert into stock_ledger_entries (organization_id, id, product_id, product_option_id,
        inventory_location_id, package_id, delta, cause, cause_id, actor, created_at)
      values (${shop.organizationId}, ${id}, ${shop.productId(key)}, ${shop.optionId(key)},
        ${shop.locationId('Storefront')}, 0, ${delta}, '${cause}', ${id}, 'job:test',
        '${isoTimestamp(service.context.clock.now() - daysAgo * day)}')`);
  };
  const ask = async (query: Record<string, string> = {}, by = owner) =>
    (await by.call('GET', '/staff/v1/purchase-suggestions', undefined, { query })).data;
  expect(await ask()).toMatchObject({ weeks: 2, count: 0, items: [] });

  await moved('scarce', 'taken', '-50', 3);
  await moved('scarce', 'given-back', '4', 2);
  await moved('scarce', 'returned', '2', 1);
  // Neither sold in these weeks nor sold at all.
  await moved('scarce', 'taken', '-500', 29);
  await moved('scarce', 'wasted', '-30', 1);
  await moved('gone', 'taken', '-8', 1);
  await moved('plenty', 'taken', '-40', 1);
  await sql(`update stock_balances set on_hand = 0 where organization_id = ${shop.organizationId}
    and product_id = ${shop.productId('gone')}`);
  const buy = async (vendor: string, amount: string, costPerUnit: string) =>
    (
      await owner.call('POST', '/staff/v1/purchase-orders', {
        inventoryVendor: { name: vendor },
        expectedAt: '2026-03-14',
        lineItems: [
          {
            productId: shop.productId('scarce'),
            productOptionId: shop.optionId('scarce'),
            amount,
            costPerUnit,
          },
        ],
      })
    ).data;
  const former = await buy('Fog Signal Farms', '100', '9');
  await owner.call('POST', `/staff/v1/purchase-orders/${former.id}/close`, {});
  const latest = await buy('Tidewater Distribution', '5', '12.5');
  await owner.call('POST', `/staff/v1/purchase-orders/${latest.id}/receptions`, [
    { lineItemId: latest.lineItems[0].id, inventoryLocationId: shop.locationId('Storefront'), amount: '4' },
  ]);
  const of = (key: string) => ({
    ...{ productId: shop.productId(key), productOptionId: shop.optionId(key), productName: key },
  });
  const never = { inventoryVendorId: null, vendorName: null, costPerUnit: null, lastOrderedAt: null };
  // 44 sold in four weeks: 33 for three. 24 are there, 1 is to come.
  expect(await ask({ weeks: '3' })).toMatchObject({
    count: 3,
    items: [
      { ...of('gone'), sold: '8', onHand: '0', onOrder: '0', suggested: '6', ...never },
      { ...of('plenty'), sold: '40', onHand: '20', suggested: '10', ...never },
      {
        ...of('scarce'),
        ...{ sold: '44', onHand: '24', onOrder: '1', suggested: '8' },
        ...{ inventoryVendorId: latest.inventoryVendorId, vendorName: 'Tidewater Distribution' },
        costPerUnit: '12.5',
      },
    ],
  });
  // 24 of 22 last for two weeks, and 20 of 20.
  expect((await ask()).items.map((it: { productName: string }) => it.productName)).toEqual(['gone']);
  const stranger = await service.staff(await createTestShop(service.context), 'inventory');
  expect(await ask({ weeks: '12' }, stranger)).toMatchObject({ count: 0, items: [] });
});
