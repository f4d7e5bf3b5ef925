import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { createContext } from '../../src/app/app.ts';
import {
  connectEmbedded,
  startEmbeddedPostgres,
} from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { layCluster } from '../harness/made-cluster.ts';
import { createTestShop, type TestShop, testOrigin } from '../harness/test-shop.ts';
import type { BuiltProgram } from '../simulation/built-program.ts';
import { Deployment } from '../simulation/built-program.ts';
import { keysOf, type SoakedKeys, SoakLoad, soakedShopSettings } from './soak-load.ts';

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
  /** Takes samples at equal distances, for so long. Tells after each what the next part would go on from. */
  sample(totalMs: number, everyMs: number, tell: (state: SoakState) => void): Promise<void>;
  close(): Promise<void>;
}

/** What a part of a soak leaves to the next one. */
export interface SoakState {
  readonly shop: SoakedKeys;
  /** What the first part measured. */
  readonly capacityPerSecond: number;
  /** How many visits there were. */
  readonly visits: number;
  /** The samples of each part. */
  readonly parts: readonly (readonly SoakSample[])[];
  /** Replies that must not be, of all parts. */
  readonly faults: readonly string[];
  /** The program of the last part: it goes on when the part is killed. */
  readonly programPid: number;
}

interface Soaked {
  /** Where the data is. */
  readonly dataDir: string;
  /** The owner's address of a distributed database; by default the database is embedded. */
  readonly database: string | undefined;
  readonly former: SoakState | undefined;
}

/** Goes on with the shop and the load of the former parts; or measures what the machine can do, and begins a load of a third of it. */
export async function soakShop(built: BuiltProgram, soaked: Soaked): Promise<SoakedShop> {
  const { database, former } = soaked;
  const { deployment, keys, load } = await startLoadedShop(built, soaked);
  const metricsUrl = await deployment.hasSaid(/^Metrics: (\S+)$/);
  const admin = new Client(
    database === undefined ? connectEmbedded(deployment)!.adminConnection : { connectionString: database },
  );
  await admin.connect();
  const beganMs = performance.now();
  await capacityOf(() => load.visit(), warmUpMs);
  const measured = await capacityOf(() => load.visit(), capacityMs);
  const capacityPerSecond = former?.capacityPerSecond ?? measured;
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
      // The memory of servers elsewhere is not known.
      databaseBytes: database === undefined ? memoryBelow(deployment.postmasterPid) : 0,
      connections: rows[0].count,
      diskBytes: database === undefined ? bytesBelow(deployment.dataDir) : await bytesOfServers(admin),
      orders,
      medianMs: measured[Math.floor(measured.length / 2)] ?? 0,
      p99Ms: measured[Math.floor(measured.length * 0.99)] ?? 0,
    };
  };
  return {
    ...{ ordersPerSecond, capacityPerSecond },
    sample: async (totalMs, everyMs, tell) => {
      const samples: SoakSample[] = [];
      await sample();
      for (let spentMs = 0; spentMs < totalMs; spentMs += everyMs) {
        await delay(everyMs);
        samples.push(await sample());
        tell({
          ...{ shop: keys, capacityPerSecond, visits: load.at, programPid: deployment.programPid },
          parts: [...(former?.parts ?? []), samples],
          faults: [...(former?.faults ?? []), ...load.faults],
        });
      }
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

async function startLoadedShop(built: BuiltProgram, { dataDir, database, former }: Soaked) {
  let staffToken = '';
  // Each part has a session of its own: that of the former one may have ended.
  const prepare = async (context: Context, { organizationId }: Pick<TestShop, 'organizationId'>) => {
    const [owner] = await createStaff(context, testOrigin, organizationId, [
      {
        ...{ email: `wren${randomUUID()}@shop.example.com`, firstName: 'Wren', lastName: 'Alder' },
        ...{ role: 'owner', password: null },
      },
    ]);
    const session = await startSession(context, 'production', testOrigin, organizationId, owner!);
    staffToken = session.token;
  };
  let keys = former?.shop;
  if (former) endProgram(former.programPid);
  await onDatabaseOf(dataDir, database, former === undefined, async (context) => {
    keys ??= keysOf(await createTestShop(context, soakedShopSettings));
    await prepare(context, keys);
  });
  const deployment = Deployment.at(built, dataDir);
  if (database !== undefined) deployment.settings = { DATABASE_URL: database };
  await deployment.start();
  const { baseUrl } = deployment;
  const menuUrl = await deployment.hasSaid(/Menu address +(\S+)/);
  const load = new SoakLoad({ shop: keys!, baseUrl, menuUrl, staffToken, at: former?.visits ?? 0 });
  return { deployment, keys: keys!, load };
}

/** Ends the program of a part that was killed. */
function endProgram(pid: number): void {
  const command = `/proc/${pid}/cmdline`;
  if (existsSync(command) && readFileSync(command, 'utf8').includes('dispensary crash-')) {
    process.kill(-pid, 'SIGKILL');
  }
}

async function onDatabaseOf(
  dataDir: string,
  database: string | undefined,
  isNew: boolean,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  if (database !== undefined) {
    const serving = { connectionString: database, options: '-c role=dispensary_app', isDistributed: true };
    const context = createContext(serving);
    await work(context);
    await context.database.close();
    return;
  }
  if (isNew) await layCluster(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  const context = createContext(server.servingConnection);
  await work(context);
  await context.database.close();
  await server.stop();
}

/** The bytes of a distributed database on all of its servers. */
async function bytesOfServers(admin: Client): Promise<number> {
  const { rows } = await admin.query(
    `select sum(result::bigint) as bytes from run_command_on_all_nodes('select pg_database_size(current_database())')`,
  );
  return Number(rows[0].bytes);
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
