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

/** Thirty kills, in three deployments side by side: most of a restart is waiting for the disk. */
const deploymentCount = 3;
const killsPerDeployment = 10;
const clientCount = 8;

/** The program as it is built and started. */
const folder = mkdtempSync(join(tmpdir(), 'dispensary crash-'));
const programs = new Set<ChildProcess>();

beforeAll(async () => {
  for (const name of ['node_modules', 'migrations']) {
    symlinkSync(join(projectFolder(), name), join(folder, name));
  }
  await build({
    absWorkingDir: projectFolder(),
    entryPoints: ['src/main.ts'],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
});

afterAll(async () => {
  for (const program of programs) {
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

/** What clients have been told: the order's id and total by its key; null while there was no answer. */
type Told = Map<string, { readonly id: string; readonly total: number } | null>;

/** A program with an embedded database of its own, in which there is one shop. */
class Deployment {
  readonly dataDir: string;
  readonly shop: TestShop;
  readonly told: Told = new Map();
  #program!: ChildProcess;
  #baseUrl = '';
  #requestCount = 0;

  private constructor(dataDir: string, shop: TestShop) {
    this.dataDir = dataDir;
    this.shop = shop;
  }

  static async make(name: string): Promise<Deployment> {
    const dataDir = join(folder, name);
    const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
    await migrate(server.ownerConnection);
    const context = createContext(server.servingConnection);
    const shop = await createTestShop(context);
    await context.database.close();
    await server.stop();
    return new Deployment(dataDir, shop);
  }

  /** Resolves once the program is ready. */
  async start(): Promise<void> {
    const program = spawn(process.execPath, [join(folder, 'main.mjs')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: this.dataDir,
        DEMO: 'off',
        PORT: '0',
        MENU_PORT: '0',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    this.#program = program;
    programs.add(program);
    const said: string[] = [];
    for await (const line of createInterface(program.stdout)) {
      said.push(line);
      const address = /Base address +(\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      program.stdout.resume();
      this.#baseUrl = address;
      return;
    }
    throw new Error(`the program ended while starting: ${said.join('\n')}`);
  }

  /** Ends everything of the program's group at once, and of its PostgreSQL's if asked to. */
  async kill(withDatabase: boolean): Promise<void> {
    const ended = once(this.#program, 'exit');
    process.kill(-this.#program.pid!, 'SIGKILL');
    if (withDatabase) {
      const [pid] = readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(-Number(pid), 'SIGKILL');
    }
    await ended;
    programs.delete(this.#program);
  }

  async place(idempotencyKey: string = randomUUID()): Promise<void> {
    const { told } = this;
    if (!told.has(idempotencyKey)) told.set(idempotencyKey, null);
    const reply = await fetch(`${this.#baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(this.shop.keys) },
      body: JSON.stringify(this.#nextBody(idempotencyKey)),
    });
    const { data } = (await reply.json()) as { data?: { id: string; customerGrandTotal: number } };
    // While its database is being killed, the program says 503: no answer about the order.
    if (reply.status === 503) return;
    expect(reply.status).toBe(201);
    told.set(idempotencyKey, { id: data!.id, total: data!.customerGrandTotal });
  }

  /** Orders of all kinds: of old and new customers, drafts and such that take stock of several items. */
  #nextBody(idempotencyKey: string) {
    const { shop } = this;
    const at = this.#requestCount++;
    const options = ['eighth', 'gram', 'gummies', 'quarter', 'tray'];
    const changes = {
      idempotencyKey,
      lineItems: options
        .slice(0, 1 + (at % options.length))
        .map((option) => ({ productOptionId: shop.optionId(option), quantity: 2 + (at % 3) })),
      customer: {
        firstName: 'Buyer',
        lastName: `No. ${at}`,
        email: `buyer${at % 50}@customers.example.com`,
      },
      payments: [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }],
    };
    return at % 3 === 0 ? deliveryBody(shop, changes) : pickupBody(shop, changes);
  }

  /** What is in the database, by key; two orders of one key would show as a list. */
  async orders(database: Database): Promise<Record<string, unknown>> {
    const rows = await tenantSql(
      database,
      this.shop.organizationId,
      'select idempotency_key as key, id, customer_grand_total_cents as total from orders',
    );
    const byKey: Record<string, unknown> = {};
    for (const { key, ...order } of rows) byKey[key] = byKey[key] === undefined ? order : [byKey[key], order];
    return byKey;
  }

  get acknowledged(): Record<string, unknown> {
    return Object.fromEntries([...this.told].filter(([, answer]) => answer !== null));
  }
}

async function tradeAndCrash(name: string): Promise<void> {
  const random = seededRandom(name);
  const deployment = await Deployment.make(name);
  const { shop, told } = deployment;
  await deployment.start();
  for (let kill = 0; kill < killsPerDeployment; kill++) {
    let isAlive = true;
    const clients = Array.from({ length: clientCount }, async () => {
      while (isAlive) {
        // A request that the kill cuts off is one without an answer.
        await deployment.place().catch((error) => {
          if (isAlive || !(error instanceof TypeError)) throw error;
        });
      }
    });
    await delay(random.integer(5, 400));
    isAlive = false;
    await deployment.kill(random.chance(0.3));
    await Promise.all(clients);

    await deployment.start();
    const database = new Database(connectEmbedded(deployment)!.servingConnection, 1);
    expect(await brokenRules(database, shop.organizationId)).toEqual([]);
    expect(await deployment.orders(database)).toEqual(expect.objectContaining(deployment.acknowledged));
    // Whoever has had no answer asks again with the same key, and then has the one order.
    const unanswered = [...told.keys()].filter((key) => told.get(key) === null);
    await Promise.all(unanswered.map((key) => deployment.place(key)));
    expect(await deployment.orders(database)).toEqual(deployment.acknowledged);
    await database.close();
  }
  expect(told.size).toBeGreaterThan(killsPerDeployment * clientCount);
}

test('whatever is killed, and whenever, every acknowledged order is there once, and whole', async () => {
  const names = Array.from({ length: deploymentCount }, (_, at) => `deployment ${at}`);
  await Promise.all(names.map(tradeAndCrash));
}, 150_000);
