import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { Client } from 'pg';
import sharp from 'sharp';
import { expect, inject } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { photoTask } from '../../src/shop/catalog/product-photos.ts';
import type { TestDatabase } from '../harness/test-database.ts';
import { laySeverableWire, type SeverableWire, type Side } from './severable-wire.ts';
import type { WorkerSettings } from './worker-process.ts';

/** The moment of a worker's death: a request of a picture, or a batch of statements of a job; both counted from 1. */
export type Death =
  | { readonly on: 'picture'; readonly count: number }
  | { readonly on: 'batch'; readonly count: number; readonly side: Side };

const colors = ['#2f7d5b', '#884422', '#224488', '#c0a040', '#101010'];

/** Created once for all years of a run. */
let program: Promise<string> | undefined;
let pictures: Promise<readonly Buffer[]> | undefined;

/** The text of the worker's program, which a process reads at its start. */
async function buildWorker(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: projectFolder(),
    entryPoints: ['test/simulation/worker-process.ts'],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  return outputFiles[0]!.text;
}

function paintPictures(): Promise<readonly Buffer[]> {
  return Promise.all(
    colors.map((background) =>
      sharp({ create: { width: 16, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
}

/** Processes that run the jobs of a year of trading, one after the other, and the host of their pictures. */
export class MortalWorkers {
  /** Jobs under way when a worker was killed. */
  leftBehind = 0;
  readonly #database: TestDatabase;
  readonly #dataDir: string;
  readonly #wire: SeverableWire;
  readonly #owner: Client;
  readonly #admin = new Client(inject('server').admin);
  readonly #host = createServer((request, response) => {
    if (--this.#askedBeforeDeath === 0) return this.#kill();
    const number = Number(/\d+/.exec(request.url!)![0]);
    pictures!.then((painted) => response.end(painted[pictureOf(number)]));
  });
  #databaseName = '';
  #askedBeforeDeath = Number.POSITIVE_INFINITY;
  #worker: ChildProcess | undefined;

  private constructor(database: TestDatabase, dataDir: string, wire: SeverableWire) {
    this.#database = database;
    this.#dataDir = dataDir;
    this.#wire = wire;
    this.#owner = new Client(database.owner);
  }

  /** `dataDir` is that of the service whose jobs they run. */
  static async open(database: TestDatabase, dataDir: string): Promise<MortalWorkers> {
    program ??= buildWorker();
    pictures ??= paintPictures();
    const workers = new MortalWorkers(database, dataDir, await laySeverableWire(database.serving));
    await Promise.all([workers.#owner.connect(), workers.#admin.connect()]);
    const { rows } = await workers.#owner.query('select current_database() as name');
    workers.#databaseName = rows[0].name;
    await new Promise<void>((resolve) => workers.#host.listen(0, '127.0.0.1', resolve));
    return workers;
  }

  /** The address of the picture with a number. */
  addressOf(number: number): string {
    return `http://pictures.example:${(this.#host.address() as AddressInfo).port}/${number}.png`;
  }

  /**
   * Starts a worker, and kills it (SIGKILL) at the given moment or when all jobs are done. Resolves to whether all
   * jobs are done. The locks that it leaves are aged, so that the next worker may take its jobs.
   */
  async work(nowMs: number, death: Death | null): Promise<boolean> {
    const said: string[] = [];
    const worker = await this.#start(nowMs);
    worker.stdout!.on('data', (bytes) => said.push(String(bytes)));
    worker.stderr!.on('data', (bytes) => said.push(String(bytes)));
    let hasEnded = false;
    const ended = once(worker, 'close').then(([, signal]) => {
      hasEnded = true;
      return signal;
    });
    if (death?.on === 'picture') this.#askedBeforeDeath = death.count;
    if (death?.on === 'batch') this.#wire.severAt(death.count, death.side, () => this.#kill());
    await expect
      .poll(async () => hasEnded || (await this.#waiting()) === 0, { interval: 20, timeout: 60_000 })
      .toBe(true);
    this.#kill();
    expect([await ended, said]).toEqual(['SIGKILL', []]);
    this.#wire.mend();
    this.#askedBeforeDeath = Number.POSITIVE_INFINITY;
    await expect.poll(() => this.#sessions(), { interval: 5 }).toBe(0);
    await this.#letTimePass();
    return (await this.#waiting()) === 0;
  }

  async close(): Promise<void> {
    this.#kill();
    this.#host.closeAllConnections();
    this.#host.close();
    await Promise.all([this.#owner.end(), this.#admin.end()]);
    await this.#wire.close();
  }

  async #start(nowMs: number): Promise<ChildProcess> {
    const settings: WorkerSettings = {
      connection: this.#wire.connection,
      queueConnection: this.#database.serving,
      dataDir: this.#dataDir,
      nowMs,
    };
    const worker = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: projectFolder(),
      env: { PATH: process.env.PATH, WORKER_SETTINGS: JSON.stringify(settings) },
    });
    // The worker was killed before it read everything.
    worker.stdin.on('error', () => {});
    worker.stdin.end(await program);
    this.#worker = worker;
    return worker;
  }

  #kill(): void {
    this.#worker?.kill('SIGKILL');
  }

  async #waiting(): Promise<number> {
    const { rows } = await this.#owner.query(
      `select count(*)::integer as count from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = '${photoTask}'`,
    );
    return rows[0].count;
  }

  /** While there are any, statements of a killed process may still run. */
  async #sessions(): Promise<number> {
    const { rows } = await this.#admin.query(
      `select count(*)::integer as count from pg_stat_activity
        where datname = $1 and application_name = 'dispensary-commerce jobs'`,
      [this.#databaseName],
    );
    return rows[0].count;
  }

  async #letTimePass(): Promise<void> {
    const { rowCount } = await this.#owner.query(
      `update graphile_worker._private_jobs set locked_at = locked_at - interval '11 minutes'
        where locked_at is not null`,
    );
    this.leftBehind += rowCount ?? 0;
  }
}

/** The picture of a number: some numbers share one. */
export function pictureOf(number: number): number {
  return number % colors.length;
}
