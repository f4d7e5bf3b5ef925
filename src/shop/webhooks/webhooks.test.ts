import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { MasterKeys } from '../../platform/storage/master-keys.ts';
import { type Received, Receiver, testWorker } from './webhooks.test-support.ts';
import { purgeDeletedEndpoints, purgeDeliveries, resealSecrets } from './webhooks.ts';

const service = await startOwnTestService();
const { call, clock, context } = service;
const worker = testWorker(service);
const receivers: Receiver[] = [];
afterEach(() => {
  vi.useRealTimers();
  expect(service.faults).toEqual([]);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.close();
});

async function receive(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  return receiver;
}

async function openShop() {
  const shop = await createTestShop(context);
  const ask = async (method: string, path: string, body?: object, keys = shop.keys) =>
    call(method, `/api/v1/webhook-endpoints${path}`, { keys, ...(body !== undefined && { body }) });
  const endpoint = async (url: string, body: object = {}, keys = shop.keys) => {
    const reply = await ask('POST', '', { url, ...body }, keys);
    expect([reply.status, reply.error]).toEqual([201, undefined]);
    return reply.data as { id: number; secret: string };
  };
  const deliveries = async (id: number) => (await ask('GET', `/${id}/deliveries`)).data;
  return {
    shop,
    ask,
    endpoint,
    deliveries,
    place: () => place(shop),
    pass: () => worker.pass(shop.organizationId),
  };
}

async function place(shop: TestShop): Promise<string> {
  const reply = await call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

/** What the reference library makes of a request, at the time of the service. */
function verified(secret: string, { headers, text }: Received): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  try {
    return new Webhook(secret).verify(text, headers);
  } finally {
    vi.useRealTimers();
  }
}

test('a change reaches an endpoint, signed as the reference library expects, and its delivery is seen', async () => {
  const { shop, endpoint, deliveries, place, pass, ask } = await openShop();
  const receiver = await receive();
  receiver.answer = (_, response) => void response.writeHead(200).end('thank you');
  const { id, secret } = await endpoint(receiver.url, { types: ['order.*'] });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await ask('GET', '');
  expect(listed.data).toEqual([
    {
      id,
      url: receiver.url,
      types: ['order.*'],
      enabled: true,
      failingSince: null,
      switchedOffAt: null,
      switchedOffReason: null,
      lastSuccessAt: null,
      previousSecretEndsAt: null,
      createdAt: new Date(clock.now()).toISOString(),
    },
  ]);
  const orderId = await place();
  await pass();
  expect(receiver.received).toHaveLength(1);
  const [message] = receiver.received;
  const changes = await call('GET', '/api/v1/changes?types=order.*', { keys: shop.keys });
  const [change] = changes.data;
  expect(verified(secret, message!)).toEqual({ type: 'order.placed', timestamp: change.at, data: change });
  expect(change.resource.id).toBe(orderId);
  expect(message!.headers).toMatchObject({
    'webhook-id': change.id,
    'webhook-timestamp': String(Math.floor(clock.now() / 1_000)),
    'content-type': 'application/json',
  });
  expect(() => verified(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, message!)).toThrow();
  expect(await deliveries(id)).toEqual([
    {
      id: expect.any(Number),
      changeId: change.id,
      type: 'order.placed',
      status: 'delivered',
      createdAt: expect.any(String),
      attempts: 1,
      nextAttemptAt: null,
      deliveredAt: new Date(clock.now()).toISOString(),
      lastAttempt: {
        at: new Date(clock.now()).toISOString(),
        status: 200,
        answer: 'thank you',
        error: null,
        milliseconds: expect.any(Number),
      },
    },
  ]);
  await pass();
  expect(receiver.received).toHaveLength(1);
});

