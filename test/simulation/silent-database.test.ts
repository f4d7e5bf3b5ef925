import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createContext } from '../../src/app/app.ts';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue-jobs.ts';
import { type RunningJobs, startJobs, type Task } from '../../src/platform/jobs/job-runner.ts';
import { type OpenStream, openStream } from '../../src/shop/live/live-stream.test-support.ts';
import { layCluster } from '../harness/made-cluster.ts';
import { execute } from '../harness/test-connection.ts';
import { keyHeaders, startOwnTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { clientPause } from './client-pause.ts';
import { laySeverableWire, type SeverableWire } from './severable-wire.ts';

/* A separate server, because the tests stop all of it. One shop that is always busy, and one fault after the other. */

const tickMs = 20;

/**
 * A clock for limits that hold on a machine with time to spare: it leaves out what other processes took from this one, seen by
 * the lateness of a timer.
 */
class GivenTime {
  #takenMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let lastMs = performance.now();
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#takenMs += Math.max(0, nowMs - lastMs - tickMs);
      lastMs = nowMs;
    }, tickMs);
  }

  /** Milliseconds from an unknown beginning. */
  nowMs(): number {
    return performance.now() - this.#takenMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

const deadlines = { connectMs: 600, roundTripMs: 900, longRoundTripMs: 2_000 };
/** The waits for a connection and an answer, plus the delay of a busy machine. */
const answerMsMax = deadlines.connectMs + deadlines.roundTripMs + 1_500;
const recoveryMsMax = 5_000;
const connectionsMax = 45;

let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let wire: SeverableWire;
let service: TestService<typeof systemClock>;
let shop: TestShop;
let baseUrl = '';
let menuUrl = '';
let stream: OpenStream;
let jobs: RunningJobs;
let writingLog: { stop(): Promise<void> };
const folder = mkdtempSync(join(tmpdir(), 'dispensary-silent-'));
const dataDir = join(folder, 'data');
const jobsDone: number[] = [];
/** The limits above are for a machine that does nothing else. */
const givenTime = new GivenTime();

beforeAll(async () => {
  const settings = { max_connections: String(connectionsMax), fsync: 'off' };
  await layCluster(dataDir);
  server = await startEmbeddedPostgres({ dataDir, onProgress: () => {}, settings });
  wire = await laySeverableWire(server.servingConnection);
  const database = { owner: server.ownerConnection, serving: wire.connection, drop: async () => {} };
  service = await startOwnTestService({ database, clock: systemClock, deadlines });
  // Its deadlines are shorter than a busy machine needs for a whole shop.
  const patient = createContext(server.servingConnection);
  shop = await createTestShop(patient, { state: 'WY', taxes: [] });
  await patient.database.close();
  ({ baseUrl, menuUrl } = await service.listen());
  const logger = createLogger({ level: 'silent' });
  writingLog = service.apiRequests.start(logger);
  const task: Task<{ readonly number: number }> = {
    name: 'count_on',
    run: async ({ payload }) => void jobsDone.push(payload.number),
  };
  jobs = startJobs({
    connection: wire.connection,
    database: service.context.database,
    tasks: [task as Task<never>],
    logger,
    metrics: { registry: new Registry() },
    deadlines,
  });
  const { token } = await service.staff(shop);
  stream = await openStream(baseUrl, bearerHeader(token));
  await stream.until('ready');
}, 60_000);

afterAll(async () => {
  givenTime.stop();
  stream.close();
  await Promise.all([jobs.stop(), writingLog.stop()]);
  await service.close();
  await wire.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | null;
  readonly id: string | undefined;
}

async function ask(url: string, body?: object): Promise<Answer> {
  const beganAtMs = givenTime.nowMs();
  const reply = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(shop.keys) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await reply.json()) as { data?: { id?: string } };
  return {
    status: reply.status,
    ms: givenTime.nowMs() - beganAtMs,
    retryAfter: reply.headers.get('retry-after'),
    id: data?.id,
  };
}

const place = (idempotencyKey: string) =>
  ask(
    `${baseUrl}/api/v1/orders`,
    pickupBody(shop, {
      idempotencyKey,
      customer: {
        firstName: 'Buyer',
        lastName: 'One',
        email: `buyer${idempotencyKey[0]}@customers.example.com`,
      },
    }),
  );
const requests = {
  place: () => place(randomUUID()),
  price: () => ask(`${baseUrl}/api/v1/orders/pricing`, pickupBody(shop)),
  read: () => ask(`${baseUrl}/api/v1/product-categories`),
  menu: () => ask(`${menuUrl}/api/v1/menu?type=pickup`),
  ready: () => ask(`${baseUrl}/readyz`),
};
type Kind = keyof typeof requests;

/** Clients of every kind that send requests continuously, and their answers. */
function startClients() {
  const answers: (Answer & { readonly kind: Kind })[] = [];
  const orders = new Map<string, string | undefined>();
  let isOpen = true;
  const kinds: readonly Kind[] = ['place', 'place', 'place', 'price', 'read', 'menu', 'ready'];
  const clients = kinds.map(async (kind) => {
    let key = randomUUID();
    while (isOpen) {
      await clientPause();
      if (kind === 'place') orders.set(key, undefined);
      const answer = await (kind === 'place' ? place(key) : requests[kind]());
      if (kind === 'place') orders.set(key, answer.id);
      // A client without an order repeats the same request.
      if (answer.id !== undefined) key = randomUUID();
      answers.push({ ...answer, kind });
    }
  });
  return {
    answers,
    orders,
    stop: async () => {
      isOpen = false;
      await Promise.all(clients);
    },
  };
}

type Clients = ReturnType<typeof startClients>;

/** Waits for that many answers of a kind and status, from now on. */
async function answered({ answers }: Clients, kind: Kind, isMeant: (status: number) => boolean, count = 3) {
  const from = answers.length;
  await vi.waitFor(
    () => {
      const meant = answers.slice(from).filter((it) => it.kind === kind && isMeant(it.status));
      expect(meant.length, kind).toBeGreaterThanOrEqual(count);
    },
    { timeout: 20_000, interval: 10 },
  );
}

const isGood = (status: number) => status === 200 || status === 201;
const isRefused = (status: number) => status === 503;

/** Everything works: requests of each kind, the live stream, background jobs and the log of requests. */
async function expectRecovered(clients: Clients, sinceMs: number): Promise<void> {
  const { written } = service.apiRequests.statistics;
  const number = randomInt(1_000_000_000);
  const soon = { timeout: 20_000, interval: 20 };
  const enqueue = () =>
    service.context.database.write(shop.organizationId, async (tx) =>
      tx.queue(...enqueueJobs('count_on', [{ key: number, payload: { number } }])),
    );
  const recoveries: Readonly<Record<string, Promise<unknown>>> = {
    ...Object.fromEntries(
      (Object.keys(requests) as Kind[]).map((kind) => [kind, answered(clients, kind, isGood)]),
    ),
    stream: stream.until('order.placed'),
    jobs: vi.waitFor(enqueue, soon).then(() => vi.waitFor(() => expect(jobsDone).toContain(number), soon)),
    log: vi.waitFor(() => expect(service.apiRequests.statistics.written).toBeGreaterThan(written), soon),
  };
  const late: string[] = [];
  await Promise.all(
    Object.entries(recoveries).map(async ([name, recovery]) => {
      await recovery;
      const ms = Math.round(givenTime.nowMs() - sinceMs);
      if (ms > recoveryMsMax) late.push(`${name}: ${ms} ms`);
    }),
  );
  expect(late).toEqual([]);
}

/** Each request was answered in time, with success or 503; each order exists once, also those without an answer. */
async function expectAnswered({ answers, orders }: Clients): Promise<void> {
  for (const { kind, status, ms, retryAfter } of answers) {
    expect(isGood(status) || (isRefused(status) && retryAfter !== null), `${kind} ${status}`).toBe(true);
    expect(ms, `${kind} ${status}`).toBeLessThan(kind === 'ready' ? 2_000 : answerMsMax);
  }
  for (const [key, id] of orders) {
    const again = await place(key);
    expect(again.id).toBeDefined();
    if (id !== undefined) expect(again.id).toBe(id);
    orders.set(key, again.id);
  }
  const ids = [...orders.values()];
  expect(new Set(ids).size).toBe(ids.length);
}

/** All processes of the server. */
function signalServer(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const children = readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(postmaster)
      );
    } catch {
      return false;
    }
  });
  for (const pid of [postmaster, ...children.map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A process of a session may end between the list and the signal.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function withClients(work: (clients: Clients) => Promise<void>): Promise<void> {
  const clients = startClients();
  try {
    await answered(clients, 'place', isGood);
    await work(clients);
  } finally {
    await clients.stop();
  }
  await expectAnswered(clients);
}

test('dead connections are replaced within five seconds while new ones work', async () => {
  await withClients(async (clients) => {
    const sinceMs = givenTime.nowMs();
    wire.blackHole();
    await answered(clients, 'place', isRefused, 1);
    await expectRecovered(clients, sinceMs);
  });
}, 60_000);

test.runIf(process.platform === 'linux')(
  'while the whole server is stopped every request is refused with an answer, and all of it recovers afterwards',
  async () => {
    await withClients(async (clients) => {
      signalServer('SIGSTOP');
      try {
        for (const kind of Object.keys(requests) as Kind[]) await answered(clients, kind, isRefused, 1);
      } finally {
        signalServer('SIGCONT');
      }
      await expectRecovered(clients, givenTime.nowMs());
    });
  },
  60_000,
);

test('a commit that waits for a standby is refused in time, reads continue, and sessions do not accumulate', async () => {
  const setStandby = async (name: string) => {
    await execute(server.adminConnection, `alter system set synchronous_standby_names = '${name}'`);
    await execute(server.adminConnection, 'select pg_reload_conf()');
  };
  await withClients(async (clients) => {
    await setStandby('absent');
    for (const kind of ['place', 'ready'] as const) await answered(clients, kind, isRefused, 5);
    for (const kind of ['read', 'menu', 'price'] as const) await answered(clients, kind, isGood);
    const [row] = await execute(
      server.adminConnection,
      `select count(*)::integer as count from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    expect(row!.count).toBeLessThan(connectionsMax - 10);
    await setStandby('');
    await expectRecovered(clients, givenTime.nowMs());
  });
}, 60_000);

test('readiness reports that the server takes no more connections, and that it does again', async () => {
  await withClients(async (clients) => {
    const others: Client[] = [];
    let isHolding = true;
    const holding = (async () => {
      // A slot that becomes free is also taken.
      while (isHolding) {
        const other = new Client(server.servingConnection);
        other.on('error', () => {});
        await other.connect().then(
          () => others.push(other),
          () => {},
        );
      }
    })();
    await answered(clients, 'ready', isRefused);
    isHolding = false;
    await holding;
    await Promise.all(others.map((other) => other.end()));
    await expectRecovered(clients, givenTime.nowMs());
  });
}, 60_000);
