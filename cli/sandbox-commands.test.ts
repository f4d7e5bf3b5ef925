import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { createDemoSandbox } from '../seed/ensure-demo.ts';
import { allEventTypes } from '../src/app/app.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { publicEventOf } from '../src/shop/changes/changes.ts';
import { sandboxResetting } from '../src/shop/sandbox/sandbox.ts';
import { Receiver } from '../src/shop/webhooks/webhooks.test-support.ts';
import { connectionUrl } from '../test/harness/test-connection.ts';
import { startOwnTestService, type TestReply } from '../test/harness/test-service.ts';
import { createTestIntegrator, type TestKeys } from '../test/harness/test-shop.ts';
import { runCommandLine } from './run-command-line.ts';
import { triggeredEvents, whyNotTriggered } from './trigger-command.ts';

const service = await startOwnTestService({ clock: systemClock });
const { context } = service;
const { baseUrl } = await service.listen();
const sandbox = await createDemoSandbox(context, await createTestIntegrator(context));
const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
const env = {
  DISPENSARY_URL: baseUrl,
  DISPENSARY_CONSUMER_KEY: keys.consumerKey,
  DISPENSARY_CLIENT_KEY: keys.clientKey,
};
afterAll(() => service.close());

/** A command in this process. `until` resolves when it has said this. */
function dispensary(args: readonly string[], changes: object = {}) {
  const said = { out: '', err: '' };
  const stop = new AbortController();
  const told: (() => void)[] = [];
  const hear = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
      for (const tell of told.splice(0)) tell();
    },
  });
  const ended = runCommandLine(args, {
    env: { ...env, ...changes },
    folder: '/nowhere',
    stdout: hear('out'),
    stderr: hear('err'),
    stop: stop.signal,
  }).then((code) => ({ code, ...said }));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(said.out + said.err)) {
      const more = new Promise<void>((resolve) => told.push(resolve));
      const over = ended.then(({ err }) => {
        throw new Error(`it ended: ${err}`);
      });
      await Promise.race([more, over]);
    }
    return said.out + said.err;
  };
  return { stop, ended, until };
}

test('listen forwards what trigger makes happen, signed with the secret that it prints', async () => {
  const receiver = await Receiver.start();
  const listening = dispensary(['listen', '--forward-to', receiver.url, '--types', 'order.*']);
  const said = await listening.until(/signed with whsec_\S+\n/);
  const triggered = await dispensary(['trigger', 'order.fulfilled']).ended;
  expect(triggered).toMatchObject({ code: 0 });
  expect(triggered.out).toMatch(
    /placed, draft\n.*accept, new\n.*pack, packed\n.*fulfill, fulfilled\norder.fulfilled: order /,
  );
  await receiver.count(4);
  const hook = new Webhook(/whsec_\S+/.exec(said)![0]);
  for (const { text, headers } of receiver.received) hook.verify(text, headers);
  expect(receiver.received.map(({ body }) => body.type)).toEqual([
    'order.placed',
    'order.accepted',
    'order.packed',
    'order.fulfilled',
  ]);
  await listening.until(/order\.fulfilled {2}order \S+ {2}→ 204\n/);
  listening.stop.abort();
  const { code, out } = await listening.ended;
  expect([code, out]).toEqual([0, expect.stringMatching(/^Stopped. Continue with --after \S+\n$/)]);
  await receiver.close();
});

