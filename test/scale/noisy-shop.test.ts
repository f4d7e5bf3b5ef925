import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { californiaShop } from '../../seed/california-shop.ts';
import { loadShop } from '../../seed/load-shop.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { casesOf } from '../harness/long-suite.ts';
import { keyHeaders, startOwnTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';

/*
 * Requests of one shop do not starve those of others, without the limits of keys, which spare the service most of such a flood. What
 * is compared are turns of one machine, alone and beside the flood, so its speed does not matter.
 */

const turnMs = casesOf({ everyRun: 800, long: 3_000 });
const turns = casesOf({ everyRun: 1, long: 2 });
/** What is left to the others of their rate, in percent: short turns of a busy machine differ much. */
const percentLeft = casesOf({ everyRun: 25, long: 80 });
/** Ten requests a second of each of four shops. */
const pauseMs = 100;
const setUpMs = 120_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `FRESH` in it is another text each time. */
  readonly body?: string;
}
interface Sent {
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

/** A sender on a thread of its own, so that its work is not the service's: each shop at its own pace, or as fast as it goes. */
const senderCode = `
  const { randomUUID } = require('node:crypto');
  const { parentPort, workerData } = require('node:worker_threads');
  const { Agent, request } = require('node:http');
  const { baseUrl, requests, ms, pauseMs, atOnce } = workerData;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const statuses = {};
  let slowestMs = 0;
  const endsAt = performance.now() + ms;
  const ask = ({ method, path, headers, body }) => new Promise((resolve) => {
    const sentAt = performance.now();
    request(baseUrl + path, { agent, method, headers: { 'content-type': 'application/json', ...headers } }, (reply) => {
      reply.resume().on('end', () => {
        if (performance.now() <= endsAt) statuses[reply.statusCode] = (statuses[reply.statusCode] ?? 0) + 1;
        slowestMs = Math.max(slowestMs, performance.now() - sentAt);
        resolve();
      });
    }).on('error', resolve).end(body?.replaceAll('FRESH', () => randomUUID()));
  });
  const wait = (until) => new Promise((go) => setTimeout(go, until - performance.now()));
  (async () => {
    const startedAt = performance.now();
    const asked = [];
    if (pauseMs) {
      for (let at = 0; at * pauseMs < ms - 2 * pauseMs; at += 1) {
        for (const one of requests) asked.push(ask(one));
        await wait(startedAt + (at + 1) * pauseMs);
      }
    } else {
      for (let lane = 0; lane < atOnce; lane += 1)
        asked.push((async () => { while (performance.now() < endsAt) await ask(requests[lane % requests.length]); })());
    }
    await Promise.all(asked);
    agent.destroy();
    parentPort.postMessage({ statuses, slowestMs: Math.round(slowestMs) });
  })();
`;

let service: TestService<Clock>;
let baseUrl: string;
let quiet: readonly Asked[];
const floods: Record<string, { readonly requests: readonly Asked[]; readonly atOnce: number }> = {};

beforeAll(async () => {
  service = await startOwnTestService<Clock>({ clock: systemClock });
  ({ baseUrl } = await service.listen());
  const files = { photos: service.photoBlobs, documents: service.documentFiles };
  const size = { customers: 60, days: 30, orders: casesOf({ everyRun: 40, long: 400 }) };
  const demo = await loadShop(service.context, 'production', files, californiaShop, size);
  const noisy = await createTestShop(service.context);
  const owner = bearerHeader((await service.staff({ organizationId: organizationId(demo.id) })).token);
  const shops = await Promise.all([1, 2, 3, 4].map(() => createTestShop(service.context)));
  quiet = shops.map((shop) => ({
    ...{ method: 'POST', path: '/api/v1/orders/pricing', headers: keyHeaders(shop.keys) },
    body: JSON.stringify(pickupBody(shop)),
  }));
  const staffReads = [
    '/staff/v1/orders?sortBy=number',
    '/staff/v1/customers?sortBy=spent',
    '/staff/v1/products',
    '/staff/v1/customers',
  ];
  const order = pickupBody(noisy, {
    lineItems: [{ productOptionId: noisy.optionId('tray'), quantity: 1 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'FRESH@customers.example.com' },
    idempotencyKey: 'FRESH',
  });
  const products = Array.from({ length: 5 }, (_, at) => ({
    ...productBody({ name: `Harbor Fog ${at} FRESH` }),
    externalId: `${at} FRESH`,
  }));
  const day = (ms: number) => new Date(systemClock.now() - ms).toISOString().slice(0, 10);
  const range = `from=${day(30 * 86_400_000)}&to=${day(0)}`;
  const reports = ['product', 'day', 'hour', 'staff'].map(
    (by) => `/staff/v1/reports/sales?${range}&by=${by}`,
  );
  const post = { method: 'POST', headers: keyHeaders(noisy.keys) };
  const get = (path: string) => ({ method: 'GET', path, headers: owner });
  floods.reads = { requests: staffReads.map(get), atOnce: 64 };
  floods.orders = {
    requests: [{ ...post, path: '/api/v1/orders', body: JSON.stringify(order) }],
    atOnce: 64,
  };
  floods.imports = {
    requests: [{ ...post, path: '/api/v1/products/batch', body: JSON.stringify({ products }) }],
    atOnce: 8,
  };
  floods.reports = { requests: reports.map(get), atOnce: 64 };
}, setUpMs);
afterAll(() => service?.close());

function send(data: object): Promise<Sent> {
  const sender = new Worker(senderCode, { eval: true, workerData: { baseUrl, ms: turnMs, ...data } });
  return new Promise((resolve, reject) => sender.once('message', resolve).once('error', reject));
}

const answered = (all: readonly Sent[]) => all.reduce((sum, { statuses }) => sum + (statuses[200] ?? 0), 0);

test.each(['reads', 'orders', 'imports', 'reports'])(
  `a flood of %s of one shop leaves others at least ${percentLeft} % of their rate`,
  async (kind) => {
    const askQuietly = () => send({ requests: quiet, pauseMs });
    await askQuietly();
    const alone: Sent[] = [];
    const beside: Sent[] = [];
    const flood: Sent[] = [];
    for (let turn = 0; turn < turns; turn++) {
      alone.push(await askQuietly());
      const [own, noise] = await Promise.all([askQuietly(), send(floods[kind]!)]);
      beside.push(own);
      flood.push(noise);
    }
    process.stdout.write(`a noisy shop: ${JSON.stringify({ kind, alone, beside, flood })}\n`);
    const served = flood.flatMap(({ statuses }) => Object.entries(statuses));
    expect(served.filter(([status]) => Number(status) < 300).length).toBeGreaterThan(0);
    expect(
      beside.flatMap(({ statuses }) => Object.keys(statuses)).filter((status) => status !== '200'),
    ).toEqual([]);
    expect(answered(beside)).toBeGreaterThanOrEqual((answered(alone) * percentLeft) / 100);
  },
  setUpMs,
);
