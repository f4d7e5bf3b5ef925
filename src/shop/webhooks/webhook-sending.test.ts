import { afterAll, afterEach, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { revokeClientKey } from '../../access/keys/keys.ts';
import { createStaff } from '../../access/staff/staff.ts';
import type { Permission } from '../../kernel/permission-catalog.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { networkWith } from '../../platform/http/guarded-fetch.ts';
import { pausesMs } from './delivery-schedule.ts';
import {
  announceProducts,
  firstArrivals,
  placesByProduct,
  Receiver,
  testWorker,
} from './webhooks.test-support.ts';

/** Sending: order, retries, and what is recorded of it (D66). */
const service = await startOwnTestService();
const { call, clock, context } = service;
const worker = testWorker(service);
const receivers: Receiver[] = [];
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await worker.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.close();
});

const day = 86_400_000;
const fails: Receiver['answer'] = (_, response) => void response.writeHead(500).end('out of order');
const accepts: Receiver['answer'] = (_, response) => void response.writeHead(204).end();

async function receive(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  return receiver;
}

async function openShop() {
  const shop = await createTestShop(context);
  const { organizationId } = shop;
  const ask = (method: string, path: string, body?: object, keys = shop.keys) =>
    call(method, `/api/v1/webhook-endpoints${path}`, { keys, ...(body !== undefined && { body }) });
  return {
    shop,
    ask,
    endpoint: async (receiver: Pick<Receiver, 'url'>, keys = shop.keys): Promise<number> =>
      (await ask('POST', '', { url: receiver.url, types: ['product.updated'] }, keys)).data.id,
    shown: async (id: number) => (await ask('GET', '')).data.find((it: { id: number }) => it.id === id),
    deliveries: async (id: number) => (await ask('GET', `/${id}/deliveries`)).data,
    announceAll: (...productIds: number[]) => announceProducts(service, organizationId, productIds),
    pass: () => worker.pass(organizationId),
  };
}

test('a failed event holds back the later ones of its resource at its endpoint, and nothing else', async () => {
  const { endpoint, announceAll, pass, deliveries } = await openShop();
  const [one, other] = [await receive(), await receive()];
  one.answer = (received, response, request) =>
    (received.body.data.resource.id === '1' ? fails : accepts)(received, response, request);
  const id = await endpoint(one);
  await endpoint(other);
  await announceAll(1, 2, 1, 2, 1);
  await pass();
  expect(placesByProduct(one.received)).toEqual({ 1: [0], 2: [1, 3] });
  expect(placesByProduct(other.received)).toEqual({ 1: [0, 2, 4], 2: [1, 3] });
  clock.advance(pausesMs[0]! - 1);
  await pass();
  expect(one.received).toHaveLength(3);
  one.answer = accepts;
  clock.advance(1);
  await pass();
  expect(placesByProduct(one.received)).toEqual({ 1: [0, 0, 2, 4], 2: [1, 3] });
  const [again, first] = [one.received[3]!, one.received[0]!];
  expect([again.headers['webhook-id'], again.text]).toEqual([first.headers['webhook-id'], first.text]);
  expect((await deliveries(id)).map((it: { attempts: number }) => it.attempts).toSorted()).toEqual([
    1, 1, 1, 1, 2,
  ]);
});

test('a delivery is tried again over three days and then given up; the next of its resource follows', async () => {
  const { endpoint, announceAll, pass, deliveries } = await openShop();
  const receiver = await receive();
  receiver.answer = fails;
  const id = await endpoint(receiver);
  const startMs = clock.now();
  await announceAll(1);
  await pass();
  for (const [at, pause] of pausesMs.entries()) {
    const [shown] = await deliveries(id);
    expect(shown).toMatchObject({
      status: 'pending',
      attempts: at + 1,
      nextAttemptAt: new Date(clock.now() + pause).toISOString(),
      lastAttempt: { status: 500, answer: 'out of order', error: null },
    });
    clock.advance(pause - 1);
    await pass();
    expect(receiver.received).toHaveLength(at + 1);
    clock.advance(1);
    await pass();
    expect(receiver.received).toHaveLength(at + 2);
  }
  expect(clock.now() - startMs).toBeGreaterThan(2.9 * day);
  expect(clock.now() - startMs).toBeLessThanOrEqual(3 * day);
  expect((await deliveries(id))[0]).toMatchObject({
    status: 'failed',
    nextAttemptAt: null,
    deliveredAt: null,
  });
  receiver.answer = accepts;
  await announceAll(1);
  await pass();
  expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  clock.advance(30 * day);
  await pass();
  expect(receiver.received).toHaveLength(pausesMs.length + 2);
});

