import { afterAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
} from '../../../../test/harness/test-shop.ts';
import { mirror } from './mirror.ts';
import {
  clientOf,
  expectSameRows,
  openCopies,
  rowsOfCopy,
  rowsOfService,
} from './mirrored-shop.test-support.ts';
import { MirrorTaken } from './store.ts';

const service = await startTestService();
const addresses = await service.listen();
const copies = openCopies(service.database);
afterAll(async () => {
  await service.close();
  copies.close();
});

/** The clock of the service is the mirror's too. */
const now = () => service.clock.now();

async function openShop() {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const ok = async (...call: Parameters<typeof owner.call>) => {
    const { data, error } = await owner.call(...call);
    expect(error).toBeUndefined();
    return data;
  };
  const place = async (body: object = pickupBody(shop)): Promise<string> => {
    const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(error).toBeUndefined();
    return data.id;
  };
  return { shop, ok, place, client: clientOf(addresses, shop.keys) };
}

const person = (name: string) => ({
  firstName: name,
  lastName: 'Okafor',
  email: `${name.toLowerCase()}@customers.example.com`,
});

describe.each(['SQLite', 'PostgreSQL'] as const)('a copy in %s', (kind) => {
  test('equals the shop, row by row, from the first list to live changes', async () => {
    const { shop, ok, place, client } = await openShop();
    await place(deliveryBody(shop, { customer: person('Ada') }));
    await place(deliveryBody(shop, { customer: person('Ida') }));
    const store = await copies.open(kind);
    const copy = mirror({ client, store, now });
    expect(await copy.sync()).toMatchObject({ startedOver: 'no copy' });
    const same = async () =>
      expectSameRows(await rowsOfCopy(store), await rowsOfService(addresses, shop.keys));
    await same();

    const orderId = await place(deliveryBody(shop, { customer: person('Ada') }));
    const steps = { draft: ['accept', 'pack', 'cancel'], new: ['pack', 'cancel'] } as const;
    const { status } = (await rowsOfService(addresses, shop.keys)).orders.get(orderId) as {
      status?: string;
    } as {
      status: keyof typeof steps;
    };
    for (const step of steps[status]) {
      await ok('POST', `/staff/v1/orders/${orderId}/${step}`, step === 'cancel' ? { reason: 'Late' } : {});
    }
    const product = shop.productId('Moonlit Grove');
    await ok('PATCH', `/staff/v1/products/${product}`, { isFeatured: true });
    expect(await copy.sync()).toMatchObject({ startedOver: null });
    await same();
    const report = await copy.verify();
    expect(report).toMatchObject({ isExact: true, leftOut: [] });
    expect(report.collections.map(({ collection }) => collection).sort()).toEqual(
      ['customers', 'orders', 'packages', 'products', 'purchase_orders'].sort(),
    );
    // Nothing happened: nothing is written.
    expect(await copy.sync()).toEqual({ changed: 0, removed: 0, changes: 0, startedOver: null });
    await store.close();
  });

  test('knows who was merged into whom and who was erased, and keeps nothing of theirs', async () => {
    const { shop, ok, place, client } = await openShop();
    const [ada, ida] = [person('Ada'), person('Ida')];
    await place(deliveryBody(shop, { customer: ada }));
    const ofIda = await place(deliveryBody(shop, { customer: ida }));
    const store = await copies.open(kind);
    const copy = mirror({ client, store, now });
    await copy.sync();
    const idOf = async (email: string) =>
      [...(await rowsOfService(addresses, shop.keys)).customers.values()].find((it) => it.email === email)!
        .id;
    const [kept, merged] = [await idOf(ada.email), await idOf(ida.email)];
    await ok('POST', `/staff/v1/customers/${merged}/merge`, { intoCustomerId: kept });
    await copy.sync();
    expectSameRows(await rowsOfCopy(store), await rowsOfService(addresses, shop.keys));
    const moved = (await rowsOfCopy(store)).orders.get(ofIda)!;
    expect(moved.userId).toBe(kept);

    for (const { id, status } of (await rowsOfCopy(store)).orders.values()) {
      if (status !== 'canceled') await ok('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Closed' });
    }
    await ok('DELETE', `/staff/v1/customers/${kept}`, {});
    await copy.sync();
    const rows = await rowsOfCopy(store);
    expectSameRows(rows, await rowsOfService(addresses, shop.keys));
    expect(rows.customers.get(String(kept))!.erasedAt).toEqual(expect.any(String));
    expect(JSON.stringify([...rows.customers.values(), ...rows.orders.values()])).not.toMatch(
      /customers\.example\.com|Okafor/,
    );
    expect(await copy.verify()).toMatchObject({ isExact: true });
    const at = expect.any(String);
    expect(await store.ended()).toEqual([
      { collection: 'customers', id: String(merged), reason: 'merged', intoId: String(kept), at },
      { collection: 'customers', id: String(kept), reason: 'erased', intoId: null, at },
    ]);
    await store.close();
  });

  test('is repaired where it differs, and only there', async () => {
    const { place, client } = await openShop();
    const month = new Date(now()).toISOString().slice(0, 7);
    const ids = [await place(), await place(), await place()];
    service.clock.advance(40 * 86_400_000);
    const later = await place();
    const store = await copies.open(kind);
    const copy = mirror({ client, store, now });
    await copy.sync();
    const before = await rowsOfCopy(store);
    // An order is lost, one is old, one was never placed.
    const state = (await store.readState())!;
    const json = (await store.read('orders', [ids[1]!])).get(ids[1]!)!;
    const record = { collection: 'orders' as const, month, links: [] };
    const old = JSON.parse(json);
    await store.commit({
      ...{ after: state.revision, state: { ...state, revision: state.revision + 1 } },
      upserts: [
        {
          ...record,
          id: ids[1]!,
          updatedAt: '2026-01-01T00:00:00.000Z',
          data: JSON.stringify({ ...old, status: 'x' }),
        },
        { ...record, id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37', updatedAt: old.updatedAt, data: json },
      ],
      deletes: [{ collection: 'orders', id: ids[0]! }],
      ...{ ended: [], stale: [], staleLinked: [], fresh: [] },
    });
    const again = mirror({ client, store, now });
    const verified = await again.verify();
    expect(verified.isExact).toBe(false);
    expect(verified.collections.filter(({ isExact }) => !isExact)).toMatchObject([
      { collection: 'orders', months: [month] },
    ]);
    const report = await again.repair();
    expect(report).toMatchObject({
      after: { isExact: true },
      swept: [{ collection: 'orders', month }],
    });
    expect([report.changed, report.removed]).toEqual([2, 1]);
    expect((await rowsOfCopy(store)).orders).toEqual(before.orders);
    expect(before.orders.has(later)).toBe(true);
    await store.close();
  });

  test('two mirrors never write to one copy', async () => {
    const { place, client } = await openShop();
    const store = await copies.open(kind);
    const [first, second] = [mirror({ client, store, now }), mirror({ client, store, now })];
    await first.sync();
    await second.sync();
    await place();
    await first.sync();
    await expect(second.sync()).rejects.toThrow(MirrorTaken);
    await store.close();
  });
});

