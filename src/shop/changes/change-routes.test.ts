import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { allEventTypes } from '../../app/app.ts';
import type { Permission } from '../../kernel/permission-catalog.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import { purgeEvents } from '../../platform/events/purge-events.ts';
import { productBody } from '../catalog/product-bodies.test-support.ts';
import { publicEventOf } from './public-events.ts';

const service = await startOwnTestService();
const { context, call } = service;
afterAll(() => service.close());

interface Change {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly facts: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

async function openShop() {
  const shop = await createTestShop(context);
  const changes = async (query: string, keys = shop.keys) => {
    const reply = await call('GET', `/api/v1/changes?${query}`, { keys });
    return { ...reply, changes: reply.data as readonly Change[], meta: JSON.parse(reply.text).meta };
  };
  const latest = async (): Promise<string> =>
    (await call('GET', '/api/v1/changes/latest', { keys: shop.keys })).data.cursor;
  const place = async (): Promise<string> => {
    const reply = await call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    expect(reply.status).toBe(201);
    return reply.data.id;
  };
  const keysWith = (...permissions: Permission[]) =>
    createTestKeys(context, shop.organizationId, shop.integrator, { permissions }).then(({ keys }) => keys);
  return { shop, changes, latest, place, keysWith };
}

test('lists each change of an order once, in order, with the current order on the last one', async () => {
  const { shop, changes, latest, place } = await openShop();
  const owner = await service.staff(shop);
  const after = await latest();
  const orderId = await place();
  const step = (action: string, body = {}) =>
    owner.call('POST', `/staff/v1/orders/${orderId}/${action}`, body);
  const { data } = await call('GET', `/api/v1/orders/${orderId}`, { keys: shop.keys });
  if (data.status === 'draft') await step('accept');
  await step('pack');
  await step('cancel', { reason: 'Changed their mind' });

  const told = await changes(`after=${after}&types=order.*&include=data`);
  const types = [
    'order.placed',
    ...(data.status === 'draft' ? ['order.accepted'] : []),
    'order.packed',
    'order.canceled',
  ];
  expect(told.changes.map(({ type }) => type)).toEqual(types);
  for (const change of told.changes) expect(change.resource).toEqual({ type: 'order', id: orderId });
  const detail = await call('GET', `/api/v1/orders/${orderId}/detail`, { keys: shop.keys });
  expect(told.changes.map((change) => change.data)).toEqual([
    ...types.slice(1).map(() => undefined),
    detail.data,
  ]);
  // Whose stock came back: a reader of stock knows what to read again.
  const stock = { productIds: [expect.any(Number)], packageIds: [expect.any(Number)] };
  expect(told.changes.at(-1)!.facts).toEqual({ orderId, status: 'canceled', ...stock });
  expect(told.meta).toEqual({ cursor: expect.any(String), hasMore: false });
  expect((await changes(`after=${told.meta.cursor}`)).changes).toEqual([]);

  // Page by page, by the cursor of a page or the id of its last change.
  let cursor = after;
  const paged: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await changes(`after=${cursor}&types=order.*&limit=1`);
    paged.push(...page.changes.map(({ type }) => type));
    ({ hasMore, cursor } = page.meta);
    if (page.changes.length > 0) expect(cursor).toBe(page.changes.at(-1)!.id);
  }
  expect(paged).toEqual(types);
});

