import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checksumOf } from '../../sdk/integrator/src/mirror/checksum.ts';
import { allEventTypes } from '../../src/app/app.ts';
import type { SubjectType } from '../../src/kernel/event-catalog.ts';
import type { KeyPermission, Permission } from '../../src/kernel/permission-catalog.ts';
import { keyPermissions, wholeOf } from '../../src/kernel/permission-catalog.ts';
import { type Announcement, announce } from '../../src/platform/events/announce.ts';
import { Receiver, testWorker } from '../../src/shop/webhooks/webhooks.test-support.ts';
import {
  createTenant,
  idPlaces,
  send,
  type Tenant,
  validRequest,
  withIdAt,
} from '../contract/contract-world.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestIntegrator,
  type TestKeys,
  testOrigin,
} from '../harness/test-shop.ts';

/*
 * Two integrators of one shop. Without `analytics` neither sees anything of the other's orders: in no reply of any operation, in
 * no event of any type, by no webhook, in no copy. The rule is of the integrator: its keys see each other's orders.
 */

const service = await startOwnTestService();
const { context, call } = service;
/** The other integrator's shop: orders in every status, returned ones too. */
let theirs: Tenant;
let own: TestIntegrator;
/** The ids of the other integrator's orders, and of what belongs to them. */
let foreignIds: ReadonlySet<string>;
/** Our order, placed by a key that reads nothing afterwards. */
let ownOrderId: string;
const keysOf = new Map<KeyPermission, TestKeys>();

/** What the events of a subject tell, by the permission that reads its resource (D8); stated here again, by hand. */
const readers: Readonly<Record<string, readonly Permission[]>> = {
  order: ['analytics'],
  customer: ['analytics', 'customers'],
  customer_group: ['customers'],
  loyalty_event: ['customers'],
  ...Object.fromEntries(
    [
      ...['product', 'product_options', 'option', 'product_category', 'product_sub_category'],
      ...['brand', 'tag', 'catalog'],
    ].map((subject) => [subject, ['analytics', 'menu', 'products-inventory'] as const]),
  ),
  stock: ['analytics'],
  package: ['analytics'],
  compliance_transfer: ['analytics'],
  inventory_vendor: ['analytics', 'products-inventory'],
  purchase_order: ['analytics', 'products-inventory'],
  inventory_location: ['analytics'],
  payment_type: ['create-orders'],
  queue: ['analytics'],
  organization: ['analytics'],
  report: ['analytics'],
};
const toldToNoKey = new Set([
  ...['organization.exported', 'organization.operated', 'customer.exported', 'order.receipt_sent'],
]);

/** Whether a key that has one permission, or one part of it, reads an event of that type about the other's order or a thing of the shop. */
function isTold(type: string, permission: KeyPermission): boolean {
  if (toldToNoKey.has(type) || permission.endsWith(':write')) return false;
  return (readers[type.split('.', 1)[0]!] ?? []).includes(wholeOf(permission));
}

const organization = () => theirs.shop.organizationId;

const isAboutOrder = (type: string) => /^(order|report)\./.test(type);

/** One event of every type: about an order of each integrator, or about something of the shop. */
async function announceAllTypes(marker: string): Promise<void> {
  const about = (type: string) => (isAboutOrder(type) ? [String(theirs.ids.orderId), ownOrderId] : ['4711']);
  await context.database.write(organization(), (tx) =>
    announce(
      tx,
      context,
      testOrigin,
      context.clock.now(),
      ...allEventTypes.flatMap(
        (event) =>
          about(event).map((subjectId) => ({
            event,
            subjectType: event.split('.', 1)[0] as SubjectType,
            subjectId,
            payload: { marker, productIds: [4712], packageIds: [4713] },
          })) as unknown as Announcement[],
      ),
    ),
  );
}

beforeAll(async () => {
  theirs = await createTenant(service);
  own = await createTestIntegrator(context);
  for (const permission of keyPermissions) {
    const made = await createTestKeys(context, organization(), own, {
      permissions: [permission as Permission],
    });
    keysOf.set(permission, made.keys);
  }
  const rows = await tenantSql(
    context.database,
    organization(),
    `select id::text as id from orders
      union all select idempotency_key::text from orders where idempotency_key is not null
      union all select id::text from order_line_items union all select id::text from order_returns`,
  );
  foreignIds = new Set(rows.map(({ id }) => id as string));
  const placed = await call('POST', '/api/v1/orders', {
    keys: keysOf.get('create-orders:write')!,
    body: pickupBody(theirs.shop),
  });
  expect(placed.status).toBe(201);
  ownOrderId = placed.data.id;
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** Every id and name in a reply. */
function valuesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesIn);
}

