import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { tellOfServers } from '../../src/hosting/startup/watch-servers.ts';
import { readyDetails } from '../../src/kernel/ready-details.ts';
import type { ClusterServer } from './citus-cluster.ts';
import { CitusWorld } from './citus-world.ts';
import { refusedMsMax, type SteadyShop } from './steady-shops.ts';

/*
 * A server of the database is killed, stands still, is cut off, is full or slow, under load. Only its shops are refused, within a bound,
 * and none of them holds up the others; they come back by themselves, and nothing is lost or there twice.
 */

/** More than the process has connections: they must not all wait for the server. */
const hitCount = 16;
const otherCount = 5;

let world: CitusWorld;
let hit: readonly SteadyShop[];
let others: readonly SteadyShop[];
const worker = () => world.cluster.workers[0]!;
const disk = '700m';
const metrics = { registry: new Registry() };
const gauge = async () => (await metrics.registry.getMetricsAsJSON())[0]!.values[0]!;

beforeAll(async () => {
  world = await CitusWorld.make(join(inject('server').folder, 'failing'), {
    beforeWorker: (folder) => {
      mkdirSync(folder, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}`, 'worker1', folder]);
    },
  });
  const ignore = () => {};
  tellOfServers({ context: world.service.context, metrics, logger: { info: ignore, warn: ignore } });
  const [one, two] = world.cluster.workers;
  hit = await world.openShops(one!, hitCount);
  others = await world.openShops(two!, otherCount);
}, 1_800_000);
afterAll(async () => {
  await world?.close();
  if (world) execFileSync('umount', ['-l', join(world.cluster.folder, 'worker1')]);
  await world?.cluster.remove();
});

interface Failure {
  begin(server: ClusterServer): unknown;
  end(server: ClusterServer): unknown;
  /** A full server takes what needs no room, a slow one answers. */
  readonly refusesAll: boolean;
}

const rule = (change: '-I' | '-D', port: number) => {
  for (const side of ['--dport', '--sport']) {
    execFileSync('iptables', [change, 'INPUT', '-i', 'lo', '-p', 'tcp', side, String(port), '-j', 'DROP']);
  }
};
const filling = (server: ClusterServer) => join(server.folder, 'filling');
let slow: NodeJS.Timeout | undefined;

const failures: Readonly<Record<string, Failure>> = {
  'is killed': { begin: (server) => server.kill(), end: (server) => server.start(), refusesAll: true },
  'stands still': { begin: (server) => server.stall(), end: (server) => server.resume(), refusesAll: true },
  'is cut off': {
    begin: ({ port }) => rule('-I', port),
    end: ({ port }) => rule('-D', port),
    refusesAll: true,
  },
  'has a full disk': {
    begin: (server) => {
      for (let bytes = 2 ** 20; bytes >= 4_096; ) {
        try {
          writeFileSync(filling(server), Buffer.alloc(bytes), { flag: 'a' });
        } catch {
          bytes /= 4;
        }
      }
    },
    end: async (server) => {
      rmSync(filling(server));
      if (!server.isRunning) await server.start();
    },
    refusesAll: false,
  },
  'is slow': {
    begin: (server) => {
      slow = setInterval(() => {
        server.stall();
        setTimeout(() => server.resume(), 600);
      }, 700);
    },
    end: async () => {
      clearInterval(slow);
      await pause(800);
    },
    refusesAll: false,
  },
};

test.each(Object.entries(failures))(
  'when a server %s, its shops alone are refused, and come back',
  async (name, { begin, end, refusesAll }) => {
    for (const shop of [...hit, ...others]) shop.forget();
    await Promise.all([...hit, ...others].map((shop) => shop.goesOn(2)));
    const answeredMsBefore = Math.max(...others.map((shop) => shop.answeredMsMax));
    for (const shop of [...hit, ...others]) shop.forget();
    await begin(worker());
    const beganMs = performance.now();
    await Promise.all(others.map((shop) => shop.goesOn(5)));
    if (refusesAll)
      await expect.poll(() => hit.every(({ refusals }) => refusals > 1), { timeout: 60_000 }).toBe(true);
    const told = [readyDetails.get('databaseServers')!(), (await gauge()).value];
    const seconds = (performance.now() - beganMs) / 1_000;
    const refusals = hit.reduce((sum, shop) => sum + shop.refusals, 0);
    const refusedMs = Math.max(...hit.map((shop) => shop.refusedMsMax));
    await end(worker());
    const endedMs = performance.now();
    await Promise.all(hit.map((shop) => shop.goesOn()));
    const answeredMs = Math.max(...others.map((shop) => shop.answeredMsMax));
    console.log(
      `A server that ${name}, for ${seconds.toFixed(0)} s: ${refusals} refusals of its ${hit.length} shops, the longest after ${Math.round(refusedMs)} ms;`,
      `0 of the other ${others.length}, whose longest answer took ${Math.round(answeredMs)} ms, ${Math.round(answeredMsBefore)} before;`,
      `all back after ${Math.round(performance.now() - endedMs)} ms`,
    );
    expect(others.map((shop) => shop.refusals)).toEqual(others.map(() => 0));
    expect(refusedMs).toBeLessThan(refusedMsMax);
    if (refusesAll) expect(told).toEqual([`away: 127.0.0.1:${worker().port}`, 1]);
    await expect.poll(gauge).toMatchObject({ value: 0 });
    expect(readyDetails.get('databaseServers')!()).toBe('in use');
  },
);

test('nothing is lost or there twice', () => world.expectWhole());