test('a key reads the events of what its permissions read, and data only with the permission of the list', async () => {
  const { shop, changes, latest, place, keysWith } = await openShop();
  const after = await latest();
  const orderId = await place();
  const owner = await service.staff(shop);
  await owner.call('PATCH', `/staff/v1/products/${shop.productId('Moonlit Grove')}`, { isFeatured: true });
  await owner.call('POST', '/staff/v1/customers', {
    firstName: 'Noor',
    lastName: 'Sandoval',
    email: 'noor@people.example.com',
  });
  const told = async (...permissions: Permission[]) => {
    const reply = await changes(`after=${after}&include=data`, await keysWith(...permissions));
    return new Map(reply.changes.map((change) => [change.type, change.data]));
  };
  const orders = await told('create-orders');
  expect([...orders.keys()]).toContain('order.placed');
  // Of the own orders, in full.
  expect(orders.get('order.placed')).toMatchObject({ status: 'new' });
  expect((await told('analytics')).get('order.placed')).toMatchObject({ id: orderId });
  const customers = await told('customers');
  expect(customers.get('customer.created')).toMatchObject({ email: expect.stringContaining('@') });
  expect([...customers.keys()].every((type) => type.startsWith('customer.'))).toBe(true);
  expect([...(await told('menu')).keys()]).toContain('product.updated');
  const all = await told('analytics', 'create-orders', 'customers', 'menu', 'products-inventory');
  for (const type of all.keys()) expect(publicEventOf(type)).not.toBeNull();
  expect([...all.keys()].some((type) => /^(staff|client_key|customer_document)/.test(type))).toBe(false);
});

test('a change of one shop is never told to another', async () => {
  const ours = await openShop();
  const theirs = await openShop();
  const [after, before] = [await theirs.latest(), await ours.latest()];
  await ours.place();
  expect((await theirs.changes(`after=${after}`)).changes).toEqual([]);
  const foreign = await theirs.changes(`after=${(await ours.changes(`after=${before}`)).meta.cursor}`);
  expect([200, 410]).toContain(foreign.status);
  expect(foreign.text).not.toContain('order.placed');
});

test('with wait, the reply comes with the first change, or empty when the time has passed', async () => {
  const { shop, changes, latest, place } = await openShop();
  const { baseUrl } = await service.listen();
  const after = await latest();
  const headers = { 'x-consumer-key': shop.keys.consumerKey!, 'x-client-key': shop.keys.clientKey! };
  const ask = (query: string) => fetch(`${baseUrl}/api/v1/changes?after=${after}&${query}`, { headers });
  const waiting = Array.from({ length: 5 }, () => ask('wait=25&types=order.placed'));
  const orderId = await place();
  const fromMs = performance.now();
  for (const reply of await Promise.all(waiting)) {
    const { data } = (await reply.json()) as { data: Change[] };
    expect(data.map(({ resource }) => resource.id)).toEqual([orderId]);
  }
  expect(performance.now() - fromMs).toBeLessThan(5_000);

  const unwanted = await changes(`after=${after}&types=tag.created&wait=1`);
  expect([unwanted.status, unwanted.changes]).toEqual([200, []]);
  expect(unwanted.meta.cursor).not.toBe(after);
});

test('requests that wait together each get their own page: of their permissions, types, limit and data', async () => {
  const { shop, changes, latest, place, keysWith } = await openShop();
  const after = await latest();
  const callers = [shop.keys, await keysWith('analytics'), await keysWith('customers')];
  const queries = [
    '',
    '&types=order.*',
    '&limit=1',
    '&include=data',
    '&limit=1&include=data&types=order.placed',
  ];
  // Each of them twice: equal questions have the same answer.
  const asked = [...callers, ...callers].flatMap((keys) =>
    queries.map((query) => ({ keys, query: `after=${after}${query}` })),
  );
  const waiting = asked.map(({ keys, query }) => changes(`${query}&wait=1`, keys));
  await place();
  const replies = await Promise.all(waiting);
  const sizes = new Set<number>();
  for (const [at, { keys, query }] of asked.entries()) {
    expect(replies[at]!.text, query).toBe((await changes(query, keys)).text);
    sizes.add(replies[at]!.changes.length);
  }
  // Among them a customer's events alone, which are not those of orders.
  expect([...sizes]).toEqual(expect.arrayContaining([0, 1]));
  expect(Math.max(...sizes)).toBeGreaterThan(1);
});

