import { Client } from 'pg';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader, type TestStaff } from '../../../test/harness/test-staff.ts';
import { updateSignInRules } from '../../access/sign-in/staff-sign-in.ts';
import { EventFeed } from '../../platform/events/event-feed.ts';
import type { EventStream, RequestLog } from '../../platform/http/endpoint.ts';
import { LiveEvents } from './live-events.ts';
import { type OpenStream, openStream } from './live-stream.test-support.ts';

const service = await startOwnTestService();
const { context, call } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const { baseUrl } = await service.listen();
afterAll(() => service.close());

const open: OpenStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
async function listen(
  member: TestStaff,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const stream = await openStream(baseUrl, { ...bearerHeader(member.token), ...headers });
  open.push(stream);
  return stream;
}
async function openConnection(): Promise<Client> {
  const client = new Client(service.database.owner);
  await client.connect();
  return client;
}
/** What programs send that have not heard of streams. */
const unasked = { accept: '*/*' };

async function place(at = shop): Promise<string> {
  const reply = await call('POST', '/api/v1/orders', { keys: at.keys, body: pickupBody(at) });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

test('tells of orders and the queue within moments, and nothing of what is in them', async () => {
  const member = await service.staff(shop, 'budtender');
  const stream = await listen(member);
  expect(stream.status).toBe(200);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.headers.get('cache-control')).toBe('no-store');
  expect((await stream.next())?.event).toBe('ready');
  const orderId = await place();
  const { data } = await stream.until('order.placed');
  expect(data).toEqual({ resource: 'order', id: orderId, name: 'order.placed' });
  const visitor = { firstName: 'Noor', lastName: 'Sandoval', email: 'noor@people.example.com' };
  await member.call('POST', '/staff/v1/instore-queues/intake', { person: visitor });
  expect((await stream.until('queue.checked_in')).data.resource).toBe('queue');
  expect(stream.text).not.toMatch(/noor|example\.com/i);
});

test('is open to a browser, which can only send its cookie', async () => {
  const { token } = await service.staff(shop);
  const stream = await openStream(baseUrl, { cookie: `dispensary_session=${token}` });
  open.push(stream);
  expect((await stream.next())?.event).toBe('ready');
});

