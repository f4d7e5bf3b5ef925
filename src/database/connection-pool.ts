import { Pool, type PoolConfig } from 'pg';
import { isLastWord, refusalOf, unavailable } from './database-refusals.ts';
import { type DatabaseDeadlines, DatabaseSilence, deadlines } from './deadlines.ts';
import type { Silence } from './silence.ts';
import { type WatchedClient, watchedClients } from './watched-client.ts';

/** A client while it is lent. */
export type PooledClient = WatchedClient & { release(error?: Error): void };

/** Why connections ended. */
const endedBy = new WeakMap<object, Error>();

/** Connections to one database that are lent for a piece of work each. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #connectMs: number;
  readonly #silence: Silence;

  /** Without idle connections being closed: they are what makes a request quick. */
  constructor(config: PoolConfig, { connectMs, roundTripMs }: DatabaseDeadlines, silence: Silence) {
    this.#connectMs = connectMs;
    this.#silence = silence;
    this.#pool = new Pool({
      ...config,
      idleTimeoutMillis: 0,
      Client: watchedClients({ connectMs, queryMs: roundTripMs }),
    });
    // An idle connection that breaks is replaced by the pool; the next query reports a lasting problem.
    this.#pool.on('error', () => {});
    // From the first moment on: a server that dies can say so in one breath with being ready, before anybody listens.
    this.#pool.on('connect', (client) => client.on('error', (error) => endedBy.set(client, error)));
  }

  /**
   * Resolves to what `work` does with a connection. Fails with SERVICE_UNAVAILABLE when none can be had in time, or when
   * it ends meanwhile.
   */
  async use<Result>(
    kind: 'read' | 'write',
    work: (client: PooledClient) => Promise<Result>,
  ): Promise<Result> {
    if (this.#silence.refuses(kind)) throw unavailable(new DatabaseSilence('The database is silent.'));
    let client: PooledClient;
    try {
      client = await this.#connect();
      if (this.#silence.isSuspect(client)) client = await this.#insteadOf(client);
    } catch (error) {
      throw refusalOf(error) ?? unavailable(error);
    }
    try {
      return await work(client);
    } catch (error) {
      // The server's last words on a connection come before its end is seen.
      if (isLastWord(error) && !endedBy.has(client)) endedBy.set(client, error);
      const end = endedBy.get(client);
      throw end === undefined ? error : unavailable(end);
    } finally {
      client.release(endedBy.get(client));
    }
  }

  /** Where one connection leads nowhere, others may lead there too. A new one is quicker than finding out. */
  async #insteadOf(suspect: PooledClient): Promise<PooledClient> {
    let client = suspect;
    while (this.#silence.isSuspect(client)) {
      client.cut();
      client.release(new DatabaseSilence('Another connection has got no answer.'));
      client = await this.#connect();
    }
    return client;
  }

  /** Waits for a connection that is free or new. */
  #connect(): Promise<PooledClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      // One that is free comes in this very turn of the event loop.
      const isFree = this.#pool.idleCount > this.#pool.waitingCount;
      const deadline = isFree
        ? undefined
        : deadlines.begin(this.#connectMs, () => {
            isLate = true;
            reject(new DatabaseSilence(`No connection was free within ${this.#connectMs} ms.`));
          });
      this.#pool.connect((error, client) => {
        if (isLate) {
          client?.release();
          return;
        }
        if (deadline !== undefined) deadlines.end(deadline);
        if (error) reject(error);
        else resolve(client as unknown as PooledClient);
      });
    });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
