import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createContext } from '../../src/app/app.ts';
import {
  connectEmbedded,
  startEmbeddedPostgres,
} from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { isAlive } from '../../src/hosting/embedded-postgres/lock.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue-jobs.ts';
import { startJobs, type Task } from '../../src/platform/jobs/job-runner.ts';
import { openStream } from '../../src/shop/live/live-stream.test-support.ts';
import { layCluster } from '../harness/made-cluster.ts';
import { execute } from '../harness/test-connection.ts';
import { createTestShop } from '../harness/test-shop.ts';
import { bearerHeader, createTestStaff } from '../harness/test-staff.ts';
import { type BuiltProgram, buildProgram, Deployment } from './built-program.ts';
import { clientPause } from './client-pause.ts';
import { brokenRules } from './trading-invariants.ts';

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildProgram();
});
afterAll(() => built.remove());

/** As `expect.poll`, which does not support concurrent tests. */
function eventually<Value>(read: () => Value, check: (value: Awaited<Value>) => void): Promise<void> {
  return vi.waitFor(async () => check(await read()), { timeout: 60_000, interval: 20 });
}

const readiness = async ({ baseUrl }: Deployment) => (await fetch(`${baseUrl}/readyz`)).status;
const answered = ({ acknowledged }: Deployment) => Object.keys(acknowledged).length;

/** Waits for a dozen further answered orders. */
async function sellsAgain(deployment: Deployment): Promise<void> {
  const before = answered(deployment);
  await eventually(
    () => answered(deployment),
    (it) => expect(it).toBeGreaterThan(before + 12),
  );
}

/** Clients that buy continuously. A client without an answer repeats its request when the service is ready. */
function startClients(deployment: Deployment) {
  let isOpen = true;
  const clients = Array.from({ length: 6 }, async () => {
    while (isOpen) {
      await clientPause();
      const key = randomUUID();
      while ((await deployment.place(key)) === null) {
        await eventually(
          () => readiness(deployment),
          (it) => expect(it).toBe(200),
        );
      }
    }
  });
  return {
    stop: async () => {
      isOpen = false;
      await Promise.all(clients);
    },
  };
}

/** Every answered order is stored as answered, and a client without an answer gets its one order now. */
async function expectNothingLost(deployment: Deployment): Promise<void> {
  const database = new Database(connectEmbedded(deployment)!.servingConnection, 1);
  expect(await brokenRules(database, deployment.shop.organizationId)).toEqual([]);
  expect(await deployment.orders(database)).toEqual(expect.objectContaining(deployment.acknowledged));
  const { told } = deployment;
  const unanswered = [...told.keys()].filter((key) => told.get(key) === null);
  await Promise.all(unanswered.map((key) => deployment.place(key)));
  expect(await deployment.orders(database)).toEqual(deployment.acknowledged);
  await database.close();
}

/** Hides a file that the server needs to start; returns the function that puts it back. */
function damage({ dataDir }: Deployment): () => void {
  const path = join(dataDir, 'postgres', 'global', 'pg_control');
  renameSync(path, `${path}.away`);
  return () => renameSync(`${path}.away`, path);
}

// Side by side: they wait for the disk, and for retries with growing pauses.
test.concurrent('a PostgreSQL that is killed under load comes back by itself, and everything continues', async () => {
  let token = '';
  const deployment = await Deployment.make(built, 'comes back', async (context, { organizationId }) => {
    const noCall = () => Promise.reject(new Error('nothing serves yet'));
    ({ token } = await createTestStaff(context, 'production', organizationId, 'owner', noCall));
  });
  await deployment.start();
  const stream = await openStream(deployment.baseUrl, bearerHeader(token));
  await stream.until('ready');
  const clients = startClients(deployment);
  await sellsAgain(deployment);

  process.kill(deployment.postmasterPid, 'SIGKILL');
  await deployment.hasSaid(/PostgreSQL ended unexpectedly/);
  await deployment.hasSaid(/PostgreSQL is running again/);
  await sellsAgain(deployment);

  // One killed session ends all others.
  const { adminConnection } = connectEmbedded(deployment)!;
  const [session] = await execute(
    adminConnection,
    `select pid from pg_stat_activity where application_name ~ '^dispensary-commerce \\d{4}$' limit 1`,
  );
  process.kill(Number(session!.pid), 'SIGKILL');
  await sellsAgain(deployment);

  await clients.stop();
  await expectNothingLost(deployment);
  const orderId = await deployment.place();
  for (let told = ''; told !== orderId; ) told = (await stream.until('order.placed')).data.id!;
  stream.close();
  const metrics = await (await fetch(await deployment.hasSaid(/Metrics: (\S+)/))).text();
  expect(metrics).toContain('database_restarts_total{outcome="done"} 1');
  deployment.terminate();
  expect(await deployment.ended).toBe(0);
}, 150_000);

