import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, inject } from 'vitest';
import { bundleOptions } from '../../scripts/prepare.mjs';
import { createContext } from '../../src/app/app.ts';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import type { Context } from '../../src/platform/database/context.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { layCluster } from '../harness/made-cluster.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { keyHeaders } from '../harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../harness/test-shop.ts';

/** The built program, as deployments start it. */
export interface BuiltProgram {
  readonly folder: string;
  /** Running deployments. */
  readonly running: Set<ChildProcess>;
  /** Ends running deployments, and removes all files. */
  remove(): Promise<void>;
}

/**
 * A separate folder with the built program, which also holds its deployments. The first one of a run builds it. The folder of
 * temporary files of a run is in memory.
 */
export async function buildProgram(parent = tmpdir()): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(parent, 'dispensary crash-'));
  const running = new Set<ChildProcess>();
  for (const name of ['node_modules', 'migrations', 'docs', 'contract', 'sdk']) {
    symlinkSync(join(projectFolder(), name), join(folder, name));
  }
  copyFileSync(await builtOnce('src/main.ts', 'built-program.mjs'), join(folder, 'main.mjs'));
  const reader = await builtOnce('src/shop/imports/reading-thread.ts', 'built-reader.mjs');
  copyFileSync(reader, join(folder, 'import-reader.mjs'));
  return {
    folder,
    running,
    remove: async () => {
      for (const program of running) {
        const ended = once(program, 'exit');
        program.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Lays another built program beside the main one, such as the command (`cli/main.ts`); resolves to its file. It starts in a fifth of
 * the time that its sources take.
 */
export async function layBuilt({ folder }: BuiltProgram, entry: string, name: string): Promise<string> {
  const file = join(folder, name);
  copyFileSync(await builtOnce(entry, `built-${name}`), file);
  return file;
}

/** A program's file of this run. */
async function builtOnce(entry: string, name: string): Promise<string> {
  const made = join(inject('server').folder, name);
  if (existsSync(made)) return made;
  // Under another name until it is complete: tests of other processes may need it.
  const outfile = join(mkdtempSync(`${made}-`), 'main.mjs');
  await build({ ...bundleOptions, entryPoints: [entry], outfile });
  renameSync(outfile, made);
  return made;
}

/** The clients' answers: the order's id and total by its key; null without an answer. */
type Told = Map<string, { readonly id: string; readonly total: number } | null>;

/** A program with its own embedded database and one shop. */
export class Deployment {
  readonly dataDir: string;
  readonly told: Told = new Map();
  /** The program's output on both streams, line by line. */
  readonly said: string[] = [];
  readonly #built: BuiltProgram;
  readonly #shop: TestShop | undefined;
  #program!: ChildProcess;
  readonly #lines = new EventEmitter();
  /** Further settings of the program. */
  settings: Readonly<Record<string, string>> = {};
  baseUrl = '';
  /** The program's exit code, after all its output is read. */
  ended: Promise<number | null> = Promise.resolve(null);
  #requestCount = 0;

  private constructor(built: BuiltProgram, dataDir: string, shop?: TestShop) {
    this.#built = built;
    this.dataDir = dataDir;
    this.#shop = shop;
  }

  /** One whose data is there already. */
  static at(built: BuiltProgram, dataDir: string): Deployment {
    return new Deployment(built, dataDir);
  }

  /** The one that was made with it. */
  get shop(): TestShop {
    return this.#shop!;
  }

  /** Makes the database, its shop and further data. */
  static async make(
    built: BuiltProgram,
    name: string,
    prepare: (context: Context, shop: TestShop) => Promise<void> = async () => {},
    settings: ShopSettings = {},
  ): Promise<Deployment> {
    const dataDir = join(built.folder, name);
    await layCluster(dataDir);
    const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
    const context = createContext(server.servingConnection);
    const shop = await createTestShop(context, settings);
    await prepare(context, shop);
    await context.database.close();
    await server.stop();
    return new Deployment(built, dataDir, shop);
  }

  /** Resolves once the program is ready. */
  async start(): Promise<void> {
    const { folder, running } = this.#built;
    this.said.length = 0;
    const program = spawn(process.execPath, [join(folder, 'main.mjs')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: this.dataDir,
        DEMO: 'off',
        PORT: '0',
        MENU_PORT: '0',
        METRICS_PORT: '0',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        ...this.settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#program = program;
    running.add(program);
    this.ended = once(program, 'close').then(([code]) => {
      running.delete(program);
      this.#lines.emit('line');
      return code;
    });
    for (const stream of [program.stdout, program.stderr]) {
      createInterface(stream).on('line', (line) => {
        this.said.push(line);
        this.#lines.emit('line');
      });
    }
    this.baseUrl = await this.hasSaid(/Base address +(\S+)/);
  }

  /** Resolves to the pattern's capture once the program has written it since its start. */
  async hasSaid(pattern: RegExp): Promise<string> {
    for (;;) {
      for (const line of this.said) {
        const found = pattern.exec(line);
        if (found) return found[1] ?? found[0];
      }
      if (!this.#built.running.has(this.#program)) {
        throw new Error(`the program ended before it said ${pattern}: ${this.said.join('\n')}`);
      }
      await once(this.#lines, 'line');
    }
  }

  /** The first process of its PostgreSQL. */
  get postmasterPid(): number {
    return Number.parseInt(readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  }

  /** The process that the program's group is named after. */
  get programPid(): number {
    return this.#program.pid!;
  }

  /** Signals the program to end. */
  terminate(): void {
    this.#program.kill('SIGTERM');
  }

  /** Kills all processes of the program's group at once, optionally also its PostgreSQL's. */
  async kill(withDatabase: boolean): Promise<void> {
    process.kill(-this.#program.pid!, 'SIGKILL');
    if (withDatabase) process.kill(-this.postmasterPid, 'SIGKILL');
    await this.ended;
  }

  /** Places an order; resolves to its id, or to null while the program is unavailable. */
  async place(idempotencyKey: string = randomUUID()): Promise<string | null> {
    const { told } = this;
    if (!told.has(idempotencyKey)) told.set(idempotencyKey, null);
    const reply = await fetch(`${this.baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(this.shop.keys) },
      body: JSON.stringify(this.#nextBody(idempotencyKey)),
    });
    const { data } = (await reply.json()) as { data?: { id: string; customerGrandTotal: number } };
    // While its database is away, the program answers 503: the order's fate is unknown.
    if (reply.status === 503) {
      expect(reply.headers.get('retry-after')).not.toBeNull();
      return null;
    }
    expect(reply.status).toBe(201);
    told.set(idempotencyKey, { id: data!.id, total: data!.customerGrandTotal });
    return data!.id;
  }

  /** Orders of all kinds: of existing and new customers, drafts, and orders that take stock of several items. */
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

  /** The orders in the database, by key; two orders of one key would show as a list. */
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
