import { readFileSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import {
  startOwnTestService,
  startTestService,
  type TestReply,
  type TestService,
} from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { eventFeedOf } from '../../platform/events/event-feed.ts';
import { feedStart, readCursor } from '../../platform/events/feed-cursor.ts';
import { collections, listOf, readOf, tradedShop } from './traded-shop.test-support.ts';

const service = await startTestService();
/** Another process with the same database. */
const elsewhere = await startOwnTestService({ database: service.database });
afterEach(() => expect([...service.faults, ...elsewhere.faults]).toEqual([]));
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

const page = readFileSync(new URL('../../../docs/CHECKSUMS.md', import.meta.url), 'utf8');
const [, program] = /```js\n(.*?)```/s.exec(page)!;
type Checksum = (records: readonly TestReply['data'][]) => { count: number; digest: string };
/** The program of the documentation, as it stands there. */
const { checksum } = (await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program!)}`
)) as { checksum: Checksum };

const read = (shop: TestShop, path: string, query = {}) => readOf(service, shop, path, query);

async function place(shop: TestShop, by: TestService = service, body: object = pickupBody(shop)) {
  const { data, error } = await by.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(error).toBeUndefined();
  return data;
}

test('the example of the documentation has the digests that it says', () => {
  const rows = [...page.matchAll(/\| (31\d\d) \| `(\S+)` \| `(\w+)` \|/g)].map(
    ([, id, updatedAt, digest]) => ({ id: Number(id), updatedAt: updatedAt!, digest: digest! }),
  );
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(checksum([row]).digest).toBe(row.digest);
  const [, both] = /The digest is `(\w+)`, the count 2/.exec(page)!;
  expect(checksum(rows)).toEqual({ count: 2, digest: both });
  expect(checksum(rows.reverse())).toEqual({ count: 2, digest: both });
  expect(checksum([])).toEqual({ count: 0, digest: '0'.repeat(32) });
});

/** A traded shop with two orders of January and one of February, in its time zone. */
async function shopOfTwoMonths(): Promise<{ shop: TestShop; orderIds: string[] }> {
  const traded = await tradedShop(service);
  for (const [at, createdAt] of [
    '2026-01-31T12:00:00Z',
    '2026-02-01T07:59:59Z',
    '2026-02-01T08:00:00Z',
  ].entries()) {
    await tenantSql(
      service.context.database,
      traded.shop.organizationId,
      `update orders set created_at = '${createdAt}' where id = $1`,
      traded.orderIds[at]!,
    );
  }
  return traded;
}

test('every checksum is that of the rows of its list, by the program of the documentation', async () => {
  const { shop } = await shopOfTwoMonths();
  for (const collection of collections) {
    const rows = await read(shop, listOf[collection]);
    expect(await read(shop, `checksums/${collection}`)).toMatchObject(checksum(rows));
  }
  expect((await read(shop, 'orders')).length).toBe(3);
  expect((await read(shop, 'customers')).length).toBe(3);
});

test("the months of orders are in the organization's time zone, and show which one differs", async () => {
  const { shop, orderIds } = await shopOfTwoMonths();
  const orders: TestReply['data'][] = await read(shop, 'orders');
  const before = await read(shop, 'checksums/orders');
  const monthOf = [
    { month: '2026-01', ids: orderIds.slice(0, 2) },
    { month: '2026-02', ids: orderIds.slice(2) },
  ];
  expect(before.months).toEqual(
    monthOf.map(({ month, ids }) => ({ month, ...checksum(orders.filter(({ id }) => ids.includes(id))) })),
  );
  for (const month of before.months) {
    const { cursor: _, ...alone } = await read(shop, 'checksums/orders', { month: month.month });
    expect(alone).toEqual({ count: month.count, digest: month.digest, months: [month] });
  }
  expect(await read(shop, 'checksums/orders', { month: '2026-03' })).toMatchObject({
    ...checksum([]),
    months: [],
  });

  const owner = await service.staff(shop);
  await owner.call('PATCH', `/staff/v1/orders/${orderIds[2]}`, { deliveryNotes: 'Blue door' });
  const after = await read(shop, 'checksums/orders');
  expect(after.months[0]).toEqual(before.months[0]);
  expect(after.months[1].count).toBe(before.months[1].count);
  expect(after.months[1].digest).not.toBe(before.months[1].digest);
  expect(after.digest).not.toBe(before.digest);
});

test('what changes in a collection changes its checksum, and that of no other organization', async () => {
  const { shop } = await shopOfTwoMonths();
  const other = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const [theirs, ours] = [await read(other, 'checksums/products'), await read(shop, 'checksums/products')];
  const [product] = await read(shop, 'products/all');
  const { data, error } = await owner.call('PUT', `/staff/v1/products/${product.id}`, {
    description: 'Grown outdoors',
  });
  expect(error).toBeUndefined();
  const now = await read(shop, 'checksums/products');
  expect(now).toMatchObject(checksum(await read(shop, 'products/all')));
  expect(now.digest).not.toBe(ours.digest);
  expect(data.updatedAt > product.updatedAt).toBe(true);
  expect((await read(other, 'checksums/products')).digest).toBe(theirs.digest);
  // Points and an erasure are changes of the customer.
  const customers = await read(shop, 'checksums/customers');
  const [{ id: customerId }] = await read(shop, 'customers');
  await service.call('POST', '/api/v1/loyalty-events', {
    keys: shop.keys,
    body: { customerId, pointsAmount: 5, reason: 'Welcome' },
  });
  const withPoints = await read(shop, 'checksums/customers');
  expect(withPoints.digest).not.toBe(customers.digest);
  expect(withPoints).toMatchObject(checksum(await read(shop, 'customers')));
});

test('the digest is exact at its cursor while two processes write', async () => {
  const shop = await createTestShop(service.context);
  const feed = eventFeedOf(service.context.database);
  let writing = true;
  const writers = [service, elsewhere, service, elsewhere].map(async (by) => {
    for (let placed = 0; placed < 8; placed += 1) await place(shop, by);
  });
  const done = Promise.all(writers).then(() => {
    writing = false;
  });
  const seen: { count: number; cursor: string }[] = [];
  while (writing) seen.push(await read(shop, 'checksums/orders'));
  await done;
  seen.push(await read(shop, 'checksums/orders'));
  const { events } = (await feed.after(shop.organizationId, feedStart, 1_000))!;
  for (const { count, cursor } of seen) {
    const { position } = readCursor(cursor)!;
    const placed = events.filter((event) => event.type === 'order.placed' && event.position <= position);
    expect(placed).toHaveLength(count);
  }
  expect(seen.at(-1)!.count).toBe(32);
  expect(seen.length).toBeGreaterThan(3);
});