test.concurrent('a stop in the middle of starting PostgreSQL again is a clean one', async () => {
  const deployment = await Deployment.make(built, 'is stopped');
  const expectStopped = async () => {
    deployment.terminate();
    expect(await deployment.ended).toBe(0);
    expect(deployment.said).toContain('Stopped.');
    expect(existsSync(join(deployment.dataDir, 'lock'))).toBe(false);
    const pidFile = join(deployment.dataDir, 'postgres', 'postmaster.pid');
    expect(existsSync(pidFile) && isAlive(deployment.postmasterPid)).toBe(false);
  };
  await deployment.start();
  await deployment.place();
  process.kill(deployment.postmasterPid, 'SIGKILL');
  await deployment.hasSaid(/PostgreSQL ended unexpectedly/);
  await expectStopped();

  await deployment.start();
  await deployment.place();
  const mend = damage(deployment);
  process.kill(deployment.postmasterPid, 'SIGKILL');
  await deployment.hasSaid(/Restart 3 of PostgreSQL failed/);
  await expectStopped();
  mend();

  await deployment.start();
  expect(answered(deployment)).toBe(2);
  await expectNothingLost(deployment);
}, 120_000);

// Ten tries with their pauses take half a minute.
test.concurrent('a PostgreSQL that cannot be started again ends the program, which says why and has refused till then', async () => {
  const deployment = await Deployment.make(built, 'is damaged');
  await deployment.start();
  await deployment.place();
  const mend = damage(deployment);
  process.kill(deployment.postmasterPid, 'SIGKILL');
  await deployment.hasSaid(/Restart 2 of PostgreSQL failed/);
  expect(await readiness(deployment)).toBe(503);
  // Is 503 with Retry-After, or it would throw.
  expect(await deployment.place()).toBeNull();
  expect(await deployment.ended).toBe(1);
  expect(deployment.said.join('\n')).toMatch(/could not be restarted in 10 tries.*pg_control/s);
  expect(existsSync(join(deployment.dataDir, 'lock'))).toBe(false);

  mend();
  await deployment.start();
  await expectNothingLost(deployment);
}, 120_000);

test.concurrent('background jobs continue when PostgreSQL was killed', async () => {
  const dataDir = join(built.folder, 'jobs');
  await layCluster(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  const context = createContext(server.servingConnection);
  const { organizationId } = await createTestShop(context);
  const done: number[] = [];
  const task: Task<{ readonly number: number }> = {
    name: 'count_on',
    run: async ({ payload }) => void done.push(payload.number),
  };
  const jobs = startJobs({
    connection: server.servingConnection,
    database: context.database,
    tasks: [task as Task<never>],
    logger: createLogger({ level: 'silent' }),
    metrics: { registry: new Registry() },
  });
  const enqueue = (number: number) =>
    context.database.write(organizationId, async (tx) =>
      tx.queue(...enqueueJobs(task.name, [{ key: number, payload: { number } }])),
    );
  const isEnqueued = (number: number) =>
    enqueue(number).then(
      () => true,
      () => false,
    );
  await enqueue(1);
  await eventually(
    () => done,
    (it) => expect(it).toEqual([1]),
  );
  const [postmaster] = await execute(
    server.adminConnection,
    `select pg_read_file('postmaster.pid') as written`,
  );
  process.kill(Number.parseInt(String(postmaster!.written), 10), 'SIGKILL');
  await eventually(
    () => server.restarts.done,
    (it) => expect(it).toBe(1),
  );
  await eventually(
    () => isEnqueued(2),
    (it) => expect(it).toBe(true),
  );
  await eventually(
    () => done,
    (it) => expect(it).toContain(2),
  );
  await jobs.stop();
  await context.database.close();
  await server.stop();
}, 90_000);
