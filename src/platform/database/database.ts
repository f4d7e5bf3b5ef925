import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { AwayServers } from '../connections/away-servers.ts';
import { CircuitBreaker, ConnectionPool, type PooledClient } from '../connections/connection-pool.ts';
import { tryDatabase } from '../connections/database-trial.ts';
import { type DatabaseDeadlines, servingDeadlines } from '../connections/deadlines.ts';
import { beginRead } from '../connections/for-distributed.ts';
import type { PipelineRow, PipelineStatement } from '../connections/pipeline.ts';
import { Readiness } from '../connections/readiness.ts';
import { type DatabaseStatistics, RoundTrips } from '../connections/round-trips.ts';
import { assertCannotBypassSecurity, selectServingRole } from '../connections/serving-role.ts';
import {
  allowLongStatements,
  batchesAreReads,
  type ConnectionConfig,
  sessionConfig,
} from '../connections/session-settings.ts';
import { Standby, type StandbySettings, type StandbyState } from '../standby/standby.ts';
import type { BoundStatement } from '../statements/statement.ts';
import { AmbientTransaction, AmbientTransactions } from './ambient-transaction.ts';
import { askServers } from './ask-servers.ts';
import { bindAll, bindGlobal, bindTenant, type RowsOf, rowsOf, type Statements } from './bind-statements.ts';
import { type JointReads, jointKeyOf, newJointReads } from './joint-reads.ts';
import { Leases, type ReadLease } from './read-lease.ts';
import {
  begin,
  beginAmbient,
  commit,
  endAmbient,
  enterTenant,
  openingOfWrite,
  undoAmbient,
} from './transaction-statements.ts';
import { isCollision, throughMoves, type WriteOptions, writeAttemptsMax } from './write-collisions.ts';

export type { ConnectionConfig } from '../connections/session-settings.ts';

/**
 * A transaction of one organization, and the only way to a tenant table. It binds the organization into every
 * statement; row-level security in the database enforces the same rule again.
 */
export interface TenantTransaction {
  readonly organizationId: OrganizationId;
  /** The number of this attempt, from 1; a write runs again after a collision with another transaction. */
  readonly attempt: number;
  /** Runs statements in one round trip. Resolves to the rows of each statement, and to none for null. */
  run<Given extends Statements>(...statements: Given): Promise<RowsOf<Given>>;
  /** Adds statements to the batch that is sent with the commit, when the function returns. */
  queue(...statements: readonly BoundStatement<unknown>[]): void;
}

interface Attempt<Result> extends WriteOptions {
  readonly attempt: number;
  readonly work: (tx: TenantTransaction) => Promise<Result>;
  /** The ambient transaction. */
  readonly ambient?: AmbientTransaction<PooledClient> | undefined;
}

type Batch = readonly PipelineStatement[];

const globalPoolSizeMax = 2;
/** The time limit of a probe for a new connection and a commit, or for an answer on a pooled connection. */
const trialMsMax = 1_300;

const alive: PipelineStatement = { name: 'alive', text: 'select 1', values: [] };

/**
 * The program's way to PostgreSQL: reads, writes in one transaction each, and reads that share a round trip. It owns the
 * pools of connections; round-trips.ts sends the statements, readiness.ts answers health checks.
 */
export class Database {
  readonly #pool: ConnectionPool;
  /**
   * For global tables. A write that holds a connection may wait for a block of ids; fetching it from the same pool
   * would deadlock once such writes hold all connections.
   */
  readonly #globalPool: ConnectionPool;
  readonly #commits = new Map<OrganizationId, number>();
  readonly #onCommit = new Set<(organizationId: OrganizationId) => void>();
  readonly #jointReads: JointReads;
  #standby: { readonly server: Standby; readonly jointReads: JointReads } | undefined;
  readonly #leases: Leases;
  readonly #ambients = new AmbientTransactions<PooledClient>();
  readonly #allowLong: PipelineStatement;
  readonly #isDistributed: boolean;
  readonly #breaker: CircuitBreaker;
  readonly #trips: RoundTrips;
  readonly #readiness: Readiness;
  /** Undefined on one server. */
  readonly awayServers: AwayServers | undefined;

  /** Counters since the start. */
  get statistics(): DatabaseStatistics {
    return this.#trips.statistics;
  }