const walled = keyPermissions.filter((permission) => permission !== 'analytics');

describe.each(walled)('a key with %s alone', (permission) => {
  test('sees nothing of the orders of another integrator in any reply, whichever of their ids it sends', async () => {
    const keys = keysOf.get(permission)!;
    const shown: unknown[] = [];
    const state = () =>
      tenantSql(
        context.database,
        organization(),
        'select o.*::text as row from orders o where integrator_id = $1 order by id',
        theirs.shop.integrator.id,
      );
    const before = await state();
    for (const endpoint of service.endpoints) {
      // Ends or moves the whole shop, which is of both.
      if (endpoint.path.includes('/sandbox')) continue;
      const plain = validRequest(endpoint, theirs);
      const requests = [
        plain,
        ...idPlaces(endpoint).map((place) =>
          withIdAt(plain, place, theirs.ids[`${endpoint.id}.${place.name}`] ?? theirs.ids[place.name]!),
        ),
        ...('query' in endpoint && endpoint.query !== undefined
          ? [
              { ...plain, query: { ...plain.query, include: 'data' } },
              { ...plain, query: { ...plain.query, idempotencyKey: [...foreignIds][0] } },
            ]
          : []),
      ];
      for (const request of requests) {
        const reply = await send(service, endpoint, request, { keys });
        expect(reply.status).toBeLessThan(500);
        const asked = new Set(valuesIn(request));
        // A refusal repeats the id that was sent, and tells no more than of an id that does not exist.
        const told = valuesIn(
          reply.error === undefined ? JSON.parse(reply.text || '{}') : (reply.error.meta ?? {}),
        );
        const found = told.filter((value) => foreignIds.has(value) && !(reply.error && asked.has(value)));
        if (found.length > 0 || reply.text.includes(theirs.shop.integrator.name))
          shown.push([endpoint.id, found]);
      }
    }
    expect(shown).toEqual([]);
    expect(await state()).toEqual(before);
  });
});

test('of each type of event a key is told what its one permission reads, and of orders those of its own integrator', async () => {
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: theirs.shop.keys })).data;
  const marker = randomUUID();
  await announceAllTypes(marker);
  for (const permission of keyPermissions) {
    const reply = await call('GET', '/api/v1/changes', {
      keys: keysOf.get(permission)!,
      query: { after: cursor, limit: 500, include: 'data' },
    });
    const told = (reply.data as { type: string; resource: { id: string }; facts: object }[])
      .map(({ type, resource }) => `${type} ${resource.id}`)
      .toSorted();
    const readsOwn = permission === 'create-orders' || permission === 'create-orders:read';
    const expected = allEventTypes.flatMap((type) => {
      const isOfOrder = isAboutOrder(type);
      const ownToo = type.startsWith('order.') && !toldToNoKey.has(type) && readsOwn;
      const foreign = `${type} ${isOfOrder ? theirs.ids.orderId : '4711'}`;
      if (isTold(type, permission)) return isOfOrder ? [foreign, `${type} ${ownOrderId}`] : [foreign];
      return ownToo ? [`${type} ${ownOrderId}`] : [];
    });
    expect([permission, told]).toEqual([permission, expected.toSorted()]);
    if (permission !== 'analytics') expect(reply.text).not.toContain(String(theirs.ids.orderId));
  }
});

test('a request that waits is woken by own orders, and not by those of another integrator', async () => {
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: theirs.shop.keys })).data;
  const wait = (keys: TestKeys) =>
    call('GET', '/api/v1/changes', { keys, query: { after: cursor, wait: 20, types: 'order.placed' } });
  const other = await createTestKeys(context, organization(), theirs.shop.integrator, {
    permissions: ['create-orders'],
  });
  const waiting = [wait(keysOf.get('create-orders')!), wait(other.keys), wait(keysOf.get('analytics')!)];
  // First theirs: a reader that is woken by it wrongly answers with it.
  const ids: string[] = [];
  for (const keys of [theirs.shop.keys, keysOf.get('create-orders')!]) {
    const placed = await call('POST', '/api/v1/orders', { keys, body: pickupBody(theirs.shop) });
    expect(placed.status).toBe(201);
    ids.push(placed.data.id);
  }
  const [ofOwn, ofTheirs, ofAll] = await Promise.all(waiting);
  const told = (reply: typeof ofOwn) =>
    reply!.data.map((event: { resource: { id: string } }) => event.resource.id);
  expect(told(ofOwn)).toEqual([ids[1]]);
  expect(told(ofTheirs)).toEqual([ids[0]]);
  expect(told(ofAll)[0]).toEqual(ids[0]);
});

