import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { parkedCartsMax } from './parked-cart-queries.ts';

const service = await startTestService();
const { context, clock } = service;
let shop: TestShop;
let budtender: TestStaff;
let other: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(context);
  budtender = await service.staff(shop, 'budtender');
  other = await service.staff(shop, 'manager');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/parked-carts';
const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const park = (changes: object = {}, by: TestStaff = budtender) =>
  by.call('POST', path, {
    inventoryLocationId: shop.locationId('Storefront'),
    name: 'Green scarf',
    itemCount: 3,
    content: '{"lines":[1,2]}',
    ...changes,
  });
const listed = async (by: TestStaff = other) => (await by.call('GET', path)).data;

test('a cart that one register parks is taken up by another, as it was, once', async () => {
  const { status, data: parked } = await park({ name: '  Green scarf ' });
  expect(status).toBe(201);
  expect(await listed()).toEqual([parked]);
  expect(parked).toMatchObject({
    name: 'Green scarf',
    itemCount: 3,
    parkedBy: { staffId: budtender.staffId },
    expiresAt: new Date(clock.now() + 86_400_000).toISOString(),
  });
  const takes = await Promise.all(
    [budtender, other].map((by) => by.call('POST', `${path}/${parked.id}/take-up`)),
  );
  expect(takes.map((reply) => reply.status).sort()).toEqual([200, 404]);
  expect(takes.find((reply) => reply.status === 200)!.data).toEqual({
    name: 'Green scarf',
    content: '{"lines":[1,2]}',
  });
  expect(takes.find((reply) => reply.status === 404)!.error).toMatchObject({ code: 'PARKED_CART_NOT_FOUND' });
  expect(await listed()).toEqual([]);
});

test('a lost answer of a take-up is given again with its key', async () => {
  const { data: parked } = await park();
  const take = () =>
    other.call('POST', `${path}/${parked.id}/take-up`, undefined, {
      headers: { 'idempotency-key': 'take-1' },
    });
  const first = await take();
  expect(first.status).toBe(200);
  expect((await take()).data).toEqual(first.data);
});

test('a parked cart is discarded, and expires after a day; parking another one removes its row', async () => {
  const { data: one } = await park();
  expect((await other.call('DELETE', `${path}/${one.id}`)).status).toBe(204);
  expect((await other.call('DELETE', `${path}/${one.id}`)).status).toBe(404);
  const { data: late } = await park({ name: 'Late' });
  clock.advance(86_399_999);
  // Sessions end before carts do.
  const next = await service.staff(shop, 'budtender');
  expect(await listed(next)).toHaveLength(1);
  clock.advance(1);
  expect(await listed(next)).toEqual([]);
  expect((await next.call('POST', `${path}/${late.id}/take-up`)).status).toBe(404);
  expect(await sql('select from parked_carts')).toHaveLength(1);
  await park({ name: 'Next day' }, next);
  expect(await sql('select name from parked_carts')).toEqual([{ name: 'Next day' }]);
});

test('no more carts are parked than the bound, and a closed location or a foreign cart is refused', async () => {
  await sql(
    `insert into parked_carts (organization_id, id, inventory_location_id, name, item_count, content,
        parked_by_staff_id, parked_at, expires_at)
     select current_organization_id(), n, ${shop.locationId('Storefront')}, 'x', 1, '{}', ${budtender.staffId},
        to_timestamp(${clock.now()} / 1000.0), to_timestamp(${clock.now()} / 1000.0) + interval '1 hour'
       from generate_series(1, ${parkedCartsMax}) n`,
  );
  expect((await park()).error).toMatchObject({ code: 'TOO_MANY_PARKED_CARTS' });
  expect((await park({ inventoryLocationId: 999 })).error).toMatchObject({
    code: 'INVENTORY_LOCATION_NOT_FOUND',
  });
  const elsewhere = await createTestShop(context);
  const stranger = await service.staff(elsewhere, 'owner');
  expect(await listed(stranger)).toEqual([]);
  expect((await stranger.call('POST', `${path}/1/take-up`)).status).toBe(404);
});

test('every step is audited, without the name', async () => {
  const { data: one } = await park({ name: 'Zephyrine' });
  await other.call('POST', `${path}/${one.id}/take-up`);
  const { data: two } = await park({ name: 'Zephyrine' });
  await other.call('DELETE', `${path}/${two.id}`);
  const rows = await sql(
    "select action, actor, details::text as details from audit_entries where action like 'parked_cart%' order by id",
  );
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
    ['parked_cart.parked', `staff:${budtender.staffId}`],
    ['parked_cart.taken_up', `staff:${other.staffId}`],
    ['parked_cart.parked', `staff:${budtender.staffId}`],
    ['parked_cart.discarded', `staff:${other.staffId}`],
  ]);
  expect(rows.map(({ details }) => details).join()).not.toContain('Zephyrine');
});
