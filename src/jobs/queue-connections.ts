import type { Worker, WorkerEvents } from 'graphile-worker';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ConnectionConfig, Database } from '../database/database.ts';
import {
  type DatabaseDeadlines,
  DatabaseSilence,
  deadlines,
  keepAlive,
  serverTimeouts,
} from '../database/deadlines.ts';
import { type WatchedClient, watchedClients } from '../database/watched-client.ts';

const listenerCheckEveryMs = 1_000;
const listenerCheckMsMax = 2_000;
/** After a worker could not ask for a job; its own next try comes with the next poll. */
const askAgainAfterMs = 500;

type Lend = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** Lends nothing while the database commits nothing: each commit that is given up leaves a session behind. */
class QueuePool extends Pool {
  readonly #database: Pick<Database, 'refusesWrites'>;

  constructor(database: Pick<Database, 'refusesWrites'>, config: PoolConfig) {
    super(config);
    this.#database = database;
  }

  override connect(): Promise<PoolClient>;
  override connect(lend: Lend): void;
  override connect(lend?: Lend): Promise<PoolClient> | undefined {
    if (!this.#database.refusesWrites) {
      if (lend === undefined) return super.connect();
      super.connect(lend as never);
      return undefined;
    }
    const refusal = new DatabaseSilence('The database is silent.');
    if (lend === undefined) return Promise.reject(refusal);
    process.nextTick(lend, refusal, undefined, () => {});
    return undefined;
  }
}

/** The connections of the job queue: one listens, the others are lent for a statement each. */
export class QueueConnections {
  readonly pool: Pool;
  readonly #clients = new Set<WatchedClient>();

  constructor(
    connection: ConnectionConfig,
    times: DatabaseDeadlines,
    sizeMax: number,
    database: Pick<Database, 'refusesWrites' | 'noteSilence'>,
  ) {
    const { connectMs, roundTripMs: queryMs } = times;
    this.pool = new QueuePool(database, {
      ...connection,
      ...keepAlive,
      max: sizeMax,
      connectionTimeoutMillis: connectMs,
      application_name: 'dispensary-commerce jobs',
      options: [connection.options, '-c TimeZone=UTC', serverTimeouts(times)].filter(Boolean).join(' '),
      Client: watchedClients({
        connectMs,
        queryMs,
        hidesCodes: true,
        onSilence: () => database.noteSilence(),
      }),
    });
    // An idle connection that breaks is replaced by the pool; the next query reports a lasting problem.
    this.pool.on('error', () => {});
    this.pool.on('connect', (client) => this.#clients.add(client as unknown as WatchedClient));
    this.pool.on('remove', (client) => this.#clients.delete(client as unknown as WatchedClient));
  }

  /**
   * The connection that is told of new jobs says nothing by itself, so it is asked whether it still leads anywhere. When
   * it does not, the others may not either: all are replaced. To be told of a runner before it begins.
   */
  watch(events: WorkerEvents): void {
    events.on('pool:listen:success', ({ client }) => {
      const asking = setInterval(() => {
        const deadline = deadlines.begin(listenerCheckMsMax, () => this.#cutAll());
        const end = () => deadlines.end(deadline);
        client.query('select 1').then(end, end);
      }, listenerCheckEveryMs);
      asking.unref();
      client.once('end', () => clearInterval(asking));
    });
    events.on('worker:getJob:error', ({ worker }) => {
      setTimeout(() => askAgain(worker), askAgainAfterMs).unref();
    });
  }

  #cutAll(): void {
    const reason = new DatabaseSilence(`The database did not answer within ${listenerCheckMsMax} ms.`);
    for (const client of this.#clients) client.cut(reason);
  }
}

function askAgain(worker: Worker): void {
  try {
    worker.nudge();
  } catch {
    // It has ended meanwhile.
  }
}
