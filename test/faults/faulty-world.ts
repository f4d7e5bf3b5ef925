import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommandLine } from '../../cli/run-command-line.ts';
import { createStaff, startSession } from '../../src/access/organizations.ts';
import { Database } from '../../src/database/database.ts';
import { connectEmbedded, startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { DiskBlobStore } from '../../src/storage/blob-store.ts';
import { connectionUrl } from '../harness/test-connection.ts';
import { testOrigin } from '../harness/test-shop.ts';
import { type BuiltProgram, Deployment } from '../simulation/built-program.ts';
import { clientPause } from '../simulation/client-pause.ts';
import { laySeverableWire, type SeverableWire } from '../simulation/severable-wire.ts';
import { brokenRules } from '../simulation/trading-invariants.ts';
import { type ClientWire, layClientWire } from './client-wire.ts';
import { moveToSmallDisk, type SmallDisk } from './small-disk.ts';

const buyers = 5;
/** So many are placed before a fault, and again after it. */
const ordersAround = 15;

interface SoldOrder {
  readonly lineItems: readonly { readonly id: number }[];
}

const recoveryMsMax = 120_000;

/** Where the program and its database are. */
export type Place = 'embedded' | 'small disk' | 'behind a wire';

/** A program under load, of which parts can fail. */
export interface FaultyWorld {
  readonly deployment: Deployment;
  readonly clients: ClientWire;
  /** With a small disk. */
  readonly disk: SmallDisk | null;
  /** Between the program and its database, which is then a server of its own. */
  readonly wire: SeverableWire | null;
  /** All processes of its PostgreSQL. */
  databasePids(): number[];
  database(): Database;
  /** Starts it again, if it has ended. */
  restart(): Promise<void>;
  /** Resolves when the load has placed some orders. */
  trade(): Promise<void>;
  /** What the load saw since the last time. */
  takeCounts(): { orders: number; replays: number; steps: number; returns: number; refused: number };
  /** Resolves when an order is placed again; how long that took. Then every promise is looked at, and all data verified. */
  recover(): Promise<{ recoveryMs: number; faults: readonly string[] }>;
  close(): Promise<void>;
}

/** Opens a world; a text: why this machine cannot. */
export async function openWorld(built: BuiltProgram, place: Place): Promise<FaultyWorld | string> {
  let token = '';
  const deployment = await Deployment.make(built, place, async (context, shop) => {
    const [staffId] = await createStaff(context, testOrigin, shop.organizationId, [
      { email: 'wren@shop.example.com', firstName: 'Wren', lastName: 'Alder', role: 'owner', password: null },
    ]);
    ({ token } = await startSession(context, 'production', testOrigin, shop.organizationId, staffId!));
  });
  await new DiskBlobStore(join(deployment.dataDir, 'photos')).put('a.svg', Buffer.from('<svg/>'));
  const disk = place === 'small disk' ? moveToSmallDisk(deployment.dataDir) : null;
  if (typeof disk === 'string') return disk;
  const own = place === 'behind a wire' ? await startOwnServer(built, deployment) : null;
  await deployment.start();
  let clients = await layClientWire(deployment.baseUrl);
  const load = startLoad(deployment, token, () => clients.url);
  const connection = () => own?.server.servingConnection ?? connectEmbedded(deployment)!.servingConnection;
  const world: FaultyWorld = {
    deployment,
    get clients() {
      return clients;
    },
    ...{ disk, wire: own?.wire ?? null },
    databasePids: () => processesBelow(join(deployment.dataDir, 'postgres')),
    database: () => new Database(connection(), 1),
    restart: async () => {
      load.hold();
      await clients.close();
      await deployment.start();
      clients = await layClientWire(deployment.baseUrl);
      load.resume();
    },
    trade: async () => {
      await load.placesFurther(ordersAround, recoveryMsMax);
    },
    takeCounts: load.take,
    recover: async () => {
      const beganMs = performance.now();
      const placed = await load.placesFurther(1, recoveryMsMax);
      const recoveryMs = Math.round(performance.now() - beganMs);
      if (!placed) return { recoveryMs, faults: [`no order is placed for ${recoveryMsMax / 1_000} s`] };
      await load.placesFurther(ordersAround, recoveryMsMax);
      await load.pause();
      const faults = [...load.takeFaults(), ...(await lookAt(world, own?.settings ?? {}))];
      load.resume();
      return { recoveryMs, faults };
    },
    close: async () => {
      await load.stop();
      await clients.close();
      deployment.terminate();
      await deployment.ended;
      await own?.wire.close();
      await own?.server.stop();
      disk?.remove();
    },
  };
  return world;
}

/** The database as a server of its own, which the program reaches through a wire. */
async function startOwnServer(built: BuiltProgram, deployment: Deployment) {
  const server = await startEmbeddedPostgres({ dataDir: deployment.dataDir, onProgress: () => {} });
  const wire = await laySeverableWire(server.ownerConnection);
  const { host, port } = wire.connection;
  const settings = {
    DATA_DIR: join(built.folder, 'files behind a wire'),
    DATABASE_URL: connectionUrl({ ...server.ownerConnection, host: host!, port: port! }),
    DATABASE_APP_URL: connectionUrl({ ...server.servingConnection, host: host!, port: port! }),
  };
  await new DiskBlobStore(join(settings.DATA_DIR, 'photos')).put('a.svg', Buffer.from('<svg/>'));
  deployment.settings = settings;
  return { server, wire, settings };
}

/** Buyers who place orders and repeat some with their key, and a member of staff who hands orders over and takes goods back. */
function startLoad(deployment: Deployment, token: string, urlOf: () => string) {
  let counts = { orders: 0, replays: 0, steps: 0, returns: 0, refused: 0 };
  let faults: string[] = [];
  let [isOpen, isPaused] = [true, false];
  let underWay = 0;
  const guarded = async (work: () => Promise<void>) => {
    while (isOpen) {
      await clientPause();
      if (isPaused) continue;
      underWay += 1;
      try {
        deployment.baseUrl = urlOf();
        await work();
      } catch (error) {
        // A connection that was cut off; anything else is a reply that must not be.
        if (!(error instanceof TypeError)) faults.push(String((error as Error).message).slice(0, 300));
      }
      underWay -= 1;
    }
  };
  const buy = async () => {
    const key = randomUUID();
    const id = await deployment.place(key);
    if (id === null) counts.refused += 1;
    else counts.orders += 1;
    if (Math.random() < 0.25 && (await deployment.place(key)) !== null) counts.replays += 1;
  };
  const handOver = async () => {
    const ids = Object.values(deployment.acknowledged) as { id: string }[];
    const id = ids.at(Math.floor(Math.random() * ids.length))?.id;
    if (id === undefined) return;
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await fetch(`${urlOf()}/staff/v1/orders/${id}${path}`, {
        ...{ method, signal: AbortSignal.timeout(60_000) },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: unknown) => {
        throw error instanceof TypeError ? error : new TypeError('cut off', { cause: error });
      });
      if (reply.status >= 500 && reply.status !== 503) throw new Error(`${method} ${path}: ${reply.status}`);
      return reply.status < 300 ? ((await reply.json()) as { data: SoldOrder }).data : null;
    };
    for (const step of ['accept', 'fulfill'])
      if ((await ask('POST', `/${step}`, {})) !== null) counts.steps += 1;
    if (Math.random() > 0.3) return;
    const order = await ask('GET', '');
    const returned =
      order &&
      (await ask('POST', '/returns', {
        ...{ refundType: 'payment-method', paymentTypeId: deployment.shop.paymentTypeId('Bank') },
        idempotencyKey: randomUUID(),
        lineItems: [
          {
            ...{ orderLineItemId: order.lineItems[0]!.id, quantity: 1, type: 'return' },
            ...{ inventoryAction: 'inventory', reason: 'Unopened' },
          },
        ],
      }));
    if (returned !== null) counts.returns += 1;
  };
  const all = [...Array.from({ length: buyers }, () => guarded(buy)), guarded(handOver)];
  return {
    take: () => {
      const taken = counts;
      counts = { orders: 0, replays: 0, steps: 0, returns: 0, refused: 0 };
      return taken;
    },
    takeFaults: () => faults.splice(0),
    placesFurther: async (more: number, msMax: number) => {
      const wanted = counts.orders + more;
      const endMs = performance.now() + msMax;
      while (counts.orders < wanted && performance.now() < endMs) await delay(20);
      return counts.orders >= wanted;
    },
    hold: () => {
      isPaused = true;
    },
    pause: async () => {
      isPaused = true;
      while (underWay > 0) await delay(20);
    },
    resume: () => {
      isPaused = false;
    },
    stop: async () => {
      isOpen = false;
      isPaused = false;
      await Promise.all(all);
      faults = [];
    },
  };
}