  /** Without a lease, readers always check for changes. */
  constructor(
    connection: ConnectionConfig,
    poolSizeMax = 14,
    lease?: ReadLease,
    times: DatabaseDeadlines = servingDeadlines,
  ) {
    this.#leases = new Leases(lease);
    this.#allowLong = allowLongStatements(times);
    // More patient than a health check: a slow machine must not count as silent.
    const patientMs = Math.max(trialMsMax, times.roundTripMs);
    const config = sessionConfig(connection, times);
    this.#breaker = new CircuitBreaker(() => tryDatabase(config, patientMs));
    this.#isDistributed = connection.isDistributed ?? false;
    this.#trips = new RoundTrips(times, this.#breaker, this.#isDistributed);
    this.#globalPool = new ConnectionPool({ ...config, max: globalPoolSizeMax }, times, this.#breaker);
    if (this.#isDistributed) this.awayServers = askServers(config, this.#globalPool, this.#trips);
    this.#pool = new ConnectionPool(
      { ...sessionConfig(connection, times, batchesAreReads), max: poolSizeMax },
      times,
      this.#breaker,
      this.awayServers,
    );
    this.#readiness = new Readiness({
      refusesWrites: () => this.refusesWrites,
      answers: () => Promise.all([this.ping(this.#globalPool), this.ping()]),
      tryWrite: () => tryDatabase(config, trialMsMax),
    });
    this.#jointReads = newJointReads(
      (organizationId) => this.#openingOfRead(organizationId),
      (batch, of) => this.#readPrimary(batch, false, of),
    );
  }

  /** From now on `fromStandby` has an effect. Resolves when the standby is in use, or known not to be. */
  async useStandby(settings: StandbySettings): Promise<Standby> {
    const server = new Standby(settings, async (statement) => {
      const [rows] = await this.#readPrimary([statement], false);
      return rows!;
    });
    const jointReads = newJointReads(
      (organizationId) => this.#openingOfRead(organizationId),
      async (batch, of) => (await server.read(batch, false)) ?? this.#readPrimary(batch, false, of),
    );
    this.#standby = { server, jointReads };
    await server.start();
    return server;
  }

  /** Undefined without a standby. */
  get standbyState(): StandbyState | undefined {
    return this.#standby?.server.state;
  }

  /**
   * Runs a function whose reads may be answered by a standby, if there is one. They show what they would show without it:
   * everything that was committed when each began.
   */
  fromStandby<Result>(work: () => Result): Result {
    return this.#standby === undefined ? work() : this.#standby.server.prefer(work);
  }

  /**
   * Reads of one organization on one snapshot, in one round trip. Resolves to the rows of each statement, and to none
   * for null.
   */
  async read<Given extends Statements>(
    organizationId: OrganizationId,
    ...statements: Given
  ): Promise<RowsOf<Given>> {
    const bound = bindAll(statements, organizationId);
    if (bound.length === 0) return rowsOf(statements, []);
    const isLong = statements.some((statement) => statement?.isLong);
    const joined = this.#ambients.current(organizationId)?.client;
    if (joined !== undefined) {
      return rowsOf(statements, await this.#trips.send(await joined, bound, this.#trips.limitMs(isLong)));
    }
    const opening = [...this.#openingOfRead(organizationId), ...(isLong ? [this.#allowLong] : [])];
    const batch = [...opening, ...bound];
    const standby = this.#standby?.server;
    const answer = standby?.isPreferred === true ? await standby.read(batch, isLong) : null;
    const rows = answer ?? (await this.#readPrimary(batch, isLong, organizationId));
    return rowsOf(statements, rows.slice(opening.length));
  }

  /** A batch up to its Sync is one transaction, with the isolation level of the session, but only on this server. */
  #openingOfRead(organizationId: OrganizationId): PipelineStatement[] {
    const entry = enterTenant(organizationId);
    return this.#isDistributed ? [beginRead, entry] : [entry];
  }

  #readPrimary(batch: Batch, isLong: boolean, of?: OrganizationId): Promise<PipelineRow[][]> {
    const limitMs = this.#trips.limitMs(isLong);
    return this.#pool.useFor(of, 'read', async (client) => {
      if (!this.#isDistributed) return this.#trips.send(client, batch, limitMs);
      // A snapshot that is gone is not another one.
      return throughMoves(this.closesReads, () =>
        this.#trips.sendWhole(client, this.closesReads ? [...batch, commit] : batch, limitMs),
      );
    });
  }

  /** Whether a read of a distributed database ends its transaction. */
  protected readonly closesReads: boolean = true;