test('what a key may not read is left out, and said so', async () => {
  const { shop, client, place } = await openShop();
  await place(deliveryBody(shop, { customer: person('Ada') }));
  const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
    permissions: ['customers'],
  });
  const store = await copies.open('SQLite');
  const copy = mirror({ client: clientOf(addresses, keys), store, now });
  await copy.sync();
  const { leftOut, isExact } = await copy.verify();
  expect(isExact).toBe(true);
  expect(leftOut.map(({ collection, permission }) => [collection, permission])).toEqual([
    ['products', 'analytics'],
    ['orders', 'analytics'],
    ['packages', 'analytics'],
    ['purchase_orders', 'analytics'],
  ]);
  const rows = await rowsOfCopy(store);
  expect([rows.customers.size, rows.orders.size, rows.products.size]).toEqual([1, 0, 0]);
  await store.close();
  expect(client).toBeDefined();
});

test.each([true, false])(
  'a key without analytics copies the orders of its own integrator, says so, and gets the others with analytics (vouched: %s)',
  async (vouches) => {
    const { shop, place } = await openShop();
    await place(deliveryBody(shop, { customer: person('Ada') }));
    const other = await createTestIntegrator(service.context);
    const permissions = ['create-orders'] as const;
    const made = await createTestKeys(service.context, shop.organizationId, other, { permissions, vouches });
    const placeOwn = async () => {
      const body = deliveryBody(shop, { customer: person('Ida') });
      const { data, error } = await service.call('POST', '/api/v1/orders', { keys: made.keys, body });
      expect(error).toBeUndefined();
      return data.id as string;
    };
    const own = [await placeOwn()];
    const store = await copies.open('SQLite');
    const copy = mirror({ client: clientOf(addresses, made.keys), store, now });
    await copy.sync();
    own.push(await placeOwn());
    await place(deliveryBody(shop, { customer: person('Ada') }));
    const allow = (permissions: string) =>
      tenantSql(
        service.context.database,
        shop.organizationId,
        'update client_keys set permissions = $1 where id = $2',
        permissions,
        made.id,
      );
    const ownOnly = [{ collection: 'orders', permission: 'analytics' }];
    const proof = await copy.verify();
    expect(proof).toMatchObject({ isExact: true, ownOnly });
    expect(proof.collections.map(({ collection, copy: { count } }) => [collection, count])).toEqual([
      ['orders', 2],
    ]);
    expect(proof.leftOut.map(({ collection }) => collection)).toEqual([
      'customers',
      'products',
      'packages',
      'purchase_orders',
    ]);
    expect([...(await rowsOfCopy(store)).orders.keys()].sort()).toEqual(own.sort());
    // A lost row is read again, by the own list.
    const lost = copy.state!;
    await store.commit({
      ...{ after: lost.revision, state: { ...lost, revision: lost.revision + 1 } },
      ...{ upserts: [], ended: [], stale: [], staleLinked: [], fresh: [] },
      deletes: [{ collection: 'orders', id: own[0]! }],
    });
    const again = mirror({ client: clientOf(addresses, made.keys), store, now });
    expect((await again.repair()).after).toMatchObject({ isExact: true, ownOnly });
    await allow('{create-orders,analytics}');
    service.clock.advance(60_000);
    await again.sync();
    const all = await again.verify();
    expect(all).toMatchObject({ isExact: true, ownOnly: [] });
    expect((await rowsOfCopy(store)).orders.size).toBe(4);
    await allow('{create-orders}');
    service.clock.advance(60_000);
    await again.sync();
    expect(await again.verify()).toMatchObject({ isExact: true, ownOnly });
    expect([...(await rowsOfCopy(store)).orders.keys()].sort()).toEqual(own.sort());
    await store.close();
  },
);