test('after five days of failing only, an endpoint is switched off with an event; enabled again, it continues', async () => {
  const { shop, ask, endpoint, announceAll, pass, shown, deliveries } = await openShop();
  const receiver = await receive();
  receiver.answer = fails;
  const id = await endpoint(receiver);
  await announceAll(1);
  await pass();
  const failingSince = new Date(clock.now()).toISOString();
  expect(await shown(id)).toMatchObject({ enabled: true, failingSince, switchedOffAt: null });
  clock.advance(5 * day - 1);
  await announceAll(2);
  await pass();
  expect(await shown(id)).toMatchObject({ enabled: true, failingSince });
  clock.advance(1);
  await announceAll(3);
  await pass();
  const switchedOffAt = new Date(clock.now()).toISOString();
  expect(await shown(id)).toMatchObject({ enabled: false, failingSince, switchedOffAt });
  const events = await tenantSql(
    context.database,
    shop.organizationId,
    `select e.payload, a.actor from outbox_events e
       join audit_entries a on a.organization_id = e.organization_id and a.action = e.type and a.subject_id = e.subject_id
      where e.type = 'webhook_endpoint.switched_off'`,
  );
  expect(events).toEqual([{ payload: { webhookEndpointId: id, reason: 'failing' }, actor: 'job:webhooks' }]);

  receiver.answer = accepts;
  receiver.received.length = 0;
  await announceAll(4);
  clock.advance(day);
  await pass();
  expect(receiver.received).toEqual([]);
  const enabled = await ask('PATCH', `/${id}`, { enabled: true });
  expect(enabled.data).toMatchObject({ enabled: true, failingSince: null, switchedOffAt: null });
  await pass();
  expect(Object.keys(placesByProduct(receiver.received)).toSorted()).toEqual(['1', '2', '3', '4']);
  expect((await deliveries(id)).map((it: { status: string }) => it.status)).toEqual(
    Array.from({ length: 4 }, () => 'delivered'),
  );
});

test('a success in between ends the days of failing', async () => {
  const { endpoint, announceAll, pass, shown } = await openShop();
  const receiver = await receive();
  const id = await endpoint(receiver);
  for (const answer of [fails, accepts, fails]) {
    receiver.answer = answer;
    await announceAll(1);
    clock.advance(4 * day);
    await pass();
  }
  expect(await shown(id)).toMatchObject({
    enabled: true,
    failingSince: new Date(clock.now()).toISOString(),
  });
});

test('an endpoint that answers 410 is switched off at once, and owners who can sign in get one mail a day', async () => {
  const { shop, ask, endpoint, announceAll, pass, shown } = await openShop();
  const people = ['owner', 'manager'] as const;
  await createStaff(
    context,
    testOrigin,
    shop.organizationId,
    people.map((role) => ({
      email: `${role}@shop.example.com`,
      firstName: 'Ada',
      lastName: 'Moreno',
      role,
      password: null,
    })),
  );
  await tenantSql(
    context.database,
    shop.organizationId,
    `update staff_members set password_hash = 'x' where email like '%@shop.example.com'`,
  );
  const receiver = await receive();
  receiver.answer = (_, response) => void response.writeHead(410).end();
  const id = await endpoint(receiver);
  await announceAll(1, 2, 3);
  await pass();
  expect(await shown(id)).toMatchObject({ enabled: false, switchedOffAt: expect.any(String) });
  await ask('PATCH', `/${id}`, { enabled: true });
  await announceAll(4);
  await pass();
  expect(await shown(id)).toMatchObject({ enabled: false });
  const mails = (await mailsOf(context, shop.organizationId)).filter(({ recipient }) =>
    /owner@shop\.example\.com$|^manager@/.test(recipient),
  );
  expect(mails).toMatchObject([
    { kind: 'webhook-switched-off', text: expect.stringContaining(new URL(receiver.url).host) },
  ]);
});

test('a redirect is not followed, an endless answer is cut, and the first kilobyte is kept', async () => {
  const { endpoint, announceAll, pass, deliveries } = await openShop();
  const [receiver, elsewhere] = [await receive(), await receive()];
  const id = await endpoint(receiver);
  receiver.answer = (_, response) => void response.writeHead(302, { location: elsewhere.url }).end();
  await announceAll(1);
  await pass();
  expect(elsewhere.received).toEqual([]);
  expect((await deliveries(id))[0].lastAttempt).toMatchObject({ status: 302 });
  receiver.answer = (_, response) => void response.writeHead(200).write('x\0'.repeat(5_000));
  clock.advance(pausesMs[0]!);
  await pass();
  expect((await deliveries(id))[0]).toMatchObject({
    status: 'delivered',
    lastAttempt: { status: 200, answer: 'x\uFFFD'.repeat(512) },
  });
});