test('listen goes on behind a page without an event that it asks for', async () => {
  const asked: (string | null)[] = [];
  const happened = {
    type: 'order.placed',
    at: '2026-03-01T17:05:09.123Z',
    resource: { type: 'order', id: 'o1' },
  };
  const feed = createServer((request, response) => {
    const after = new URL(request.url!, 'http://feed').searchParams.get('after');
    asked.push(after);
    // Of many other events a page reads some, and says where it ended.
    const page =
      after === 'a' ? { data: [], cursor: 'b' } : { data: [{ ...happened, id: 'c' }], cursor: 'c' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: page.data, meta: { cursor: page.cursor, hasMore: true } }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => feed.once('listening', resolve));
  const { port } = feed.address() as AddressInfo;
  const listening = dispensary(['listen', '--types', 'order.*', '--after', 'a'], {
    DISPENSARY_URL: `http://127.0.0.1:${port}`,
  });
  await listening.until(/order\.placed {2}order o1/);
  listening.stop.abort();
  await listening.ended;
  feed.close();
  expect(asked.slice(0, 2)).toEqual(['a', 'b']);
});

test('every event that trigger offers happens, and another one is refused with what there is', async () => {
  const { data } = await service.call('GET', '/api/v1/changes/latest', { keys });
  for (const event of triggeredEvents) {
    const { code, err } = await dispensary(['trigger', event]).ended;
    expect([event, code, err]).toEqual([event, 0, '']);
  }
  const types = triggeredEvents.join();
  const happened = await service.call('GET', '/api/v1/changes', {
    keys,
    query: { after: data.cursor, types, limit: 500 },
  });
  const seen = new Set(happened.data.map(({ type }: { type: string }) => type));
  expect([...seen].sort()).toEqual([...triggeredEvents].sort());
  const { code, err } = await dispensary(['trigger', 'order.exploded']).ended;
  expect([code, err]).toEqual([2, expect.stringContaining('event must be one of order.placed')]);
});

test('trigger says how to go on when a fault has sold out what it buys', async () => {
  const made = await createDemoSandbox(context, await createTestIntegrator(context));
  const own = { consumerKey: made.consumerKey, clientKey: made.clientKey };
  const { data } = await service.call('GET', '/api/v1/sandbox', { keys: own });
  const { productOptionId } = data.specialCases.find((one: { case: string }) => one.case === 'product');
  const body = { type: 'pickup', lineItems: [{ productOptionId, quantity: 1 }] };
  const headers = { 'sandbox-fault': 'out-of-stock' };
  const sold = await service.call('POST', '/api/v1/orders/pricing', { keys: own, body, headers });
  expect([sold.status, sold.error]).toEqual([200, undefined]);
  const { code, err } = await dispensary(['trigger', 'order.placed'], {
    ...{ DISPENSARY_CONSUMER_KEY: own.consumerKey, DISPENSARY_CLIENT_KEY: own.clientKey },
  }).ended;
  expect([code, err]).toEqual([1, expect.stringMatching(/OUT_OF_STOCK.*POST \/api\/v1\/sandbox\/reset/)]);
});

test('a sandbox has a vouched and a proven key, and both outlive its reset', async () => {
  const made = await createDemoSandbox(context, await createTestIntegrator(context));
  const { consumerKey, clientKey, provenClientKey } = made;
  const customersOf = async (key: string) =>
    (await service.call('GET', '/api/v1/whoami', { keys: { consumerKey, clientKey: key } })).data.key
      .customers;
  for (const isReset of [false, true]) {
    if (isReset) await reset({ consumerKey, clientKey });
    expect([await customersOf(clientKey), await customersOf(provenClientKey)]).toEqual(['vouched', 'proven']);
  }
});

test('every event that integrators read is offered, or the refusal says why it is not', async () => {
  const read = allEventTypes.filter((type) => publicEventOf(type) !== null);
  for (const type of triggeredEvents) expect(read).toContain(type);
  for (const type of read) {
    const isOffered = triggeredEvents.includes(type);
    expect([type, whyNotTriggered(type) === undefined]).toEqual([type, isOffered]);
  }
  const { code, err } = await dispensary(['trigger', 'customer.erased']).ended;
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/; customer\.erased is done by the staff of a shop/),
  ]);
});

test('listen waits for a service and a receiver that start again, and loses nothing', async () => {
  const [service2, receiver] = [await Relay.start(), await Relay.start()];
  const received: string[] = [];
  receiver.answer = (_, response) => {
    received.push('event');
    response.writeHead(204).end();
  };
  await Promise.all([service2.stop(), receiver.stop()]);
  const listening = dispensary(['listen', '--forward-to', receiver.url, '--types', 'order.placed'], {
    DISPENSARY_URL: service2.url,
  });
  await listening.until(/ECONNREFUSED; trying again/);
  await service2.restart();
  await listening.until(/Forwarding to/);
  await dispensary(['trigger', 'order.placed']).ended;
  await listening.until(/order\.placed.*ECONNREFUSED; trying again/);
  await receiver.restart();
  await listening.until(/→ 204\n/);
  expect(received).toEqual(['event']);
  listening.stop.abort();
  await listening.ended;
  await Promise.all([service2.stop(), receiver.stop()]);
});