test('statuses and pages of changes are of the integrator that asks, also right after another asked the same', async () => {
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: theirs.shop.keys })).data;
  const sides = [
    { keys: keysOf.get('create-orders')!, id: '' },
    {
      keys: (
        await createTestKeys(context, organization(), theirs.shop.integrator, {
          permissions: ['create-orders'],
        })
      ).keys,
      id: '',
    },
  ];
  for (const side of [...sides, ...sides]) {
    const placed = await call('POST', '/api/v1/orders', { keys: side.keys, body: pickupBody(theirs.shop) });
    side.id = placed.data.id;
  }
  const query = { ids: sides.map(({ id }) => id).join(',') };
  // Twice each: a full page is kept for the next reader.
  for (const { keys, id } of [...sides, ...sides]) {
    const statuses = await call('GET', '/api/v1/orders/statuses', { keys, query });
    expect(statuses.data.map((order: { id: string }) => order.id)).toEqual([id]);
    const page = await call('GET', '/api/v1/changes', {
      keys,
      query: { after: cursor, types: 'order.placed', limit: 1 },
    });
    expect(page.data).toHaveLength(1);
    const next = await call('GET', '/api/v1/changes', {
      keys,
      query: { after: page.meta.cursor, types: 'order.placed', limit: 1 },
    });
    expect(next.data.map((event: { resource: { id: string } }) => event.resource.id)).toEqual([id]);
  }
  for (const { keys } of sides) {
    const foreign = sides.find((side) => side.keys !== keys)!.id;
    expect((await call('GET', `/api/v1/orders/${foreign}`, { keys })).error?.code).toBe('ORDER_NOT_FOUND');
  }
  for (const { id } of sides) {
    const all = await call('GET', `/api/v1/orders/${id}`, { keys: theirs.shop.keys });
    expect(all.data).toEqual({ id, status: 'new' });
  }
});

test('the copy of a key without analytics is that of its own orders: records, checksum and data of events', async () => {
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: theirs.shop.keys })).data;
  const both = [theirs.shop.keys, keysOf.get('create-orders')!];
  const placed: string[] = [];
  for (const keys of [...both, ...both]) {
    const reply = await call('POST', '/api/v1/orders', { keys, body: pickupBody(theirs.shop) });
    expect(reply.status).toBe(201);
    if (keys !== theirs.shop.keys) placed.push(reply.data.id);
  }
  const rows = await tenantSql(
    context.database,
    organization(),
    'select id::text as id, updated_at from orders where integrator_id = $1 order by id',
    own.id,
  );
  const ids = rows.map(({ id }) => id as string);
  for (const permission of ['create-orders', 'create-orders:read'] as const) {
    const read = (path: string, query = {}) =>
      call('GET', `/api/v1/${path}`, { keys: keysOf.get(permission)!, query });
    const records = (await read('records/orders')).data as { id: string; updatedAt: string }[];
    expect(records.map(({ id }) => id)).toEqual(ids);
    const named = await read('records/orders', {
      ids: [...[...foreignIds].filter((id) => id.length === 36), ...ids].slice(-100).join(','),
    });
    expect(named.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-named.data.length));
    const { count, digest } = checksumOf(records);
    expect((await read('checksums/orders')).data).toMatchObject({ count, digest });
    expect((await read('checksums/orders', { month: '1999-01' })).data).toMatchObject({
      count: 0,
      months: [],
    });
    const events = await read('changes', { after: cursor, include: 'data' });
    expect(events.data.map(({ data }: { data: { id: string } }) => data.id)).toEqual(placed);
  }
  const all = await call('GET', '/api/v1/checksums/orders', { keys: keysOf.get('analytics')! });
  expect(all.data.count).toBeGreaterThan(ids.length);
  for (const permission of ['customers', 'menu', 'products-inventory', 'create-orders:write'] as const) {
    const refused = await call('GET', '/api/v1/checksums/orders', { keys: keysOf.get(permission)! });
    expect(refused.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  }
});