test('an endpoint that does not answer in time has failed, and events of other resources are sent meanwhile', async () => {
  const { shop, endpoint, announceAll, deliveries } = await openShop();
  const receiver = await receive();
  receiver.answer = (received, response, request) => {
    if (received.body.data.resource.id !== '1') accepts(received, response, request);
  };
  const id = await endpoint(receiver);
  await announceAll(1, 2, 1, 2);
  const impatient = testWorker(service, { attemptMsMax: 300 });
  await impatient.pass(shop.organizationId);
  expect(placesByProduct(receiver.received)).toEqual({ 1: [0], 2: [1, 3] });
  const slow = (await deliveries(id)).find(
    (it: { attempts: number; status: string }) => it.status === 'pending' && it.attempts === 1,
  );
  expect(slow.lastAttempt).toMatchObject({
    status: null,
    answer: null,
    error: 'The host did not answer in time.',
  });
});

test('private addresses are refused, unless the operator allows the host', async () => {
  const { shop, endpoint, announceAll, pass, deliveries } = await openShop();
  const receiver = await receive();
  const id = await endpoint(receiver);
  await announceAll(1);
  await testWorker(service, { network: networkWith([]) }).pass(shop.organizationId);
  expect(receiver.received).toEqual([]);
  expect((await deliveries(id))[0]).toMatchObject({
    status: 'pending',
    lastAttempt: {
      status: null,
      error: 'The address is not public, or its port is not a standard web port.',
    },
  });
  clock.advance(pausesMs[0]!);
  await pass();
  expect(receiver.received).toHaveLength(1);
});

/** The database of a process that dies: from then on none of its statements arrives. */
function mortalContext(): { readonly context: Context; die(): void } {
  let isDead = false;
  const alive =
    <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Promise<Result>) =>
    (...given: Arguments): Promise<Result> =>
      isDead ? Promise.reject(new Error('killed')) : ask(...given);
  const { database } = context;
  const mortal = {
    read: alive(database.read.bind(database)),
    write: alive(database.write.bind(database)),
    global: alive(database.global.bind(database)),
  } as unknown as Database;
  return {
    context: { ...context, database: mortal },
    die: () => {
      isDead = true;
    },
  };
}

test('a worker that dies between the answer and its record: another one sends again what is not recorded', async () => {
  const { shop, endpoint, announceAll, pass, deliveries } = await openShop();
  const receiver = await receive();
  const id = await endpoint(receiver);
  await announceAll(1, 1, 2);
  const mortal = mortalContext();
  receiver.answer = (received, response, request) => {
    mortal.die();
    accepts(received, response, request);
  };
  const errors: string[] = [];
  const logger = { error: (_: object, message: string) => errors.push(message) } as never;
  await testWorker(service, { context: mortal.context, logger }).pass(shop.organizationId);
  expect(errors.length).toBeGreaterThan(0);
  expect(placesByProduct(receiver.received)).toEqual({ 1: [0, 1], 2: [2] });
  // As long as the lease holds, more of it could be under way.
  receiver.answer = accepts;
  await pass();
  expect(receiver.received).toHaveLength(3);
  clock.advance(60_000);
  await pass();
  expect(placesByProduct(receiver.received)).toEqual({ 1: [0, 1, 0, 1], 2: [2, 2] });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(3);
  expect((await deliveries(id)).every((it: { status: string }) => it.status === 'delivered')).toBe(true);
});

/** A process that is killed at one of its calls of the database: before it arrives, or before its answer does. */
function doomedContext(
  callsLeft: number,
  answerIsLost: boolean,
): { readonly context: Context; isDead(): boolean } {
  let left = callsLeft;
  const doomed =
    <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      left -= 1;
      if (left < 0 || (left === 0 && !answerIsLost)) throw new Error('killed');
      const result = await ask(...given);
      if (left <= 0) throw new Error('killed');
      return result;
    };
  const { database } = context;
  const mortal = {
    read: doomed(database.read.bind(database)),
    write: doomed(database.write.bind(database)),
    global: doomed(database.global.bind(database)),
  } as unknown as Database;
  return { context: { ...context, database: mortal }, isDead: () => left <= 0 };
}

