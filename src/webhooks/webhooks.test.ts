import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../test/harness/test-shop.ts';
import { type Received, Receiver, testWorker } from './webhooks.test-support.ts';

const service = await startTestService();
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