test('after a rotation both secrets sign for 24 hours, then only the new one; the old text is never answered again', async () => {
  const { endpoint, place, pass, ask } = await openShop();
  const receiver = await receive();
  const { id, secret } = await endpoint(receiver.url, { types: ['order.placed'] });
  const rotated = await ask('POST', `/${id}/rotate-secret`);
  expect(rotated.status).toBe(200);
  expect(rotated.data.secret).not.toBe(secret);
  expect(rotated.data.previousSecretEndsAt).toBe(new Date(clock.now() + 86_400_000).toISOString());
  await place();
  await pass();
  const both = receiver.received[0]!;
  expect(both.headers['webhook-signature']!.split(' ')).toHaveLength(2);
  expect(verified(secret, both)).toEqual(verified(rotated.data.secret, both));
  clock.advance(86_400_000);
  await place();
  await pass();
  const one = receiver.received[1]!;
  expect(one.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  expect(verified(rotated.data.secret, one)).toMatchObject({ type: 'order.placed' });
  expect(() => verified(secret, one)).toThrow();
  const listed = await ask('GET', '');
  expect(listed.data[0].previousSecretEndsAt).toBeNull();
  expect(listed.text).not.toContain('whsec_');
});

test('the database has no secret in plain text, and the secret survives a new master key', async () => {
  const { shop, endpoint, place, pass, ask } = await openShop();
  const receiver = await receive();
  const { id, secret } = await endpoint(receiver.url, { types: ['order.placed'] });
  const { secret: second } = (await ask('POST', `/${id}/rotate-secret`)).data;
  const columns = async () =>
    (
      await tenantSql(
        context.database,
        shop.organizationId,
        'select secret, former_secret, secret_master_key_id as key_id from webhook_endpoints',
      )
    )[0]!;
  const before = await columns();
  for (const text of [secret, second]) {
    const bytes = Buffer.from(text.slice('whsec_'.length), 'base64');
    expect(Buffer.from(before.secret).includes(bytes)).toBe(false);
    expect(Buffer.from(before.former_secret).includes(bytes)).toBe(false);
  }
  const [former] = await service.documentFiles.keys.known();
  const keys = new MasterKeys({
    dataDir: service.documentFolder,
    documentMasterKeys: [randomBytes(32), former!.key],
  });
  await resealSecrets(context, keys, shop.organizationId);
  expect((await columns()).key_id).toBe((await keys.known())[0]!.id);
  await place();
  await testWorker(service, { keys }).pass(shop.organizationId);
  for (const text of [secret, second]) {
    expect(verified(text, receiver.received[0]!)).toMatchObject({ type: 'order.placed' });
  }
  // The other tests use the former key.
  await resealSecrets(
    context,
    new MasterKeys({
      dataDir: service.documentFolder,
      documentMasterKeys: [former!.key, (await keys.known())[0]!.key],
    }),
    shop.organizationId,
  );
  await pass();
});

test('an integrator manages its own endpoints only, and sees no other', async () => {
  const { shop, ask, endpoint, place, pass } = await openShop();
  const receiver = await receive();
  const { id } = await endpoint(receiver.url);
  await place();
  await pass();
  const [delivery] = (await ask('GET', `/${id}/deliveries`)).data;
  const integrator = await createTestIntegrator(context);
  const { keys: ofOther } = await createTestKeys(context, shop.organizationId, integrator);
  const { keys: ofElsewhere } = await createTestShop(context, { integrator: shop.integrator });
  const requests = [
    ['PATCH', `/${id}`, { enabled: false }],
    ['DELETE', `/${id}`, undefined],
    ['POST', `/${id}/rotate-secret`, undefined],
    ['GET', `/${id}/deliveries`, undefined],
    ['POST', `/${id}/deliveries/${delivery.id}/send`, undefined],
    ['POST', `/${id}/send-since`, { cursor: '0-0' }],
    ['POST', `/${id}/test`, undefined],
  ] as const;
  for (const keys of [ofOther, ofElsewhere]) {
    expect((await ask('GET', '', undefined, keys)).data).toEqual([]);
    for (const [method, path, body] of requests) {
      const reply = await ask(method, path, body, keys);
      expect([method, path, reply.error?.code]).toEqual([method, path, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
    }
  }
  // Another key of the same integrator manages it, whatever it may read.
  const { keys: sibling } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: [],
  });
  expect((await ask('PATCH', `/${id}`, { enabled: false }, sibling)).data.enabled).toBe(false);
  const second = await endpoint(receiver.url);
  const wrong = await ask('POST', `/${second.id}/deliveries/${delivery.id}/send`);
  expect(wrong.error?.code).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
});

test('one delivery is sent again, or all since a cursor, with the same ids and texts', async () => {
  const { shop, ask, endpoint, deliveries, place, pass } = await openShop();
  const receiver = await receive();
  await place();
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: shop.keys })).data;
  const { id } = await endpoint(receiver.url, { types: ['order.placed'] });
  for (let count = 0; count < 3; count += 1) await place();
  await pass();
  const first = receiver.received.splice(0);
  expect(first).toHaveLength(3);
  const page = await deliveries(id);
  const chosen = page.find((it: { changeId: string }) => it.changeId === first[1]!.body.data.id);
  const again = await ask('POST', `/${id}/deliveries/${chosen.id}/send`);
  expect(again.data).toMatchObject({ id: chosen.id, status: 'pending', attempts: 0, deliveredAt: null });
  await pass();
  expect(receiver.received.splice(0).map(({ text }) => text)).toEqual([first[1]!.text]);

  expect((await ask('POST', `/${id}/send-since`, { cursor })).status).toBe(204);
  await pass();
  const since = receiver.received.splice(0);
  const texts = (received: readonly Received[]) => received.map(({ text }) => text).toSorted();
  expect(texts(since)).toEqual(texts(first));
  expect((await deliveries(id)).map((it: { id: number }) => it.id)).toEqual(
    page.map((it: { id: number }) => it.id),
  );
  // Also what happened before the endpoint was there.
  expect((await ask('POST', `/${id}/send-since`, { cursor: '0-0' })).status).toBe(204);
  await pass();
  expect(receiver.received.splice(0)).toHaveLength(4);
  // Or since a time: events of that time are sent, too.
  clock.advance(60_000);
  const atPlacing = new Date(clock.now()).toISOString();
  await place();
  await pass();
  receiver.received.length = 0;
  expect((await ask('POST', `/${id}/send-since`, { since: atPlacing })).status).toBe(204);
  await pass();
  expect(receiver.received.splice(0)).toHaveLength(1);
  clock.advance(60_000);
  // After everything: nothing is sent again.
  expect(
    (await ask('POST', `/${id}/send-since`, { since: new Date(clock.now()).toISOString() })).status,
  ).toBe(204);
  for (const body of [{}, { cursor, since: atPlacing }]) {
    const refused = await ask('POST', `/${id}/send-since`, body);
    expect([refused.error?.code, refused.error?.message]).toEqual([
      'INVALID_PARAMS',
      'Send either cursor or since.',
    ]);
  }
  // A cursor of the end sends nothing again, and nothing is left out.
  const end = (await call('GET', '/api/v1/changes/latest', { keys: shop.keys })).data.cursor;
  await place();
  await ask('POST', `/${id}/send-since`, { cursor: end });
  await pass();
  expect(receiver.received).toHaveLength(1);
});

