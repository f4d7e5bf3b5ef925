import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { connectEmbedded } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import type { BuiltProgram } from '../simulation/built-program.ts';
import { Deployment } from '../simulation/built-program.ts';
import { SoakLoad, soakedShopSettings } from './soak-load.ts';

const capacityClients = 8;
/** Not counted: V8 compiles what is called often. Without it 65 visits a second were possible, with it 86. */
const warmUpMs = 40_000;
const capacityMs = 10_000;
/** An integrator asks for changes so often. */
const changesEveryMs = 1_000;

/** What is measured at one moment, and of the time since the last one. */
export interface SoakSample {
  readonly seconds: number;
  readonly programBytes: number;
  readonly databaseBytes: number;
  readonly connections: number;
  readonly diskBytes: number;
  readonly orders: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** A program under steady load. */
interface SoakedShop {
  readonly ordersPerSecond: number;
  /** How many orders, with what goes with each, the machine does at full load. */
  readonly capacityPerSecond: number;
  /** Takes samples at equal distances, for so long. */
  samplesOf(totalMs: number, everyMs: number): Promise<SoakSample[]>;
  /** Replies that must not be. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** Measures what the machine can do, and begins a load of a third of it. */
export async function soakShop(built: BuiltProgram): Promise<SoakedShop> {
  const { deployment, load } = await startLoadedShop(built);
  const metricsUrl = await deployment.hasSaid(/^Metrics: (\S+)$/);
  const admin = new Client(connectEmbedded(deployment)!.adminConnection);
  await admin.connect();
  const beganMs = performance.now();
  await capacityOf(() => load.visit(), warmUpMs);
  const capacityPerSecond = await capacityOf(() => load.visit(), capacityMs);
  const ordersPerSecond = Math.max(0.5, capacityPerSecond / 3);
  const visits = pace(() => load.visit(), 1_000 / ordersPerSecond);
  let cursor: string | null = null;
  const changes = pace(async () => {
    cursor = await load.readChanges(cursor);
  }, changesEveryMs);
  const sample = async (): Promise<SoakSample> => {
    const measured = load.latencies.sort((one, other) => one - other);
    const orders = load.visits;
    load.latencies = [];
    load.visits = 0;
    const metrics = await (await fetch(metricsUrl)).text();
    const { rows } = await admin.query('select count(*)::int as count from pg_stat_activity');
    return {
      seconds: Math.round((performance.now() - beganMs) / 1_000),
      programBytes: Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]),
      databaseBytes: memoryBelow(deployment.postmasterPid),
      connections: rows[0].count,
      diskBytes: bytesBelow(deployment.dataDir),
      orders,
      medianMs: measured[Math.floor(measured.length / 2)] ?? 0,
      p99Ms: measured[Math.floor(measured.length * 0.99)] ?? 0,
    };
  };
  return {
    ...{ ordersPerSecond, capacityPerSecond, faults: load.faults },
    samplesOf: async (totalMs, everyMs) => {
      const samples: SoakSample[] = [];
      await sample();
      for (let spentMs = 0; spentMs < totalMs; spentMs += everyMs) {
        await delay(everyMs);
        samples.push(await sample());
      }
      return samples;
    },
    close: async () => {
      await visits.stop();
      await changes.stop();
      await admin.end();
      deployment.terminate();
      await deployment.ended;
    },
  };
}

async function startLoadedShop(built: BuiltProgram): Promise<{ deployment: Deployment; load: SoakLoad }> {
  let staffToken = '';
  const prepare = async (context: Context, { organizationId }: TestShop) => {
    const [owner] = await createStaff(context, testOrigin, organizationId, [
      { email: 'wren@shop.example.com', firstName: 'Wren', lastName: 'Alder', role: 'owner', password: null },
    ]);
    const session = await startSession(context, 'production', testOrigin, organizationId, owner!);
    staffToken = session.token;
  };
  const deployment = await Deployment.make(built, 'soak', prepare, soakedShopSettings);
  await deployment.start();
  const { shop, baseUrl } = deployment;
  const menuUrl = await deployment.hasSaid(/Menu address +(\S+)/);
  return { deployment, load: new SoakLoad({ shop, baseUrl, menuUrl, staffToken }) };
}

/** How many times a second it is done by clients without a pause. */
async function capacityOf(once: () => Promise<void>, forMs: number): Promise<number> {
  let count = 0;
  const endMs = performance.now() + forMs;
  const clients = Array.from({ length: capacityClients }, async () => {
    for (; performance.now() < endMs; count += 1) await once();
  });
  await Promise.all(clients);
  return count / (forMs / 1_000);
}

/** Begins one each so often, whether the one before has ended or not. */
function pace(once: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const one = once().finally(() => underWay.delete(one));
    underWay.add(one);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      while (underWay.size > 0) await delay(20);
    },
  };
}

/** The memory of PostgreSQL's processes, what they share counted in part; Linux only. */
function memoryBelow(postmaster: number): number {
  const pids = execFileSync('ps', ['-o', 'pid=', '--pid', String(postmaster), '--ppid', String(postmaster)]);
  let bytes = 0;
  for (const pid of pids.toString().trim().split(/\s+/)) {
    try {
      const text = execFileSync('cat', [`/proc/${pid}/smaps_rollup`], { stdio: 'pipe' }).toString();
      bytes += 1_024 * Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0);
    } catch {
      // A session that has ended.
    }
  }
  return bytes;
}

function bytesBelow(folder: string): number {
  try {
    return Number(
      execFileSync('du', ['-s', '--block-size=1', folder], { stdio: 'pipe' }).toString().split('\t')[0],
    );
  } catch (error) {
    // A file that went meanwhile is named on stderr, and the sum is still told.
    return Number((error as { stdout: Buffer }).stdout.toString().split('\t')[0]);
  }
}
