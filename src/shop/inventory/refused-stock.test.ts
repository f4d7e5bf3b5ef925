import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stockOperations } from './stock-operations.test-support.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const { sql, quarter, adjust, transfer, count, entries } = stockOperations(
  service,
  () => shop,
  () => staff,
);

test('a finished, void, shipped or transferred package takes no stock; its remaining stock can be removed', async () => {
  const [held] =
    await sql(`select b.product_id, b.product_option_id, b.package_id, b.inventory_location_id, b.on_hand
    from stock_balances b where b.package_id <> 0 and b.on_hand > 2 order by b.package_id limit 1`);
  const { package_id: id, inventory_location_id: location } = held!;
  const item = { productId: held!.product_id, productOptionId: held!.product_option_id, packageId: id };
  for (const status of ['finished', 'shipped', 'transferred']) {
    await sql(`update packages set status = '${status}' where id = ${id}`);
    const before = await entries();
    const [row] = await sql(`select on_hand from stock_balances where package_id = ${id} and on_hand > 0`);
    const asked = [
      [await adjust({ ...item, inventoryLocationId: location, delta: '7' }), 'adjustment'],
      [
        await count([{ ...item, counted: `${Number(row!.on_hand) + 1}` }], { inventoryLocationId: location }),
        'count',
      ],
      [
        await transfer({
          ...item,
          amount: '1',
          fromInventoryLocationId: location,
          toInventoryLocationId: [shop.locationId('Vault'), shop.locationId('Storefront')].find(
            (it) => it !== location,
          ),
        }),
        'transfer',
      ],
    ] as const;
    for (const [{ status: code, error }, action] of asked) {
      expect([code, error]).toMatchObject([
        409,
        { code: 'INVALID_PACKAGE_TRANSITION', meta: { status, action } },
      ]);
    }
    expect(await entries()).toEqual(before);
    const { data } = await staff.call('GET', '/staff/v1/inventory', undefined, {
      query: { locationId: location },
    });
    expect(data.find((it: { packageId: number }) => it.packageId === id).notSellable).toBe('finished');
    expect((await adjust({ ...item, inventoryLocationId: location, delta: '-1' })).status).toBe(201);
  }
  const emptied = await count([{ ...item, counted: '0' }], { inventoryLocationId: location });
  expect(emptied.status).toBe(201);
});

test('a count is refused if stock was sold or moved since counting began, and the error names the line', async () => {
  const eighth = { productId: shop.productId('Moonlit Grove'), productOptionId: shop.optionId('eighth') };
  await adjust({ delta: '-3' });
  const before = await entries();
  const stale = await count([
    { ...eighth, counted: '2', expected: '0' },
    { ...quarter(), counted: '99990', expected: '100000' },
  ]);
  expect([stale.status, stale.error]).toMatchObject([
    409,
    { code: 'STALE_EDIT', meta: { line: 1, onHand: '99997' } },
  ]);
  expect(stale.error?.message).toMatch(/^lines\[1\]\.expected must be 99997/);
  expect(await entries()).toEqual(before);
  const fresh = await count([quarter({ counted: '99990', expected: '99997.00' })]);
  expect([fresh.status, fresh.data.lines]).toMatchObject([201, [{ expected: '99997', difference: '-7' }]]);
  expect((await count([quarter({ counted: '5', expected: null })])).status).toBe(201);
});
