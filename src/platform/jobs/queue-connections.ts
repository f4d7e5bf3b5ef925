import type { Worker, WorkerEvents } from 'graphile-worker';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import {
  type DatabaseDeadlines,
  DatabaseUnresponsive,
  deadlines,
  keepAlive,
  serverTimeouts,
} from '../connections/deadlines.ts';
import { type WatchedClient, watchedClients } from '../connections/watched-client.ts';
import type { ConnectionConfig, Database } from '../database/database.ts';

const listenerCheckEveryMs = 1_000;
const listenerCheckMsMax = 2_000;
/** After a worker failed to ask for a job; otherwise it would try again with the next poll. */
const askAgainAfterMs = 500;

type Lend = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** Refuses connections while the database does not commit: each abandoned commit leaves a session behind. */
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
    const refusal = new DatabaseUnresponsive('The database is silent.');
    if (lend === undefined) return Promise.reject(refusal);
    process.nextTick(lend, refusal, undefined, () => {});
    return undefined;
  }
}

/** The connections of the job queue: one listens, the others run a statement at a time. */
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
    // The pool replaces an idle connection that breaks; the next query reports a lasting problem.
    this.pool.on('error', () => {});
    this.pool.on('connect', (client) => this.#clients.add(client as unknown as WatchedClient));
    this.pool.on('remove', (client) => this.#clients.delete(client as unknown as WatchedClient));
  }

  /**
   * Checks the connection that waits for notifications, because it sends nothing by itself. If it is dead, the others
   * may be dead too: all are replaced. Call before a runner starts.
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
    const reason = new DatabaseUnresponsive(`The database did not answer within ${listenerCheckMsMax} ms.`);
    for (const client of this.#clients) client.cut(reason);
  }
}

function askAgain(worker: Worker): void {
  try {
    worker.nudge();
  } catch {
    // The connection has ended meanwhile.
  }
}