test('a worker killed at any of its steps loses nothing: each event arrives, in order for each resource', async () => {
  const { shop, endpoint, pass, deliveries } = await openShop();
  const [receiver, unsteady] = [await receive(), await receive()];
  const ids = [await endpoint(receiver), await endpoint(unsteady)];
  let asked = 0;
  unsteady.answer = (received, response, request) => {
    asked += 1;
    (asked % 3 === 0 ? fails : accepts)(received, response, request);
  };
  const logger = { error: () => {} } as never;
  const rounds = casesOf({ everyRun: 6, long: 60 });
  const expected: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    const callsLeft = 1 + Math.floor(Math.random() * 14);
    const doomed = doomedContext(callsLeft, Math.random() < 0.5);
    const productIds = Array.from({ length: 9 }, () => 1 + Math.floor(Math.random() * 4));
    await announceProducts(service, shop.organizationId, productIds, round * 9);
    for (const [at, id] of productIds.entries()) expected[id] = [...(expected[id] ?? []), round * 9 + at];
    await testWorker(service, { context: doomed.context, logger }).pass(shop.organizationId);
    clock.advance(60_000);
    if (round % 2 === 1) await pass();
    clock.advance(60_000);
  }
  for (const pauseMs of pausesMs.slice(0, 5)) {
    clock.advance(pauseMs);
    await pass();
  }
  unsteady.answer = accepts;
  clock.advance(pausesMs[5]!);
  await pass();
  for (const [index, { received }] of [receiver, unsteady].entries()) {
    expect(firstArrivals(received)).toEqual(expected);
    const statuses = new Set<string>();
    for (const { status } of await deliveries(ids[index]!)) statuses.add(status);
    expect([...statuses]).toEqual(['delivered']);
  }
}, 600_000);

test('a worker that dies while it makes deliveries leaves all or none; two workers send each event once', async () => {
  const { shop, endpoint, announceAll } = await openShop();
  const receiver = await receive();
  await endpoint(receiver);
  const workers = [testWorker(service), testWorker(service), testWorker(service)];
  for (let round = 0; round < 5; round += 1) {
    await announceAll(...Array.from({ length: 30 }, (_, at) => at % 7));
    await Promise.all(workers.map((it) => it.pass(shop.organizationId)));
  }
  expect(receiver.received).toHaveLength(150);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(150);
});

test('a stopping worker gives back what it was sending', async () => {
  const { shop, endpoint, announceAll, pass } = await openShop();
  const receiver = await receive();
  receiver.answer = () => {};
  await endpoint(receiver);
  await announceAll(1);
  const stopping = testWorker(service);
  const passed = stopping.pass(shop.organizationId);
  await receiver.count(1);
  await stopping.stop();
  await passed;
  receiver.answer = accepts;
  await pass();
  expect(receiver.received).toHaveLength(2);
});

test('an endpoint gets what its key may read at the time of sending, and nothing while the key is revoked', async () => {
  const { shop, endpoint, announceAll, pass, deliveries } = await openShop();
  const receiver = await receive();
  const keysWith = (...permissions: Permission[]) =>
    createTestKeys(context, shop.organizationId, shop.integrator, { permissions });
  const [reader, stranger] = [await keysWith('menu'), await keysWith('customers')];
  const id = await endpoint(receiver, reader.keys);
  const none = await endpoint(receiver, stranger.keys);
  await announceAll(1);
  await pass();
  expect(receiver.received).toHaveLength(1);
  expect(await deliveries(none)).toEqual([]);

  receiver.answer = fails;
  await announceAll(2);
  await pass();
  expect(receiver.received).toHaveLength(2);
  receiver.answer = accepts;
  await tenantSql(
    context.database,
    shop.organizationId,
    `update client_keys set permissions = '{customers}' where id = ${reader.id} returning id`,
  );
  clock.advance(pausesMs[0]!);
  await pass();
  expect(receiver.received).toHaveLength(2);
  expect((await deliveries(id))[0]).toMatchObject({
    status: 'failed',
    attempts: 1,
    lastAttempt: { error: 'The key may not read this event any more.', milliseconds: null },
  });

  const [later, laterKeys] = [await receive(), await keysWith('menu')];
  await endpoint(later, laterKeys.keys);
  await announceAll(3);
  await revokeClientKey(context, testOrigin, shop.organizationId, laterKeys.id);
  await pass();
  expect(later.received).toEqual([]);
});

test('an endpoint gets nothing of another shop', async () => {
  const [ours, theirs] = [await openShop(), await openShop()];
  const [ourReceiver, theirReceiver] = [await receive(), await receive()];
  await ours.endpoint(ourReceiver);
  await theirs.endpoint(theirReceiver);
  await ours.announceAll(1);
  await ours.pass();
  await theirs.pass();
  expect(ourReceiver.received).toHaveLength(1);
  expect(theirReceiver.received).toEqual([]);
});
