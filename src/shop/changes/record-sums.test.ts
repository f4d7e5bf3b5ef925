import { afterAll, afterEach, expect, test } from 'vitest';
import { buyForShop } from '../../../test/contract/contract-purchasing.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import {
  startOwnTestService,
  startTestService,
  type TestReply,
  type TestService,
} from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { checksummedCollections } from '../../app/app.ts';
import { bringSumsUpToDate, findSumDrift, recountSums } from './changes.ts';
import type { ChecksummedCollection } from './checksummed-collection.ts';
import { takeChangesIntoSums } from './record-sums.ts';

const service = await startTestService();
/** Another process with the same database. */
const elsewhere = await startOwnTestService({ database: service.database });
afterEach(() => expect([...service.faults, ...elsewhere.faults]).toEqual([]));
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

const collections = checksummedCollections(service.context);

async function read(shop: TestShop, path: string, query = {}): Promise<TestReply['data']> {
  const { data, error } = await service.call('GET', `/api/v1/${path}`, { keys: shop.keys, query });
  expect(error).toBeUndefined();
  return data;
}

async function place(shop: TestShop, by: TestService = service): Promise<{ id: string }> {
  const { data, error } = await by.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop),
  });
  expect(error).toBeUndefined();
  return data;
}

const drifts = async ({ organizationId }: TestShop, of: readonly ChecksummedCollection[] = collections) =>
  (await Promise.all(of.map((each) => findSumDrift(service.context, each, organizationId)))).flat();

const upToDate = (shop: TestShop) => bringSumsUpToDate(service.context, collections, shop.organizationId);

const changesOf = (shop: TestShop) =>
  tenantSql(
    service.context.database,
    shop.organizationId,
    `select (select count(*) from record_changes)::int as waiting,
            (select count(*) from package_changes where summed_at is distinct from changed_at)::int as packages`,
  );

test('each kept checksum is what its records make, after changes of all kinds, summed or not', async () => {
  const shop = await createTestShop(service.context);
  await upToDate(shop);
  const owner = await service.staff(shop);
  const staff = async (method: string, path: string, body?: object) => {
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect(error).toBeUndefined();
    return data;
  };
  const before = await Promise.all(
    collections.map(({ collection }) => read(shop, `checksums/${collection}`)),
  );
  const { label, receivedPurchaseOrderId, receivedLineItemId } = await buyForShop(service, shop);
  const order = await place(shop);
  await staff('PATCH', `orders/${order.id}`, { deliveryNotes: 'Blue door' });
  const [product] = await read(shop, 'products/all');
  await staff('PUT', `products/${product.id}`, { description: 'Grown outdoors' });
  const bought = await read(shop, 'checksums/purchase_orders');
  const packaged = await read(shop, 'checksums/packages');
  expect(bought.count).toBe(3);
  expect(packaged.count).toBeGreaterThan(0);
  expect(await drifts(shop)).toEqual([]);
  // More goods for the same purchase order and package: both are in another version.
  await staff('POST', `purchase-orders/${receivedPurchaseOrderId}/receptions`, [
    {
      lineItemId: receivedLineItemId,
      inventoryLocationId: shop.locationId('Vault'),
      amount: '1',
      package: { label },
    },
  ]);
  expect(await read(shop, 'checksums/purchase_orders')).toMatchObject({ count: 3 });
  expect((await read(shop, 'checksums/purchase_orders')).digest).not.toBe(bought.digest);
  expect((await read(shop, 'checksums/packages')).digest).not.toBe(packaged.digest);
  expect(await drifts(shop)).toEqual([]);

  const unsummed = await Promise.all(
    collections.map(({ collection }) => read(shop, `checksums/${collection}`)),
  );
  expect((await changesOf(shop))[0]!.waiting).toBeGreaterThan(0);
  await upToDate(shop);
  expect(await changesOf(shop)).toEqual([{ waiting: 0, packages: 0 }]);
  expect(
    await Promise.all(collections.map(({ collection }) => read(shop, `checksums/${collection}`))),
  ).toEqual(unsummed);
  expect(await drifts(shop)).toEqual([]);
  for (const [at, { digest }] of unsummed.entries()) {
    if (collections[at]!.collection !== 'customers') expect(digest).not.toBe(before[at]!.digest);
  }
});