test('keys of one integrator that read the same events see the customers of orders each by its own right', async () => {
  const proven = await createTestKeys(context, organization(), own, {
    permissions: ['create-orders'],
    vouches: false,
  });
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: theirs.shop.keys })).data;
  const query = { after: cursor, wait: 20, types: 'order.placed', include: 'data' };
  const both = [keysOf.get('create-orders')!, proven.keys];
  const waiting = both.map((keys) => call('GET', '/api/v1/changes', { keys, query }));
  await call('POST', '/api/v1/orders', { keys: both[0]!, body: pickupBody(theirs.shop) });
  const [ofVouched, ofProven] = await Promise.all(waiting);
  expect(ofVouched!.data[0].data.customer).toMatchObject({ email: 'marisol@customers.example.com' });
  expect(ofProven!.data[0].data).toMatchObject({ customer: {} });
  expect(ofProven!.text).not.toMatch(/userId|marisol/);
});

test('a webhook endpoint sends what its key reads now: also one that was made earlier, and what waits to be sent again', async () => {
  const shop = await createTestShop(context);
  const receiver = await Receiver.start();
  receiver.answer = (_, response) => void response.writeHead(500).end();
  const worker = testWorker(service);
  const { id: keyId, keys } = await createTestKeys(context, shop.organizationId, own, {
    permissions: ['analytics', 'create-orders'],
  });
  const made = await call('POST', '/api/v1/webhook-endpoints', {
    keys,
    body: { url: receiver.url, types: ['order.*'] },
  });
  expect(made.status).toBe(201);
  const place = async (of: TestKeys) => {
    const placed = await call('POST', '/api/v1/orders', { keys: of, body: pickupBody(shop) });
    expect(placed.status).toBe(201);
    return placed.data.id as string;
  };
  const [first, mine] = [await place(shop.keys), await place(keys)];
  await worker.pass(shop.organizationId);
  const sent = () => receiver.received.map(({ body }) => body.data.resource.id);
  expect(sent().toSorted()).toEqual([first, mine].toSorted());
  // From now on the key reads its own orders alone.
  await tenantSql(
    context.database,
    shop.organizationId,
    `update client_keys set permissions = '{create-orders}' where id = $1`,
    keyId,
  );
  receiver.received.length = 0;
  receiver.answer = (_, response) => void response.writeHead(204).end();
  service.clock.advance(3_600_000);
  const later = [await place(shop.keys), await place(keys)];
  await worker.pass(shop.organizationId);
  expect(sent().toSorted()).toEqual([mine, later[1]].toSorted());
  await worker.stop();
  await receiver.close();
});

test('a key cannot lead the events of another key of its integrator to itself, nor read what that one was sent', async () => {
  const shop = await createTestShop(context);
  const lesser = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders', 'menu'],
  });
  const body = { url: 'https://hooks.example.com/all' };
  const made = await call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body });
  const path = `/api/v1/webhook-endpoints/${made.data.id}`;
  const tested = await call('POST', `${path}/test`, { keys: shop.keys });
  const attempts: readonly (readonly [string, string, object?])[] = [
    ['PATCH', path, { url: 'https://evil.example.com/' }],
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/deliveries/${tested.data.id}/send`],
  ];
  const paths = service.endpoints.map(({ method, path: known }) => `${method} ${known}`);
  for (const [method, at, sent] of attempts) {
    const known = at
      .replace(String(made.data.id), '{webhookEndpointId}')
      .replace(String(tested.data.id), '{webhookDeliveryId}');
    expect(paths).toContain(`${method} ${known}`);
    const reply = await call(method, at, { keys: lesser.keys, ...(sent && { body: sent }) });
    expect([method, at, reply.error?.code]).toEqual([method, at, 'INSUFFICIENT_PERMISSIONS']);
    const allowed = await call(method, at, { keys: shop.keys, ...(sent && { body: sent }) });
    expect([method, at, allowed.error]).toEqual([method, at, undefined]);
  }
  // Its own it manages, and so does the key that reads more.
  const own = await call('POST', '/api/v1/webhook-endpoints', { keys: lesser.keys, body });
  for (const keys of [lesser.keys, shop.keys]) {
    const reply = await call('PATCH', `/api/v1/webhook-endpoints/${own.data.id}`, { keys, body });
    expect(reply.status).toBe(200);
  }
});
