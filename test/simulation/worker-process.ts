import { Registry } from 'prom-client';
import { LawBook } from '../../src/engines/jurisdictions/law-book.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { strongRandomBytes } from '../../src/kernel/random-bytes.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { type ConnectionConfig, Database } from '../../src/platform/database/database.ts';
import { IdSource } from '../../src/platform/database/id-source.ts';
import { Sealing } from '../../src/platform/database/sealing.ts';
import { guardedFetch } from '../../src/platform/http/guarded-fetch.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { startJobs, type Task } from '../../src/platform/jobs/job-runner.ts';
import { photoFetching } from '../../src/shop/catalog/fetch-product-photo.ts';
import { openBlobStores } from '../../src/shop/files/blob-stores.ts';
import { usualFileLimits } from '../../src/shop/files/file-limits.ts';
import { menuImporting } from '../../src/shop/imports/imports.ts';

/*
 * A process that runs the jobs of a simulated shop as the program's worker does, until it is killed. `MortalWorkers`
 * starts it with this environment.
 */
export interface WorkerSettings {
  /** For the writes of jobs: through a wire that can be cut. */
  readonly connection: ConnectionConfig;
  /** For the queue. */
  readonly queueConnection: ConnectionConfig;
  readonly dataDir: string;
  readonly nowMs: number;
}

const settings = JSON.parse(process.env.WORKER_SETTINGS!) as WorkerSettings;
const database = new Database(settings.connection);
const clock = new ManualClock(settings.nowMs);
const context: Context = {
  database,
  ids: new IdSource(database),
  clock,
  wallClock: clock,
  law: new LawBook(),
  fileLimits: usualFileLimits,
  sealing: new Sealing(),
  randomBytes: strongRandomBytes,
};
const { photos } = openBlobStores(settings, console.log);
const bounds = { bytesMax: 1_000_000, redirectsMax: 0, totalMsMax: 20_000, silenceMsMax: 10_000 };
/** Every host of the simulation is this machine. */
const network = { resolve: async () => ['127.0.0.1'], isAllowed: () => true };
const tasks = [
  menuImporting(context),
  photoFetching(context, photos, (address, signal) => guardedFetch(address, bounds, signal, network)),
] as Task<never>[];

startJobs({
  connection: settings.queueConnection,
  database,
  tasks,
  logger: createLogger({ level: 'warn' }),
  metrics: { registry: new Registry() },
  pollEveryMs: 100,
});