test('checksums stay exact while two processes write, sum and count again', async () => {
  const shop = await createTestShop(service.context);
  const { organizationId } = shop;
  let isWriting = true;
  const writers = [service, elsewhere, service].map(async (by) => {
    for (let placed = 0; placed < 6; placed += 1) await place(shop, by);
  });
  const written = Promise.all(writers).then(() => {
    isWriting = false;
  });
  const [orders, , , packages] = collections;
  const busy = [service.context, elsewhere.context].map(async (context, at) => {
    while (isWriting) {
      for (const each of [orders!, packages!]) {
        await takeChangesIntoSums(context, each, organizationId);
        if (at === 0) await recountSums(context, each, organizationId);
      }
    }
  });
  const found: unknown[] = [];
  while (isWriting) {
    found.push(...(await drifts(shop)));
    await read(shop, 'checksums/orders');
  }
  await Promise.all([written, ...busy]);
  expect(found).toEqual([]);
  expect(await drifts(shop)).toEqual([]);
  expect(await read(shop, 'checksums/orders')).toMatchObject({ count: 18 });
});

test('a change that was rolled back is in no sum', async () => {
  const shop = await createTestShop(service.context);
  const { id } = await place(shop);
  const before = await read(shop, 'checksums/orders');
  const failed = service.context.database.write(shop.organizationId, async (tx) => {
    await tx.run({
      name: 'test_touch_order',
      text: 'update orders set updated_at = now() where organization_id = $1 and id = $2',
      values: [shop.organizationId, id],
    });
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  const { digest } = await read(shop, 'checksums/orders');
  expect(digest).toBe(before.digest);
});

test('sums that drifted are found, and a recount sets them', async () => {
  const shop = await createTestShop(service.context);
  const other = await createTestShop(service.context);
  await Promise.all([upToDate(shop), upToDate(other)]);
  await place(shop);
  const {
    months: [month],
  } = await read(shop, 'checksums/orders');
  await upToDate(shop);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update record_sums set count = count + 1, digest = digest # b'1'::bit(128) where collection = 'orders'`,
  );
  const [orders] = collections;
  const [drift, ...more] = await drifts(shop);
  expect(drift).toMatchObject({ collection: 'orders', month: month.month });
  expect(drift!.counted).toEqual({ count: month.count, digest: month.digest });
  expect(drift!.kept.count).toBe(2);
  expect(more).toEqual([]);
  expect(await drifts(other)).toEqual([]);
  await place(shop);
  await recountSums(service.context, orders!, shop.organizationId);
  expect(await drifts(shop)).toEqual([]);
  expect(await read(shop, 'checksums/orders')).toMatchObject({ count: 2 });
});

test('the months follow the time zone of the shop when it changes', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const { id } = await place(shop);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update orders set created_at = '2026-02-01T06:30:00Z' where id = $1`,
    id,
  );
  expect((await read(shop, 'checksums/orders')).months).toMatchObject([{ month: '2026-01', count: 1 }]);
  const { error } = await owner.call('PATCH', '/staff/v1/organization', { tz: 'US/Eastern' });
  expect(error).toBeUndefined();
  expect((await read(shop, 'checksums/orders')).months).toMatchObject([{ month: '2026-02', count: 1 }]);
  await upToDate(shop);
  expect(await drifts(shop)).toEqual([]);
});

test('many changes are taken into the sums by the reader that finds them', async () => {
  const shop = await createTestShop(service.context);
  await upToDate(shop);
  const { id } = await place(shop);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `do $$ begin for n in 1 .. 600 loop
       update orders set updated_at = (updated_at at time zone 'UTC' + interval '1 second') at time zone 'UTC'
         where status = 'new' or status = 'draft';
     end loop; end $$`,
  );
  const [order] = await read(shop, 'orders');
  expect(order.id).toBe(id);
  const first = await read(shop, 'checksums/orders');
  expect((await changesOf(shop))[0]!.waiting).toBeLessThan(600);
  expect(await read(shop, 'checksums/orders')).toEqual(first);
  expect(await drifts(shop)).toEqual([]);
});
