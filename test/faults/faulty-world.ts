import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../cli/run-command-line.ts';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import {
  connectEmbedded,
  startEmbeddedPostgres,
} from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { createContext } from '../../src/platform/database/create-context.ts';
import { Database } from '../../src/platform/database/database.ts';
import { DiskBlobStore } from '../../src/platform/storage/blob-store.ts';
import { connectionUrl } from '../harness/test-connection.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import { type BuiltProgram, Deployment } from '../simulation/built-program.ts';
import { laySeverableWire, type SeverableWire } from '../simulation/severable-wire.ts';
import { brokenRules } from '../simulation/trading-invariants.ts';
import { type ClientWire, layClientWire } from './client-wire.ts';
import { FaultLoad, type LoadCounts } from './fault-load.ts';
import { type MovedClock, prepareClock } from './moved-clock.ts';
import { moveToSmallDisk, type SmallDisk } from './small-disk.ts';

/** So many are placed before a fault, and again after it. */
const ordersAround = 15;

const recoveryMsMax = 120_000;

/** Where the program and its database are, and which clock they have. */
export type Place = 'embedded' | 'small disk' | 'behind a wire' | 'by a moved clock';

/** A program under load, of which parts can fail. */
export interface FaultyWorld {
  readonly deployment: Deployment;
  readonly clients: ClientWire;
  readonly load: FaultLoad;
  /** With a small disk. */
  readonly disk: SmallDisk | null;
  /** Between the program and its database, which is then a server of its own. */
  readonly wire: SeverableWire | null;
  /** The clock that the program and its database have; null: the true one. */
  readonly clock: MovedClock | null;
  /** All processes of its PostgreSQL. */
  databasePids(): number[];
  database(): Database;
  /** Starts it again, if it has ended. */
  restart(): Promise<void>;
  /** The member of staff signs in anew, at a moment of the service's clock. */
  signIn(nowMs: number): Promise<void>;
  /** Resolves when the load has placed some orders. */
  trade(): Promise<void>;
  /** What the load saw since the last time. */
  takeCounts(): LoadCounts;
  /** Resolves when an order is placed again; how long that took. Then every promise is looked at, and all data verified. */
  recover(): Promise<Recovery>;
  close(): Promise<void>;
}

interface Recovery {
  readonly recoveryMs: number;
  readonly faults: readonly string[];
  readonly partsMs: Readonly<Record<string, number>>;
}

let opened = 0;