  /**
   * A read of one statement that is quick for any parameters. Concurrent reads of an organization share one round trip,
   * on a snapshot taken after all of them asked; the round trip is most of the cost. Look-ups by id share the statement
   * too (`BatchedLookup`).
   */
  async readBatched<Row>(organizationId: OrganizationId, statement: BoundStatement<Row>): Promise<Row[]> {
    if (this.#ambients.current(organizationId)?.client !== undefined) {
      // Other requests must not see uncommitted data.
      const [rows] = await this.read(organizationId, statement);
      return rows;
    }
    const bound = bindTenant(statement, organizationId);
    const key = jointKeyOf(bound);
    const joint = this.#standby?.server.isPreferred === true ? this.#standby.jointReads : this.#jointReads;
    const { batch, result } = joint.join(organizationId);
    batch.set(key, bound);
    try {
      return (await result).get(key) as Row[];
    } catch (error) {
      // A failing statement must not fail other reads. If the database is gone or busy, it is not asked again.
      if (batch.size === 1 || error instanceof Failure) throw error;
      const [rows] = await this.read(organizationId, statement);
      return rows;
    }
  }

  /** Reads or writes global tables (integrators, key digests, id blocks). */
  async global<Row>(statement: BoundStatement<Row>): Promise<Row[]> {
    const bound = bindGlobal(statement);
    const rows = await this.#globalPool.use('read', (client) => this.#trips.send(client, [bound]));
    await this.#leases.waitIf(this.#leases.areWrittenBy(bound));
    return rows[0] as Row[];
  }

