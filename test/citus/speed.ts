import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { openPlainShop, tradeBody } from '../harness/test-trade.ts';
import { CitusWorld } from './citus-world.ts';
import { type Machine, Machines } from './machines.ts';

/*
 * `CITUS_BENCH=yes POSTGRES_PROGRAMS=<folder> npm run test:citus`: what each server more gives, where each has a network address and a
 * share of a processor of its own. Orders are placed on shops of one server, of two, and of all three, in turns.
 */

/** Small enough that the servers are what limits the rate, beside the program and its callers on the same two cores. */
const workerShare = 0.1;
const coordinatorShare = 0.8;
const workers = 3;
const shopsEach = 3;
const callersEach = 2;
const roundMs = 8_000;
const rounds = 3;

let machines: Machines;
let coordinator: Machine;
let servers: Machine[];
let world: CitusWorld;
const shops: TestShop[][] = [];

beforeAll(async () => {
  machines = new Machines();
  coordinator = machines.add();
  servers = Array.from({ length: workers }, () => machines.add());
  world = await CitusWorld.make(join(inject('server').folder, 'speed'), {
    machines: [coordinator, ...servers],
  });
  for (const { port } of world.cluster.workers) {
    const opened: TestShop[] = [];
    while (opened.length < shopsEach) {
      const shop = await openPlainShop(world.service as unknown as TestService);
      if ((await world.portOf(shop.organizationId)) === port) opened.push(shop);
    }
    shops.push(opened);
  }
  coordinator.limit(coordinatorShare);
  for (const server of servers) server.limit(workerShare);
}, 900_000);
afterAll(async () => {
  await world?.close();
  await world?.cluster.remove();
  machines?.remove();
});

async function place(shop: TestShop): Promise<void> {
  const idempotencyKey = randomUUID();
  const customer = { firstName: 'Ada', lastName: 'Moreno', email: `${idempotencyKey}@customers.example.com` };
  const body = tradeBody(shop, [['eighth', 1]], { idempotencyKey, customer });
  const reply = await world.service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(reply.status).toBeLessThan(300);
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
const processorSeconds = () => ({
  program: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  coordinator: coordinator.processorSeconds(),
  servers: sum(servers.map((server) => server.processorSeconds())),
});

interface Round {
  readonly perSecond: number;
  /** Milliseconds of a processor for each order. */
  readonly took: Readonly<Record<keyof ReturnType<typeof processorSeconds>, number>>;
}

async function round(some: readonly TestShop[]): Promise<Round> {
  const before = processorSeconds();
  const beganMs = performance.now();
  let placed = 0;
  await Promise.all(
    some.flatMap((shop) =>
      Array.from({ length: callersEach }, async () => {
        while (performance.now() - beganMs < roundMs) {
          await place(shop);
          placed += 1;
        }
      }),
    ),
  );
  const seconds = (performance.now() - beganMs) / 1_000;
  const after = processorSeconds();
  const took = (of: keyof typeof before) => ((after[of] - before[of]) * 1_000) / placed;
  return {
    perSecond: placed / seconds,
    took: { program: took('program'), coordinator: took('coordinator'), servers: took('servers') },
  };
}

test('each server more places more orders', async () => {
  const found: Round[][] = shops.map(() => []);
  for (const some of shops) await Promise.all(some.map(place));
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const count of shops.keys()) found[count]!.push(await round(shops.slice(0, count + 1).flat()));
  }
  const middle = found.map(
    (some) => some.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds / 2)]!,
  );
  console.log(
    '| Servers | Orders a second | Processor of an order: program and callers, coordinator, servers |',
  );
  for (const [at, { perSecond, took }] of middle.entries()) {
    const shown = [took.program, took.coordinator, took.servers]
      .map((ms) => `${ms.toFixed(1)} ms`)
      .join(', ');
    console.log(`| ${at + 1} | ${perSecond.toFixed(1)} | ${shown} |`);
  }
  const [one, two, three] = middle.map(({ perSecond }) => perSecond) as [number, number, number];
  expect(two).toBeGreaterThan(one * 1.4);
  expect(three).toBeGreaterThan(one * 1.8);
}, 900_000);
