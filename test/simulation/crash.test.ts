import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { createContext } from '../../src/app.ts';
import { Database } from '../../src/database/database.ts';
import { connectEmbedded, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { keyHeaders } from '../harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../harness/test-shop.ts';
import { brokenRules } from './trading-invariants.ts';

const roundCount = 30;
const clientCount = 8;

/** The program as it is built and started, in a folder of its own, on an embedded database with one shop. */
const folder = mkdtempSync(join(tmpdir(), 'dispensary crash-'));
const dataDir = join(folder, 'data');
let shop: TestShop;
let program: ChildProcess | undefined;

beforeAll(async () => {
  for (const name of ['node_modules', 'migrations'])
    symlinkSync(join(projectFolder(), name), join(folder, name));
  await build({
    absWorkingDir: projectFolder(),
    entryPoints: ['src/main.ts'],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
  await migrate(server.ownerConnection);
  const context = createContext(server.servingConnection);
  shop = await createTestShop(context);
  await context.database.close();
  await server.stop();
});

afterAll(async () => {
  if (program?.exitCode === null && program.signalCode === null) {
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

/** Starts the program; resolves to its base address once it is ready. */
async function start(): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DEMO: 'off',
      PORT: '0',
      MENU_PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  program = child;
  const said: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    said.push(line);
    const address = /Base address +(\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout!.resume();
    return address;
  }
  throw new Error(`the program ended while starting: ${said.join('\n')}`);
}

/** Ends everything the program has started, without a word of warning. */
async function kill(withDatabase: boolean): Promise<void> {
  const ended = once(program!, 'exit');
  // The program leads a group of its own, and so does its PostgreSQL.
  process.kill(-program!.pid!, 'SIGKILL');
  if (withDatabase) {
    const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(-Number(pid), 'SIGKILL');
  }
  await ended;
}

/** What a client has been told: the order's id and total by its key; null while it has had no answer. */
type Told = Map<string, { readonly id: string; readonly total: number } | null>;

async function place(baseUrl: string, body: ReturnType<typeof pickupBody>, told: Told): Promise<void> {
  if (!told.has(body.idempotencyKey)) told.set(body.idempotencyKey, null);
  const reply = await fetch(`${baseUrl}/api/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(shop.keys) },
    body: JSON.stringify(body),
  });
  const { data } = (await reply.json()) as { data?: { id: string; customerGrandTotal: number } };
  // Out of the grave of a killed database comes a 503: no answer about the order.
  if (reply.status === 503) return;
  expect(reply.status).toBe(201);
  told.set(body.idempotencyKey, { id: data!.id, total: data!.customerGrandTotal });
}

/** Orders of all kinds: of old and new customers, drafts and such that take stock from several packages. */
function bodyOf(at: number, idempotencyKey: string = randomUUID()) {
  const options = ['eighth', 'gram', 'gummies', 'quarter', 'tray'];
  const lineItems = options
    .slice(0, 1 + (at % options.length))
    .map((option) => ({ productOptionId: shop.optionId(option), quantity: 2 + (at % 3) }));
  const customer = {
    firstName: 'Buyer',
    lastName: `No. ${at}`,
    email: `buyer${at % 50}@customers.example.com`,
  };
  const payments = [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }];
  const changes = { idempotencyKey, lineItems, customer, payments };
  return at % 3 === 0 ? deliveryBody(shop, changes) : pickupBody(shop, changes);
}

test(`whatever is killed, and whenever (${roundCount} times), every acknowledged order is there once and whole`, async () => {
  const random = seededRandom('crash');
  const told: Told = new Map();
  let placedCount = 0;
  let baseUrl = await start();
  for (let round = 0; round < roundCount; round++) {
    let isAlive = true;
    const clients = Array.from({ length: clientCount }, async () => {
      while (isAlive) {
        // A request that the kill cuts off is one without an answer.
        await place(baseUrl, bodyOf(placedCount++), told).catch((error) => {
          if (isAlive || !(error instanceof TypeError)) throw error;
        });
      }
    });
    await delay(random.integer(5, 250));
    isAlive = false;
    await kill(random.chance(0.4));
    await Promise.all(clients);

    baseUrl = await start();
    const database = new Database(connectEmbedded({ dataDir })!.servingConnection, 1);
    expect(await brokenRules(database, shop.organizationId)).toEqual([]);
    expect(await ordersByKey(database)).toEqual(expect.objectContaining(acknowledged(told)));
    // Whoever has had no answer asks again with the same key, and then has the one order.
    const unanswered = [...told].filter(([, answer]) => answer === null);
    await Promise.all(unanswered.map(([key], at) => place(baseUrl, bodyOf(at, key), told)));
    expect(await ordersByKey(database)).toEqual(acknowledged(told));
    await database.close();
  }
  expect(told.size).toBeGreaterThan(roundCount * clientCount);
}, 120_000);

const acknowledged = (told: Told) => Object.fromEntries([...told].filter(([, answer]) => answer !== null));

/** Every order by its key; two of one key would show as an array. */
async function ordersByKey(database: Database): Promise<Record<string, unknown>> {
  const rows = await tenantSql(
    database,
    shop.organizationId,
    'select idempotency_key as key, id, customer_grand_total_cents as total from orders',
  );
  const byKey: Record<string, unknown> = {};
  for (const { key, ...order } of rows) byKey[key] = byKey[key] === undefined ? order : [byKey[key], order];
  return byKey;
}
