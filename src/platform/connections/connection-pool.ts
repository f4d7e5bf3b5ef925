import { Pool, type PoolConfig } from 'pg';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { isConnectionEnd, refusalOf, unavailable } from './database-refusals.ts';
import { type DatabaseDeadlines, DatabaseUnresponsive, deadlines } from './deadlines.ts';
import { FairShare } from './fair-share.ts';
import { watchLoopLag } from './loop-lag.ts';
import { serverChoiceOf, WrongServer } from './server-choice.ts';
import { type WatchedClient, watchedClients } from './watched-client.ts';

/** A client that is checked out of the pool. */
export type PooledClient = WatchedClient & { release(error?: Error): void };

/** The error that ended each connection. */
const endedBy = new WeakMap<object, Error>();

/** A pool of connections to one database. Each piece of work borrows one. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #shares: FairShare<OrganizationId>;
  readonly #connectMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #hasSeveralServers: boolean;

  /** Idle connections stay open: a new connection would slow the next request down. */
  constructor(config: PoolConfig, { connectMs, roundTripMs }: DatabaseDeadlines, breaker: CircuitBreaker) {
    this.#connectMs = connectMs;
    this.#breaker = breaker;
    this.#hasSeveralServers = serverChoiceOf(config) !== undefined;
    this.#shares = new FairShare({ capacity: config.max ?? 10, waitMsMax: connectMs, lag: watchLoopLag() });
    this.#pool = new Pool({
      ...config,
      idleTimeoutMillis: 0,
      Client: watchedClients({ connectMs, queryMs: roundTripMs }),
    });
    // The pool replaces an idle connection that breaks; the next query reports a lasting problem.
    this.#pool.on('error', () => {});
    // Listens from the start: a server can report its end together with ReadyForQuery, before other listeners exist.
    this.#pool.on('connect', (client) => client.on('error', (error) => endedBy.set(client, error)));
  }

  /** The same as `use`, when it is the organization's turn; for the program itself at once. */
  useFor<Result>(
    organizationId: OrganizationId | undefined,
    kind: 'read' | 'write',
    work: (client: PooledClient) => Promise<Result>,
  ): Promise<Result> {
    if (organizationId === undefined) return this.use(kind, work);
    return this.#shares.take(organizationId, kind, () => this.use(kind, work));
  }

  /**
   * Runs `work` with a connection. Fails with SERVICE_UNAVAILABLE when no connection is available in time, or when the
   * connection ends.
   */
  async use<Result>(
    kind: 'read' | 'write',
    work: (client: PooledClient) => Promise<Result>,
  ): Promise<Result> {
    if (this.#breaker.refuses(kind)) throw unavailable(new DatabaseUnresponsive('The database is silent.'));
    let client: PooledClient;
    try {
      client = await (this.#hasSeveralServers ? this.#connectToAny() : this.#connect());
      if (this.#breaker.isSuspect(client)) client = await this.#replaceSuspect(client);
    } catch (error) {
      throw refusalOf(error) ?? unavailable(error);
    }
    try {
      return await work(client);
    } catch (error) {
      // The server's last message arrives before the end of the connection is visible.
      if (isConnectionEnd(error) && !endedBy.has(client)) endedBy.set(client, error);
      const end = endedBy.get(client);
      throw end === undefined ? error : unavailable(end);
    } finally {
      client.release(endedBy.get(client));
    }
  }

  /**
   * Replaces a suspect connection with a new one. Other pooled connections may be dead, too; connecting is quicker than
   * testing them.
   */
  async #replaceSuspect(suspect: PooledClient): Promise<PooledClient> {
    let client = suspect;
    while (this.#breaker.isSuspect(client)) {
      client.cut();
      client.release(new DatabaseUnresponsive('Another connection received no answer.'));
      client = await this.#connect();
    }
    return client;
  }

  /** The server of before may have ended; then the next attempt finds the one that took over. */
  async #connectToAny(): Promise<PooledClient> {
    try {
      return await this.#connect();
    } catch (error) {
      if (error instanceof DatabaseUnresponsive || error instanceof WrongServer) throw error;
      return this.#connect();
    }
  }

  /** Waits for a free or a new connection. */
  #connect(): Promise<PooledClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      // The pool hands out a free connection within the current turn of the event loop.
      const isFree = this.#pool.idleCount > this.#pool.waitingCount;
      const deadline = isFree
        ? undefined
        : deadlines.begin(this.#connectMs, () => {
            isLate = true;
            reject(new DatabaseUnresponsive(`No connection was free within ${this.#connectMs} ms.`));
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