test('a cursor that has expired leads back: everything is read again, and what is gone is gone', async () => {
  const { shop, ok, place, client } = await openShop();
  await place(deliveryBody(shop, { customer: person('Ada') }));
  await place(deliveryBody(shop, { customer: person('Ida') }));
  const store = await copies.open('SQLite');
  const copy = mirror({ client, store, now });
  await copy.sync();
  const [from, into] = [...(await rowsOfCopy(store)).customers.keys()];
  await ok('POST', `/staff/v1/customers/${from}/merge`, { intoCustomerId: Number(into) });
  service.clock.advance(31 * 86_400_000);
  await place();
  const { purgeEvents } = await import('../../../../src/platform/events/purge-events.ts');
  await purgeEvents(service.context, shop.organizationId);
  expect(await copy.sync()).toMatchObject({ startedOver: 'cursor expired' });
  expectSameRows(await rowsOfCopy(store), await rowsOfService(addresses, shop.keys));
  await store.close();
});

test('a change is in the copy within moments, by long polling', async () => {
  const { place, client } = await openShop();
  const store = await copies.open('SQLite');
  const copy = mirror({ client, store, now });
  const end = new AbortController();
  const synced: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => synced.push(resolve));
  const first = next();
  const following = copy.follow(end.signal, () => synced.shift()?.());
  await first;
  const second = next();
  const orderId = await place();
  await second;
  expect((await rowsOfCopy(store)).orders.has(orderId)).toBe(true);
  end.abort();
  await following;
  await store.close();
});