/** Opens a world; a text: why this machine cannot. */
export async function openWorld(built: BuiltProgram, place: Place): Promise<FaultyWorld | string> {
  opened += 1;
  const name = `${place} ${opened}`;
  const clock = place === 'by a moved clock' ? await prepareClock(built, name) : null;
  if (typeof clock === 'string') return clock;
  let token = '';
  let staffId = 0;
  const signIn = async (context: Context, { organizationId }: TestShop) => {
    ({ token } = await startSession(context, 'production', testOrigin, organizationId, staffId));
  };
  const deployment = await Deployment.make(clock?.built ?? built, name, async (context, shop) => {
    [staffId] = (await createStaff(context, testOrigin, shop.organizationId, [
      { email: 'wren@shop.example.com', firstName: 'Wren', lastName: 'Alder', role: 'owner', password: null },
    ])) as [number];
    await signIn(context, shop);
  });
  await new DiskBlobStore(join(deployment.dataDir, 'photos')).put('a.svg', Buffer.from('<svg/>'));
  const disk = place === 'small disk' ? moveToSmallDisk(deployment.dataDir) : null;
  if (typeof disk === 'string') return disk;
  const own = place === 'behind a wire' ? await startOwnServer(deployment) : null;
  if (clock !== null) {
    await clock.move(0);
    deployment.settings = clock.settings;
  }
  await deployment.start();
  let clients = await layClientWire(deployment.baseUrl);
  const load = new FaultLoad({ deployment, url: () => clients.url, token: () => token });
  const connection = () => own?.server.servingConnection ?? connectEmbedded(deployment)!.servingConnection;
  const world: FaultyWorld = {
    ...{ deployment, load, disk, clock, wire: own?.wire ?? null },
    get clients() {
      return clients;
    },
    databasePids: () => processesBelow(join(deployment.dataDir, 'postgres')),
    database: () => new Database(connection(), 1),
    restart: async () => {
      load.hold();
      await clients.close();
      await deployment.start();
      clients = await layClientWire(deployment.baseUrl);
      load.resume();
    },
    signIn: async (nowMs) => {
      const context = createContext(connection(), { now: () => nowMs });
      await signIn(context, deployment.shop);
      await context.database.close();
    },
    trade: async () => {
      await load.placesFurther(ordersAround, recoveryMsMax);
    },
    takeCounts: () => load.takeCounts(),
    recover: () => recover(world, own?.settings ?? {}),
    close: async () => {
      await load.stop();
      await clients.close();
      deployment.terminate();
      await deployment.ended;
      await own?.wire.close();
      await own?.server.stop();
      if (disk !== null) disk.remove();
      for (const folder of [deployment.dataDir, own?.settings.DATA_DIR, clock?.built.folder]) {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return world;
}

async function recover(world: FaultyWorld, settings: Readonly<Record<string, string>>): Promise<Recovery> {
  const { load } = world;
  const parts = new Parts();
  const beganMs = performance.now();
  const placed = await load.placesFurther(1, recoveryMsMax);
  const recoveryMs = Math.round(performance.now() - beganMs);
  parts.end('recovery');
  if (!placed) {
    const faults = [...load.takeFaults(), `no order is placed for ${recoveryMsMax / 1_000} s`];
    return { recoveryMs, faults, partsMs: parts.ms };
  }
  const goesOn = await load.placesFurther(ordersAround, recoveryMsMax);
  await load.pause();
  parts.end('further orders');
  const faults = [
    ...load.takeFaults(),
    ...(goesOn ? [] : [`fewer than ${ordersAround} orders in ${recoveryMsMax / 1_000} s`]),
    ...(await lookAt(world, settings, parts)),
  ];
  load.resume();
  return { recoveryMs, faults, partsMs: parts.ms };
}

/** How long each part of a work took, one after the other. */
export class Parts {
  readonly ms: Record<string, number> = {};
  #beganMs = performance.now();

  end(part: string): void {
    const nowMs = performance.now();
    this.ms[part] = Math.round(nowMs - this.#beganMs);
    this.#beganMs = nowMs;
  }
}

/** The database as a server of its own, which the program reaches through a wire. */
async function startOwnServer(deployment: Deployment) {
  const server = await startEmbeddedPostgres({ dataDir: deployment.dataDir, onProgress: () => {} });
  const wire = await laySeverableWire(server.ownerConnection);
  const { host, port } = wire.connection;
  const settings = {
    DATA_DIR: `${deployment.dataDir} files`,
    DATABASE_URL: connectionUrl({ ...server.ownerConnection, host: host!, port: port! }),
    DATABASE_APP_URL: connectionUrl({ ...server.servingConnection, host: host!, port: port! }),
  };
  await new DiskBlobStore(join(settings.DATA_DIR, 'photos')).put('a.svg', Buffer.from('<svg/>'));
  deployment.settings = settings;
  return { server, wire, settings };
}

/** Whether every acknowledged order is there once, unanswered ones are placed once, every rule holds, and `verify` finds nothing. */
async function lookAt(
  world: FaultyWorld,
  settings: Readonly<Record<string, string>>,
  parts: Parts,
): Promise<string[]> {
  const { deployment } = world;
  const faults: string[] = [];
  const unanswered = [...deployment.told.keys()].filter((key) => deployment.told.get(key) === null);
  const placeNext = async () => {
    for (let key = unanswered.pop(); key !== undefined; key = unanswered.pop()) {
      if ((await deployment.place(key)) === null) faults.push(`the order of the key ${key} is refused again`);
    }
  };
  await Promise.all(Array.from({ length: 5 }, placeNext));
  parts.end('unanswered orders');
  const database = world.database();
  const rules = await brokenRules(database, deployment.shop.organizationId);
  faults.push(...rules.map((rule) => `broken rule: ${JSON.stringify(rule)}`));
  const [kept, told] = [await deployment.orders(database), deployment.acknowledged];
  for (const key of new Set([...Object.keys(kept), ...Object.keys(told)])) {
    if (JSON.stringify(sorted(kept[key])) !== JSON.stringify(sorted(told[key])))
      faults.push(
        `the order of the key ${key} is ${JSON.stringify(kept[key])}, told was ${JSON.stringify(told[key])}`,
      );
  }
  await database.close();
  parts.end('rules and orders');
  const verified = await verifyAt({ DATA_DIR: deployment.dataDir, ...settings }, world.clock);
  parts.end('verify');
  return [...faults, ...verified];
}

function sorted(order: unknown): unknown {
  return order && Object.fromEntries(Object.entries(order).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What `dispensary verify` finds, by the clock of the world; a folder is looked at instead of the running one. */
export async function verifyAt(
  env: Readonly<Record<string, string>>,
  clock: MovedClock | null,
  ...folder: string[]
): Promise<string[]> {
  const args = ['verify', ...folder, '--json'];
  const { code, out, err } = await (clock === null ? runHere(args, env) : clock.command(args, env));
  if (code === 0) return [];
  const findings = out === '' ? [] : JSON.parse(out).findings;
  const damage = (findings as { isDamage: boolean }[]).filter(({ isDamage }) => isDamage);
  return damage.length === 0
    ? [`verify ended with ${code}: ${err.slice(-300)}`]
    : damage.map((finding) => `verify: ${JSON.stringify(finding).slice(0, 300)}`);
}

async function runHere(args: readonly string[], env: Readonly<Record<string, string>>) {
  const said = { out: '', err: '' };
  const code = await runCommandLine([...args], {
    ...{ env: { DEMO: 'off', ...env }, folder: '/' },
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  return { code, ...said };
}

/** The processes of a PostgreSQL by its data directory, the first one first; Linux only. */
function processesBelow(clusterDir: string): number[] {
  const first = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(first)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number);
  return [first, ...children];
}

/** The largest file of a table or index in a data folder. */
export function largestRelation(dataDir: string): string {
  const base = join(dataDir, 'postgres', 'base');
  const files = readdirSync(base).flatMap((folder) =>
    readdirSync(join(base, folder))
      .filter((name) => /^\d+$/.test(name) && Number(name) > 16_384)
      .map((name) => join(base, folder, name)),
  );
  return files.sort((one, other) => readFileSync(other).length - readFileSync(one).length)[0]!;
}