test('a test event reaches its endpoint only, and its delivery shows the answer', async () => {
  const { ask, endpoint, deliveries, pass, shop } = await openShop();
  const [receiver, other] = [await receive(), await receive()];
  receiver.answer = (_, response) => void response.writeHead(418).end('a teapot');
  const { id, secret } = await endpoint(receiver.url, { types: ['order.placed'] });
  await endpoint(other.url);
  const tested = await ask('POST', `/${id}/test`);
  expect([tested.status, tested.data.status]).toEqual([201, 'pending']);
  await pass();
  expect(verified(secret, receiver.received[0]!)).toMatchObject({
    type: 'webhook_endpoint.test',
    data: { resource: { type: 'webhook_endpoint', id: String(id) } },
  });
  expect(other.received).toEqual([]);
  expect((await deliveries(id))[0]).toMatchObject({
    id: tested.data.id,
    lastAttempt: { status: 418, answer: 'a teapot' },
  });
  expect((await call('GET', '/api/v1/changes', { keys: shop.keys })).text).not.toContain('webhook_endpoint');
});

test('types choose events, a change of the endpoint holds from then on, and a deleted one gets nothing', async () => {
  const { shop, ask, endpoint, place, pass } = await openShop();
  const [receiver, moved] = [await receive(), await receive()];
  const { id } = await endpoint(receiver.url, { types: ['product.*', 'order.canceled'] });
  const owner = await service.staff(shop);
  const orderId = await place();
  await owner.call('POST', `/staff/v1/orders/${orderId}/cancel`, { reason: 'Changed their mind' });
  await pass();
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['order.canceled']);
  await ask('PATCH', `/${id}`, { url: moved.url, types: [] });
  await place();
  await pass();
  expect(receiver.received).toHaveLength(1);
  expect(moved.received.map(({ body }) => body.type)).toContain('order.placed');
  const count = moved.received.length;
  await place();
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
  expect((await ask('DELETE', `/${id}`)).status).toBe(204);
  await pass();
  expect(moved.received).toHaveLength(count);
  expect((await ask('GET', '')).data).toEqual([]);
  expect((await ask('GET', `/${id}/deliveries`)).status).toBe(404);
});

test('deliveries are kept for 30 days; those of a deleted endpoint are deleted with it', async () => {
  const { shop, ask, endpoint, deliveries, place, pass } = await openShop();
  const receiver = await receive();
  const { id } = await endpoint(receiver.url, { types: ['order.placed'] });
  const { id: ended } = await endpoint(receiver.url, { types: ['order.placed'] });
  await place();
  await pass();
  await ask('DELETE', `/${ended}`);
  expect(await purgeDeletedEndpoints(context, shop.organizationId)).toBe(1);
  clock.advance(30 * 86_400_000);
  await place();
  await pass();
  expect(await purgeDeliveries(context, shop.organizationId)).toEqual({ pruned: 0, hasMore: false });
  expect(await deliveries(id)).toHaveLength(2);
  clock.advance(1);
  expect(await purgeDeliveries(context, shop.organizationId)).toEqual({ pruned: 1, hasMore: false });
  expect(await deliveries(id)).toHaveLength(1);
  const rows = await tenantSql(context.database, shop.organizationId, 'select id from webhook_endpoints');
  expect(rows.map((row) => Number(row.id))).toEqual([id]);
});