test('a waiting request gets its reply when the server stops', async () => {
  const second = await startOwnTestService({ database: service.database });
  const { shop, latest } = await openShop();
  const { baseUrl } = await second.listen();
  const headers = { 'x-consumer-key': shop.keys.consumerKey!, 'x-client-key': shop.keys.clientKey! };
  const after = await latest();
  const waiting = fetch(`${baseUrl}/api/v1/changes?after=${after}&wait=25`, { headers });
  await expect
    .poll(async () => (await fetch(`${baseUrl}/api/v1/changes/latest`, { headers })).status)
    .toBe(200);
  const fromMs = performance.now();
  await second.close();
  expect((await waiting).status).toBe(200);
  expect(performance.now() - fromMs).toBeLessThan(10_000);
});

test('deletions are listed: a product, an option, a customer who was merged or erased', async () => {
  const { shop, changes, latest } = await openShop();
  const owner = await service.staff(shop);
  const person = (name: string) =>
    owner.call('POST', '/staff/v1/customers', {
      firstName: name,
      lastName: 'Okafor',
      email: `${name.toLowerCase()}.${shop.organizationId}@people.example.com`,
    });
  const [kept, merged] = [(await person('Ada')).data.id, (await person('Ida')).data.id];
  const product = (
    await call('POST', '/api/v1/products', {
      keys: shop.keys,
      body: productBody({
        options: [
          { amount: 1, price: 900, content: '1' },
          { amount: 3.5, price: 2_800, content: '3.5' },
        ],
      }),
    })
  ).data;
  const after = await latest();
  const path = `/api/v1/products/${product.id}`;
  const [kept1, gone] = product.options;
  await call('PUT', `${path}/options`, { keys: shop.keys, body: { options: [{ id: kept1.id }] } });
  await call('PUT', path, {
    keys: shop.keys,
    body: { deletedAt: new Date(service.clock.now()).toISOString() },
  });
  await owner.call('POST', `/staff/v1/customers/${merged}/merge`, { intoCustomerId: kept });
  await owner.call('DELETE', `/staff/v1/customers/${kept}`, {});

  const told = (await changes(`after=${after}&include=data`)).changes;
  const of = (type: string) => told.find((change) => change.type === type);
  expect(of('option.deleted')).toMatchObject({
    resource: { type: 'option', id: String(gone.id) },
    facts: { productId: product.id, productOptionId: gone.id },
  });
  expect(of('product.deleted')).toMatchObject({ resource: { id: String(product.id) }, data: null });
  expect(of('customer.merged')).toMatchObject({
    facts: { customerId: merged, intoCustomerId: kept },
    data: null,
  });
  expect(of('customer.erased')).toMatchObject({ facts: { customerId: kept } });
});

test('events older than 30 days are deleted; a cursor before them is 410 with the remedy', async () => {
  const { shop, changes, latest, place } = await openShop();
  const before = await latest();
  await place();
  const kept = await latest();
  service.clock.advance(31 * 86_400_000);
  await place();
  expect((await purgeEvents(context, shop.organizationId)).pruned).toBeGreaterThan(0);
  const expired = await changes(`after=${before}`);
  expect([expired.status, expired.error]).toEqual([
    410,
    { code: 'CURSOR_EXPIRED', message: expect.stringContaining('/api/v1/changes/latest') },
  ]);
  expect((await changes(`after=${kept}&types=order.placed`)).changes).toHaveLength(1);
  expect((await changes('types=order.placed')).changes).toHaveLength(1);
  expect((await purgeEvents(context, shop.organizationId)).pruned).toBe(0);
});