test('listen goes on from now on when its place is of the time before a reset', async () => {
  await dispensary(['trigger', 'order.placed']).ended;
  const { data } = await service.call('GET', '/api/v1/changes/latest', { keys });
  await reset();
  const listening = dispensary(['listen', '--types', 'order.placed', '--after', data.cursor]);
  await listening.until(/The place in the feed is gone/);
  listening.stop.abort();
  expect((await listening.ended).code).toBe(0);
});

test('what the demo says of its sandbox stays true when it is reset', async () => {
  const idOf = async () => (await service.call('GET', '/api/v1/sandbox', { keys })).data.organizationId;
  const before = await idOf();
  await reset();
  expect(await idOf()).not.toBe(before);
  const { name, clientKey, provenClientKey, publishableKey, origins, ...rest } = sandbox;
  expect(rest).toEqual({ consumerKey: keys.consumerKey });
  expect((await service.call('GET', '/api/v1/whoami', { keys })).data.organization.name).toBe(name);
  for (const origin of origins) {
    const shop = await service.call('GET', '/api/v1/shop', {
      keys: { clientKey: publishableKey },
      headers: { origin },
    });
    expect([origin, shop.status, shop.data?.name]).toEqual([origin, 200, name]);
  }
});

test('a sandbox that the command made is open at the running service, and is moved and reset there', async () => {
  const { id } = await createTestIntegrator(context);
  const { owner, serving } = service.database;
  const made = await promisify(execFile)(
    process.execPath,
    ['dispensary.mjs', 'sandbox', 'create', '--id', String(id), '--json'],
    {
      cwd: projectFolder(),
      env: {
        ...process.env,
        ...{ DATABASE_URL: connectionUrl(owner), DATABASE_APP_URL: connectionUrl(serving) },
        ...{ SANDBOXES: 'on', DATA_DIR: join(tmpdir(), 'sandbox-commands') },
      },
    },
  );
  const { consumerKey, clientKey, organizationId, name } = JSON.parse(made.stdout);
  const asked = async (method: string, path: string, body?: object) => {
    const headers = { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return ((await response.json()) as TestReply).data;
  };
  expect(await asked('GET', 'whoami')).toMatchObject({ organization: { name }, sandbox: true });
  const moved = await asked('PUT', 'sandbox/clock', { now: '2031-05-06T07:08:09.000Z', stands: true });
  expect(moved).toMatchObject({ organizationId, clock: { now: '2031-05-06T07:08:09.000Z', isMoved: true } });
  await reset({ consumerKey, clientKey });
  const fresh = await asked('GET', 'sandbox');
  expect([fresh.clock.isMoved, fresh.resetRequestedAt]).toEqual([false, null]);
  expect(fresh.organizationId).not.toBe(organizationId);
});

/** A reset, with the job that does it. */
async function reset(of: TestKeys = keys): Promise<void> {
  const { data } = await service.call('GET', '/api/v1/sandbox', { keys: of });
  await service.call('POST', '/api/v1/sandbox/reset', { keys: of });
  const { signal } = new AbortController();
  await sandboxResetting(context).run({ organization: data.organizationId, payload: {}, signal });
}

/** A server at a port that it keeps while it is stopped; by default it passes requests on to the service. */
class Relay {
  answer: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    const { 'x-consumer-key': consumerKey, 'x-client-key': clientKey } = request.headers;
    const headers = { 'x-consumer-key': String(consumerKey), 'x-client-key': String(clientKey) };
    void fetch(baseUrl + request.url, { headers }).then(
      async (reply) => {
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
      },
      () => response.destroy(),
    );
  };
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<Relay> {
    const relay = new Relay();
    await relay.restart();
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async restart(): Promise<void> {
    const server = createServer((request, response) => this.answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