test('sends no changes of another organization, and to each role what it may read', async () => {
  const [budtender, storekeeper, owner, stranger] = await Promise.all([
    listen(await service.staff(shop, 'budtender')),
    listen(await service.staff(shop, 'inventory')),
    listen(await service.staff(shop)),
    listen(await service.staff(other)),
  ]);
  for (const stream of [budtender, storekeeper, owner, stranger]) await stream.until('ready');
  await place();
  const manager = await service.staff(shop, 'manager');
  await manager.call('POST', '/staff/v1/inventory-vendors', { name: 'Cedar Ridge' });
  const productId = shop.productId('Moonlit Grove');
  await manager.call('PATCH', `/staff/v1/products/${productId}`, { isFeatured: true });
  await place(other);
  for (const stream of [budtender, storekeeper, owner, stranger]) {
    await stream.until(stream === stranger ? 'order.placed' : 'product.updated');
  }
  expect(budtender.text).toContain('order.placed');
  expect(budtender.text).not.toMatch(/inventory_vendor|"staff|client_key/);
  expect(storekeeper.text).toContain('inventory_vendor.created');
  expect(storekeeper.text).not.toMatch(/"order|"staff|client_key/);
  for (const name of ['order.placed', 'inventory_vendor.created']) expect(owner.text).toContain(name);
  expect(stranger.text).not.toMatch(/inventory_vendor|product\.updated/);
});

test('a listener that returns with its last id gets the missed events, for any order of commits', async () => {
  const member = await service.staff(shop);
  const first = await listen(member);
  await first.until('ready');
  await place();
  const { id } = await first.until('order.placed');
  first.close();

  // A write that began before the next one, and commits after it.
  const late = await openConnection();
  await late.query('begin');
  await late.query(`select set_config('app.organization_id', $1, true)`, [String(shop.organizationId)]);
  await late.query(
    `insert into outbox_events (organization_id, id, type, subject_id, payload, created_at)
     values ($1, 900000000000000, 'order.updated', 'the late one', '{}', now())`,
    [shop.organizationId],
  );
  const orderId = await place();
  const second = await listen(member, { 'last-event-id': id });
  for (let seen = ''; seen !== orderId; ) seen = (await second.until('order.placed')).data.id!;
  await late.query('commit');
  await late.end();
  expect((await second.until('order.updated')).data.id).toBe('the late one');
});

test.each(['', 'nonsense', '9223372036854775807', '-1', '99999999999999999999'])(
  'a listener that returns with %j must read everything again',
  async (lastEventId) => {
    const stream = await listen(await service.staff(shop), { 'last-event-id': lastEventId, ...unasked });
    const message = await stream.next();
    // An empty header is what a browser sends that has seen no id.
    expect(message?.event).toBe(lastEventId === '' ? 'ready' : 'resync');
    expect(await stream.next()).toBeNull();
  },
);

test('a listener that missed too many events must read everything again, also while listening', async () => {
  const member = await service.staff(shop);
  const stream = await listen(member);
  const { id } = await stream.until('ready');
  const many = await openConnection();
  await many.query(`select set_config('app.organization_id', $1, false)`, [String(shop.organizationId)]);
  await many.query(
    `insert into outbox_events (organization_id, id, type, subject_id, payload, created_at)
     select $1, 900000000000000 + n, 'product.updated', n, '{}', now() from generate_series(1, 1200) n`,
    [shop.organizationId],
  );
  await many.end();
  await stream.until('resync');
  expect(stream.text.split('event: resync')[0]).not.toContain('product.updated');
  const back = await listen(member, { 'last-event-id': id, ...unasked });
  expect((await back.next())?.event).toBe('resync');
});

test.each([
  ['signs out', (member: TestStaff) => member.call('DELETE', '/staff/v1/sessions/current')],
  [
    'is disabled',
    async ({ staffId }: TestStaff) =>
      (await service.staff(shop)).call('PATCH', `/staff/v1/staff/${staffId}`, { disabled: true }),
  ],
] as const)('ends for who %s', async (_, leave) => {
  const member = await service.staff(shop, 'budtender');
  const [stream, stays] = [await listen(member), await listen(await service.staff(shop))];
  await stream.until('ready');
  expect((await leave(member)).status).toBeLessThan(300);
  while ((await stream.next()) !== null);
  await place();
  await stays.until('order.placed');
});

test('ends for all of an organization whose network address is no longer allowed, and for no one else', async () => {
  const closed = await createTestShop(context);
  const streams = [await listen(await service.staff(closed)), await listen(await service.staff(closed))];
  const stays = await listen(await service.staff(shop));
  for (const stream of [...streams, stays]) await stream.until('ready');
  const allowedAddresses = ['203.0.113.0/24'];
  await updateSignInRules(context, testOrigin, closed.organizationId, { allowedAddresses });
  for (const stream of streams) while ((await stream.next()) !== null);
  await place();
  await stays.until('order.placed');
});

test('listening is no use of a session: it ends after 12 hours all the same', async () => {
  const stream = await listen(await service.staff(shop));
  await stream.until('ready');
  service.clock.advance(12 * 3_600_000);
  while ((await stream.next()) !== null);
});

test('a session listens six times at once, and again when one has ended', async () => {
  const member = await service.staff(shop);
  const streams: OpenStream[] = [];
  for (let count = 0; count < 6; count++) streams.push(await listen(member));
  const refused = await member.call('GET', '/staff/v1/live');
  expect([refused.status, refused.error?.code]).toEqual([429, 'RATE_LIMITED']);
  expect(refused.headers['retry-after']).toBeDefined();
  streams[0]!.close();
  await expect.poll(async () => (await member.call('GET', '/staff/v1/live')).status).toBe(200);
});

test('asked for its head only, it ends', async () => {
  const { token } = await service.staff(shop);
  const head = await fetch(`${baseUrl}/staff/v1/live`, { method: 'HEAD', headers: bearerHeader(token) });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(await head.text()).toBe('');
});

test('continues after the database was away, and misses nothing', async () => {
  const stream = await listen(await service.staff(shop));
  await stream.until('ready');
  const [row] = await execute(service.database.owner, 'select current_database() as name');
  await execute(
    inject('server').admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${row!.name}'`,
  );
  await expect.poll(async () => (await call('GET', '/api/v1/whoami', { keys: shop.keys })).status).toBe(200);
  const orderId = await place();
  for (let seen = ''; seen !== orderId; ) seen = (await stream.until('order.placed')).data.id!;
});

test('tells of what another process on the same database has written, also to who comes back to the other', async () => {
  const second = await startOwnTestService({ database: service.database });
  const { baseUrl: secondUrl } = await second.listen();
  const member = await service.staff(shop);
  const elsewhere = await openStream(secondUrl, bearerHeader(member.token));
  open.push(elsewhere);
  await elsewhere.until('ready');
  const orderId = await place();
  const told = await elsewhere.until('order.placed');
  expect(told.data.id).toBe(orderId);
  const missed = await second.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  const here = await listen(member, { 'last-event-id': told.id });
  for (let seen = ''; seen !== missed.data.id; ) seen = (await here.until('order.placed')).data.id!;
  await second.close();
});

/** A stream that keeps what is written, and is as unread as a test wants it. */
function keptStream() {
  const written: string[] = [];
  let then: (() => void)[] = [];
  const close = () => {
    for (const one of then) one();
    then = [];
  };
  const kept = { unreadBytes: 0, isCut: false };
  const stream: EventStream = {
    write: (text) => void written.push(text),
    end: close,
    cut: () => {
      kept.isCut = true;
      close();
    },
    get unreadBytes() {
      return kept.unreadBytes;
    },
    onceClosed: (one) => void then.push(one),
  };
  return { stream, written, kept };
}
const log = { warn: () => {} } as unknown as RequestLog;
const callerOf = ({ staffId, sessionId, role, email }: TestStaff) => ({
  organizationId: shop.organizationId,
  staffId,
  sessionId,
  role,
  email,
  firstName: 'Robin',
  lastName: 'Castellan',
  standing: {
    provenAtMs: 0,
    hasSecondFactor: false,
    hasPasskey: false,
    mustSetUpFactor: false,
    isAllowedFrom: null,
    proofAboveCents: null,
  },
});

test('says something now and then, and cuts who does not read', async () => {
  const live = new LiveEvents(context, undefined, { lookEveryMs: 5, heartbeatEveryMs: 20 });
  const staff = callerOf(await service.staff(shop));
  const { stream, written, kept } = keptStream();
  await live.join(staff, stream, { lastEventId: undefined, follow: true, log, clientAddress: '127.0.0.1' });
  await expect.poll(() => written.filter((text) => text === ':\n\n').length).toBeGreaterThan(1);
  kept.unreadBytes = 70_000;
  await expect.poll(() => kept.isCut).toBe(true);
});

test('one look at an organization is one round trip for all listeners, and none without listeners', async () => {
  const live = new LiveEvents(context, undefined, { lookEveryMs: 1, heartbeatEveryMs: 15_000 });
  const staff = callerOf(await service.staff(shop));
  const streams = Array.from({ length: 6 }, keptStream);
  for (const { stream } of streams)
    await live.join(staff, stream, { lastEventId: undefined, follow: true, log, clientAddress: '127.0.0.1' });
  const { statistics } = context.database;
  const before = { ...statistics };
  await expect.poll(() => statistics.roundTrips - before.roundTrips).toBeGreaterThan(5);
  const [trips, statements] = [
    statistics.roundTrips - before.roundTrips,
    statistics.statements - before.statements,
  ];
  expect(statements / trips).toBeLessThanOrEqual(4);
  for (const { stream } of streams) stream.end();
  await expect
    .poll(async () => {
      const { roundTrips } = statistics;
      await new Promise((resolve) => setImmediate(resolve));
      return statistics.roundTrips - roundTrips;
    })
    .toBe(0);
});

test('a listener gets the events that commit while it joins', async () => {
  const { clock, database } = context;
  let isPlaced: () => void = () => {};
  const placed = new Promise<void>((resolve) => {
    isPlaced = resolve;
  });
  let reads = 0;
  /** The first read, which says where the feed ends, returns after the order has committed. */
  const slow = {
    read: async (...given: Parameters<typeof database.read>) => {
      const rows = await database.read(...given);
      // Counted once it has its snapshot: the order is placed behind it.
      reads += 1;
      if (reads === 1) await placed;
      return rows;
    },
    write: database.write.bind(database),
  } as unknown as typeof database;
  const staff = callerOf(await service.staff(shop));
  await new EventFeed(database).publish(shop.organizationId);
  const feed = new EventFeed(slow, 5);
  const live = new LiveEvents({ clock, database: slow }, feed, {
    lookEveryMs: 500,
    heartbeatEveryMs: 15_000,
  });
  const { stream, written } = keptStream();
  const joined = live.join(staff, stream, {
    lastEventId: undefined,
    follow: true,
    log,
    clientAddress: '127.0.0.1',
  });
  await expect.poll(() => reads).toBe(1);
  const orderId = await place();
  isPlaced();
  await joined;
  await expect.poll(() => written.join('')).toContain(orderId);
  stream.end();
});

test('while a write stays open for long, the other events come once', async () => {
  const stream = await listen(await service.staff(shop));
  await stream.until('ready');
  const open = await openConnection();
  await open.query('begin');
  await open.query('select pg_current_xact_id()');
  const placed = [];
  // Each is seen by another look.
  for (let count = 0; count < 3; count++) {
    const id = await place();
    for (let seen = ''; seen !== id; ) seen = (await stream.until('order.placed')).data.id!;
    placed.push(id);
  }
  await open.query('commit');
  await open.end();
  for (const id of placed) expect(stream.text.split(`"${id}","name":"order.placed"`)).toHaveLength(2);
});

test('streams end with the server, and the server with them', async () => {
  const second = await startOwnTestService({ database: service.database });
  const { baseUrl: url } = await second.listen();
  const member = await second.staff(shop);
  const stream = await openStream(url, bearerHeader(member.token));
  await stream.until('ready');
  await second.close();
  expect(await stream.next()).toBeNull();
});