  /**
   * Writes global tables in one transaction, all or nothing; again after a collision. Each statement sees what is committed when it starts.
   */
  async globalWrite<Given extends readonly BoundStatement<unknown>[]>(
    ...statements: Given
  ): Promise<RowsOf<Given>> {
    const bound = statements.map(bindGlobal);
    const rows = await this.#globalPool.use('write', async (client) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#trips.sendWhole(client, [begin, ...bound, commit]);
        } catch (error) {
          if (attempt >= writeAttemptsMax || !isCollision(error, {})) throw error;
        }
      }
    });
    await this.#leases.waitIf(bound.some((statement) => this.#leases.areWrittenBy(statement)));
    return rowsOf(statements, rows.slice(1, -1));
  }

  /**
   * Runs a write in one transaction, all or nothing. The function runs again from the start after a collision with
   * another transaction, so its only effects must go through `tx`. Fails with TRANSACTION_RETRY_EXCEEDED when the
   * collisions continue.
   */
  async write<Result>(
    organizationId: OrganizationId,
    work: (tx: TenantTransaction) => Promise<Result>,
    options: WriteOptions = {},
  ): Promise<Result> {
    const ambient = this.#ambients.current(organizationId);
    for (let attempt = 1; ; attempt++) {
      const given = { attempt, work, ambient, ...options };
      try {
        const attemptOn = (client: PooledClient) => this.#attempt(client, organizationId, given);
        return await throughMoves(this.#isDistributed, async () =>
          ambient ? attemptOn(await ambient.open()) : this.#pool.useFor(organizationId, 'write', attemptOn),
        );
      } catch (error) {
        if (!isCollision(error, options)) throw error;
        this.statistics.retries++;
        if (attempt >= writeAttemptsMax) {
          throw failure(
            'TRANSACTION_RETRY_EXCEEDED',
            'Other requests kept changing the same things; try again.',
          );
        }
      }
    }
  }

  async #attempt<Result>(
    client: PooledClient,
    organizationId: OrganizationId,
    { attempt, work, ambient, countsAsChange = true, isLong = false }: Attempt<Result>,
  ): Promise<Result> {
    const opening = [
      ...(ambient ? [beginAmbient] : openingOfWrite(organizationId, this.#isDistributed)),
      ...(isLong ? [this.#allowLong] : []),
    ];
    const limitMs = this.#trips.limitMs(isLong);
    const queued: PipelineStatement[] = [];
    let open = false;
    let writesLeased = false;
    const note = (statements: readonly PipelineStatement[]) => {
      writesLeased ||= statements.some((statement) => this.#leases.areWrittenBy(statement));
      return statements;
    };
    const tx: TenantTransaction = {
      organizationId,
      attempt,
      run: async <Given extends Statements>(...statements: Given) => {
        const prefix = open ? [] : opening;
        open = true;
        const bound = note(bindAll(statements, organizationId));
        const rows = await this.#trips.send(client, [...prefix, ...bound], limitMs);
        return rowsOf(statements, rows.slice(prefix.length));
      },
      queue: (...statements) => {
        queued.push(...note(bindAll(statements, organizationId)));
      },
    };
    let result: Result;
    try {
      result = await work(tx);
      if (open || queued.length > 0) {
        const prefix = open ? [] : opening;
        open = true;
        await this.#trips.send(client, [...prefix, ...queued, ambient ? endAmbient : commit], limitMs);
      }
    } catch (error) {
      if (open) await this.#trips.rollBack(client, ambient && undoAmbient);
      throw error;
    }
    if (ambient !== undefined) {
      ambient.countsAsChange ||= open && countsAsChange;
      ambient.writesLeased ||= writesLeased;
      return result;
    }
    await this.#committed(organizationId, open && countsAsChange, writesLeased);
    return result;
  }

  /** Informs caches and waits for leases after a commit. */
  async #committed(organizationId: OrganizationId, isChange: boolean, writesLeased: boolean): Promise<void> {
    if (isChange) {
      this.#commits.set(organizationId, this.commitCount(organizationId) + 1);
      for (const told of this.#onCommit) told(organizationId);
    }
    await this.#leases.waitIf(writesLeased);
  }

  /**
   * Runs a function in one transaction: all its writes in an organization, and its reads after the first write.
   * `opening` is the first statement; `closing`, made from the function's result, is the last one. All of it commits
   * together. The function runs once, unlike that of `write`; only its individual writes run again after a collision.
   * It writes sequentially, in this organization only.
   */
  async withAmbientTransaction<Result>(
    organizationId: OrganizationId,
    opening: BoundStatement<unknown>,
    work: () => Promise<Result>,
    closing: (result: Result) => BoundStatement<unknown>,
  ): Promise<Result> {
    const first = bindTenant(opening, organizationId);
    const beginAll = (client: PooledClient) =>
      throughMoves(this.#isDistributed, () =>
        this.#trips.sendWhole(client, [...openingOfWrite(organizationId, this.#isDistributed), first]),
      );
    const ambient = new AmbientTransaction<PooledClient>(organizationId, beginAll, (use) =>
      this.#pool.useFor(organizationId, 'write', async (client) => {
        try {
          await use(client);
        } catch (error) {
          await this.#trips.rollBack(client);
          throw error;
        }
      }),
    );
    let result: Result;
    try {
      result = await this.#ambients.run(ambient, work);
      const client = await ambient.open();
      await this.#trips.send(client, [bindTenant(closing(result), organizationId), commit]);
    } catch (error) {
      return ambient.abandon(error);
    }
    await ambient.close();
    await this.#committed(organizationId, ambient.countsAsChange, ambient.writesLeased);
    return result;
  }

  /** Whether the running function is in an ambient transaction, so that it must write sequentially. */
  isInAmbientTransaction(organizationId: OrganizationId): boolean {
    return this.#ambients.current(organizationId) !== undefined;
  }

  /** How long a reader may use a result without checking the leased tables for changes. */
  get leaseMs(): number {
    return this.#leases.ms;
  }

  /**
   * The number of this organization's writes that this process has committed. A cache compares it with the number from
   * before its read.
   */
  commitCount(organizationId: OrganizationId): number {
    return this.#commits.get(organizationId) ?? 0;
  }

  /**
   * Calls a function after each of this process's writes has committed, until the returned function is called. It must be
   * quick, and must not throw. Writes of other processes are not told.
   */
  onCommit(told: (organizationId: OrganizationId) => void): () => void {
    this.#onCommit.add(told);
    return () => void this.#onCommit.delete(told);
  }

  /**
   * For health checks: whether the service can answer requests now. Requires an answer on a connection of each pool and
   * a commit on a new one. Answers within two seconds; concurrent callers share the answer.
   */
  isReady(): Promise<boolean> {
    return this.#readiness.find();
  }

  /** Whether the database does not answer writes; components with their own connections should wait then. */
  get refusesWrites(): boolean {
    return this.#breaker.refuses('write');
  }

  /** Reports that a component with its own connection received no answer in time. */
  noteSilence(): void {
    this.#breaker.trip();
  }

  /** Resolves when a connection answers. */
  async ping(pool = this.#pool): Promise<void> {
    await pool.use('read', (client) => this.#trips.send(client, [alive], trialMsMax));
  }

  /** Refuses to serve with a role that can bypass row-level security, or remove it as the owner, itself or by a role it may become. */
  async assertServingRole(): Promise<void> {
    const [rows] = await this.#pool.use('read', (client) => this.#trips.send(client, [selectServingRole]));
    assertCannotBypassSecurity(rows![0]!);
  }

  async close(): Promise<void> {
    this.#breaker.close();
    this.awayServers?.close();
    await this.#standby?.server.close();
    await Promise.all([this.#pool.end(), this.#globalPool.end()]);
  }
}