test('a full page that is kept stays exact: for each permission and type, and it expires with its events', async () => {
  const { shop, changes, latest, keysWith } = await openShop();
  const start = await latest();
  const tell = (event: 'customer.updated' | 'product.updated', subjectId: number) =>
    context.database.write(shop.organizationId, (tx) =>
      announce(tx, context, testOrigin, context.clock.now(), {
        event,
        subjectType: event === 'customer.updated' ? 'customer' : 'product',
        subjectId,
        payload: { "it's": 'a "fact"', subjectId },
      } as unknown as Announcement),
    );
  for (let at = 0; at < 6; at += 1) await tell(at % 2 === 0 ? 'customer.updated' : 'product.updated', at);
  const page = `after=${start}&limit=3`;
  const [all, ofProducts] = [await changes(page), await changes(`${page}&types=product.*`)];
  const ids = (told: typeof all) => told.changes.map(({ resource }) => resource.id);
  expect(all.changes[0]!.facts).toEqual({ "it's": 'a "fact"', subjectId: 0 });
  const menuOnly = await keysWith('menu');
  await tell('product.updated', 6);
  for (let again = 0; again < 2; again += 1) {
    expect((await changes(page)).text).toBe(all.text);
    expect(ids(await changes(page))).toEqual(['0', '1', '2']);
    expect(ids(await changes(page, menuOnly))).toEqual(['1', '3', '5']);
    expect(ids(await changes(`${page}&types=customer.*`))).toEqual(['0', '2', '4']);
  }
  // It was the end of the feed when it was first read: what came since is behind it.
  const later = await changes(`${page}&types=product.*`);
  expect([ofProducts.meta.hasMore, later.meta.hasMore, ids(later)]).toEqual([false, true, ['1', '3', '5']]);
  expect(ids(await changes(`after=${ofProducts.meta.cursor}`))).toEqual(['6']);
  service.clock.advance(31 * 86_400_000);
  await tell('product.updated', 7);
  await purgeEvents(context, shop.organizationId);
  for (const keys of [shop.keys, menuOnly]) expect((await changes(page, keys)).status).toBe(410);
});

test('bad input is refused by name', async () => {
  const { changes } = await openShop();
  for (const [query, code, message] of [
    ['after=nonsense', 'INVALID_CURSOR', /after/],
    ['after=%00', 'INVALID_CURSOR', /after/],
    ['types=order.exploded', 'INVALID_PARAMS', /types names "order.exploded"/],
    ['limit=0', 'INVALID_PARAMS', /limit/],
    ['limit=501', 'INVALID_PARAMS', /limit/],
    ['wait=26', 'INVALID_PARAMS', /wait/],
    ['include=everything', 'INVALID_PARAMS', /include/],
  ] as const) {
    const { status, error } = await changes(query);
    expect([query, status, error?.code]).toEqual([query, 400, code]);
    expect(error?.message).toMatch(message);
  }
});

test('a page of rare events among many is bounded, and its cursor advances', async () => {
  const { shop, changes, latest } = await openShop();
  const after = await latest();
  await context.database.write(shop.organizationId, async (tx) => {
    const many = Array.from({ length: 12_000 }, (_, number) => ({
      event: 'tag.updated' as const,
      subjectType: 'tag' as const,
      subjectId: number,
      payload: { tagId: number },
    }));
    await announce(tx, context, testOrigin, context.clock.now(), ...many);
    await announce(tx, context, testOrigin, context.clock.now(), {
      event: 'tag.created',
      subjectType: 'tag',
      subjectId: 1,
      payload: { tagId: 1 },
    });
  });
  let cursor = after;
  let found = 0;
  let requests = 0;
  for (let hasMore = true; hasMore; requests += 1) {
    const page = await changes(`after=${cursor}&types=tag.created&limit=500`);
    found += page.changes.length;
    ({ cursor, hasMore } = page.meta);
  }
  expect(found).toBe(1);
  expect(requests).toBeGreaterThan(1);
  expect(requests).toBeLessThan(10);
  // Also a page of one event takes few reads to look through thousands.
  const { statistics } = context.database;
  const before = statistics.roundTrips;
  const rare = await changes(`after=${after}&types=tag.created&limit=1`);
  expect([rare.status, rare.meta.hasMore]).toEqual([200, true]);
  expect(statistics.roundTrips - before).toBeLessThan(20);
});

test('every event is public with the permissions of its resource, or belongs to the organization alone', () => {
  for (const type of allEventTypes) {
    const shown = publicEventOf(type);
    if (shown !== null) expect(shown.permissions.length).toBeGreaterThan(0);
  }
  expect(publicEventOf('staff.created')).toBeNull();
  expect(publicEventOf('order.placed')?.resource).toBe('order');
});
