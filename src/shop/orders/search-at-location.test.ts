import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { seekCustomers } from '../customers/customers.ts';
import { listStaffOrders } from './staff-order-queries.ts';

const service = await startTestService();
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

test('a search at a location finds the same orders wherever it begins: at the location, or at the customers', async () => {
  const shop = await createTestShop(service.context);
  const clerk = await service.staff(shop, 'budtender');
  const [storefront, vault] = ['Storefront', 'Vault'].map((name) => shop.locationId(name));
  const ana = { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@mail.example.com' };
  const ben = { firstName: 'Ben', lastName: 'Anand', email: 'ben@mail.example.com' };
  const atCounter = async (option: string, inventoryLocationId: number | undefined, who: object) => {
    const { status, data, error } = await clerk.call('POST', '/staff/v1/orders', {
      type: 'in-store',
      lineItems: [{ productOptionId: shop.optionId(option), quantity: 1 }],
      idempotencyKey: randomUUID(),
      inventoryLocationId,
      ...who,
    });
    expect([status, error]).toEqual([201, undefined]);
    return data as { id: string; number: number };
  };
  await atCounter('eighth', storefront, { customer: ana });
  await atCounter('eighth', storefront, { customer: ben });
  await atCounter('quarter', vault, { customer: ana });
  await atCounter('eighth', storefront, { customerName: 'Anastasia' });
  await atCounter('quarter', vault, { customerName: 'Anastasia' });
  const numbered = await atCounter('quarter', vault, {});
  const body = { ...pickupBody(shop), customer: ana };
  expect((await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).status).toBe(201);

  const found = async (search: string, filter: object, takenMax: number) => {
    const customers = await seekCustomers(service.context, shop.organizationId, search);
    const statement = listStaffOrders({ search, customers, ...filter }, takenMax);
    const [rows] = await service.context.database.read(shop.organizationId, statement);
    return rows.map(({ id }) => id);
  };
  const counts: number[] = [];
  for (const search of [
    'Ana',
    'ana@mail',
    'Anand',
    'Anastasia',
    String(numbered.number),
    numbered.id,
    'zzqq',
  ]) {
    for (const inventoryLocationId of [storefront, vault, 999]) {
      for (const filter of [{}, { type: 'in-store' }, { type: 'pickup' }, { status: 'new' }]) {
        const atLocation = await found(search, { inventoryLocationId, ...filter }, 500);
        // None begins at the location; or those types alone of which it has few.
        for (const takenMax of [0, 1, 2]) {
          expect(await found(search, { inventoryLocationId, ...filter }, takenMax)).toEqual(atLocation);
        }
        counts.push(atLocation.length);
      }
    }
  }
  expect(Math.max(...counts)).toBeGreaterThan(2);
});