/** Whether every acknowledged order is there once, unanswered ones are placed once, every rule holds, and `verify` finds nothing. */
async function lookAt(world: FaultyWorld, settings: Readonly<Record<string, string>>): Promise<string[]> {
  const { deployment } = world;
  const faults: string[] = [];
  const unanswered = [...deployment.told.keys()].filter((key) => deployment.told.get(key) === null);
  for (const key of unanswered) {
    if ((await deployment.place(key)) === null) faults.push(`the order of the key ${key} is refused again`);
  }
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
  const verified = await verifyAt({ DATA_DIR: deployment.dataDir, ...settings });
  return [...faults, ...verified];
}

function sorted(order: unknown): unknown {
  return order && Object.fromEntries(Object.entries(order).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What `dispensary verify` finds; a folder is looked at instead of the running one. */
export async function verifyAt(
  env: Readonly<Record<string, string>>,
  ...folder: string[]
): Promise<string[]> {
  const said = { out: '', err: '' };
  const code = await runCommandLine(['verify', ...folder, '--json'], {
    ...{ env: { DEMO: 'off', ...env }, folder: '/' },
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
  });
  if (code === 0) return [];
  const findings = said.out === '' ? [] : JSON.parse(said.out).findings;
  const damage = (findings as { isDamage: boolean }[]).filter(({ isDamage }) => isDamage);
  return damage.length === 0
    ? [`verify ended with ${code}: ${said.err.slice(-300)}`]
    : damage.map((finding) => `verify: ${JSON.stringify(finding).slice(0, 300)}`);
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
