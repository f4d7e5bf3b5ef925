import { setTimeout as wait } from 'node:timers/promises';
import { type Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { assert } from '../kernel/assert.ts';
import { Failure, failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { bindAll, bindGlobal, bindTenant, type RowsOf, rowsOf, type Statements } from './bind-statements.ts';
import { Enclosure, Enclosures } from './enclosure.ts';
import { Gatherings } from './gatherings.ts';
import { type PipelineRow, type PipelineStatement, runPipeline } from './pipeline.ts';
import { type BoundStatement, type SqlValue, tablesWrittenBy } from './statement.ts';
import {
  begin,
  beginEnclosed,
  commit,
  endEnclosed,
  enterTenant,
  undoEnclosed,
} from './transaction-statements.ts';

/** How to reach a database; a subset of what `pg` takes. */
export type ConnectionConfig = Pick<
  PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'options'
>;

/**
 * A transaction of one organization. There is no other way to a tenant table: the organization is bound
 * into every statement here, and row-level security holds the same wall once more in the database.
 */
export interface TenantTransaction {
  readonly organizationId: OrganizationId;
  /** Which try this is, from 1; a write is run again after a collision with another transaction. */
  readonly attempt: number;
  /** Runs statements in one round trip. Resolves to the rows of each; none for null. */
  run<Given extends Statements>(...statements: Given): Promise<RowsOf<Given>>;
  /** Adds statements that are sent with the commit, in one round trip, when the function returns. */
  queue(...statements: readonly BoundStatement<unknown>[]): void;
}

/** Thrown inside a write to have the whole function run again in a new transaction. */
export class RetryWrite extends Error {
  override name = 'RetryWrite';
}

export interface WriteOptions {
  /** Database checks that, when they trip, mean "look again and decide anew" (a guard on stock, say). */
  readonly retryOnConstraints?: readonly string[];
  /** False: nothing that anybody keeps is made of what it writes, so `commitCount` stays. */
  readonly countsAsChange?: boolean;
}

/**
 * Readers of any process may go on for so long after they asked without asking whether these tables have changed.
 * Whoever writes them is answered only when that time has passed: who was told of a change always sees it.
 */
export interface ReadLease {
  readonly ms: number;
  readonly tables: ReadonlySet<string>;
}

/** A timer may fire a part of a millisecond early. */
const timerErrorMs = 2;

interface Attempt<Result> extends WriteOptions {
  readonly attempt: number;
  readonly work: (tx: TenantTransaction) => Promise<Result>;
  /** The transaction that the write is a part of. */
  readonly enclosure?: Enclosure<PoolClient> | undefined;
}

/** Counted since the start; tests assert that a request's number of statements is constant. */
export interface DatabaseStatistics {
  statements: number;
  roundTrips: number;
  retries: number;
}

/** Statements that are sent together, by name and values: the same one is asked once. */
type JointRead = Map<string, PipelineStatement>;

const writeAttemptsMax = 8;
/** What comes together waits for each other: not for more than this. */
const jointStatementsMax = 32;
const globalPoolSizeMax = 2;

/**
 * What a batch is that opens no transaction: all of it on one snapshot, and writing nothing. Saying so here and
 * not by BEGIN and COMMIT spares each read two statements.
 */
const batchesAreReads =
  '-c default_transaction_isolation=repeatable\\ read -c default_transaction_read_only=on';

export class Database {
  readonly statistics: DatabaseStatistics = { statements: 0, roundTrips: 0, retries: 0 };
  readonly #pool: Pool;
  /**
   * For what belongs to no organization. A write may wait for a block of ids while it holds a connection; were
   * that fetched with a connection of the same pool, writes that hold all of them would wait for each other.
   */
  readonly #globalPool: Pool;
  readonly #commits = new Map<OrganizationId, number>();
  readonly #jointReads: Gatherings<OrganizationId, JointRead, ReadonlyMap<string, PipelineRow[]>>;
  readonly #lease: ReadLease | undefined;
  readonly #enclosures = new Enclosures<PoolClient>();

  /** Without a lease nobody may go on without asking. */
  constructor(connection: ConnectionConfig, poolSizeMax = 14, lease?: ReadLease) {
    this.#lease = lease;
    this.#pool = openPool(connection, poolSizeMax, batchesAreReads);
    this.#globalPool = openPool(connection, globalPoolSizeMax);
    this.#jointReads = new Gatherings({
      newBatch: () => new Map(),
      isFull: (statements) => statements.size >= jointStatementsMax,
      run: (organizationId, statements) => this.#readJointly(organizationId, statements),
    });
  }

  /**
   * Reads of one organization, all on one snapshot and in one round trip. Resolves to the rows of each; none
   * for null.
   */
  async read<Given extends Statements>(
    organizationId: OrganizationId,
    ...statements: Given
  ): Promise<RowsOf<Given>> {
    const bound = bindAll(statements, organizationId);
    if (bound.length === 0) return rowsOf(statements, []);
    const enclosing = this.#enclosures.current(organizationId)?.client;
    if (enclosing !== undefined) return rowsOf(statements, await this.#send(await enclosing, bound));
    // Up to its Sync a batch is one transaction anyway, with the isolation that the session begins with.
    const rows = await this.#withClient((client) =>
      this.#send(client, [enterTenant(organizationId), ...bound]),
    );
    return rowsOf(statements, rows.slice(1));
  }

  /**
   * A read like the others, of one statement that is quick whatever is asked for. What requests of an organization
   * ask at the same time goes in one round trip, on one snapshot of a moment after all of them asked: most of
   * what it costs is the round trip. Look-ups by id share the statement too (`JointLookUps`).
   */
  async readJointly<Row>(organizationId: OrganizationId, statement: BoundStatement<Row>): Promise<Row[]> {
    if (this.#enclosures.current(organizationId)?.client !== undefined) {
      // Other requests must not see what is not committed yet.
      const [rows] = await this.read(organizationId, statement);
      return rows;
    }
    const bound = bindTenant(statement, organizationId);
    const key = JSON.stringify([bound.name, bound.values.map(unlikeAnyOther)]);
    const { batch, result } = this.#jointReads.join(organizationId);
    batch.set(key, bound);
    try {
      return (await result).get(key) as Row[];
    } catch (error) {
      // Nobody's read fails for another's. A database that is gone or busy is not asked again.
      if (batch.size === 1 || error instanceof Failure) throw error;
      const [rows] = await this.read(organizationId, statement);
      return rows;
    }
  }

  async #readJointly(
    organizationId: OrganizationId,
    statements: JointRead,
  ): Promise<ReadonlyMap<string, PipelineRow[]>> {
    const batch = [enterTenant(organizationId), ...statements.values()];
    const [, ...rows] = await this.#withClient((client) => this.#send(client, batch));
    return new Map([...statements.keys()].map((key, index) => [key, rows[index]!]));
  }

  /** Reads or writes tables that belong to no organization (integrators, key digests, id blocks). */
  async global<Row>(statement: BoundStatement<Row>): Promise<Row[]> {
    const bound = bindGlobal(statement);
    const rows = await this.#withClient((client) => this.#send(client, [bound]), this.#globalPool);
    await this.#outliveLeases(this.#writesLeased(bound));
    return rows[0] as Row[];
  }

  /**
   * Writes such tables in one transaction: all of it becomes durable, or nothing. Each statement sees what others had
   * committed when it began: behind one that locks a row, the rest go by what is.
   */
  async globalWrite<Given extends readonly BoundStatement<unknown>[]>(
    ...statements: Given
  ): Promise<RowsOf<Given>> {
    const bound = statements.map(bindGlobal);
    const rows = await this.#withClient(async (client) => {
      try {
        return await this.#send(client, [begin, ...bound, commit]);
      } catch (error) {
        await this.#rollBack(client);
        throw error;
      }
    }, this.#globalPool);
    await this.#outliveLeases(bound.some((statement) => this.#writesLeased(statement)));
    return rowsOf(statements, rows.slice(1, -1));
  }

  /**
   * Runs a write in one transaction: all of it becomes durable, or nothing. The function is run again
   * from the start when it collides with another transaction, so it must have no effect but through `tx`.
   * Fails with TRANSACTION_RETRY_EXCEEDED when collisions do not end.
   */
  async write<Result>(
    organizationId: OrganizationId,
    work: (tx: TenantTransaction) => Promise<Result>,
    options: WriteOptions = {},
  ): Promise<Result> {
    const enclosure = this.#enclosures.current(organizationId);
    for (let attempt = 1; ; attempt++) {
      const given = { attempt, work, enclosure, ...options };
      try {
        if (enclosure !== undefined) {
          return await this.#attempt(await enclosure.open(), organizationId, given);
        }
        return await this.#withClient((client) => this.#attempt(client, organizationId, given));
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
    client: PoolClient,
    organizationId: OrganizationId,
    { attempt, work, enclosure, countsAsChange = true }: Attempt<Result>,
  ): Promise<Result> {
    const opening = enclosure ? [beginEnclosed] : [begin, enterTenant(organizationId)];
    const queued: PipelineStatement[] = [];
    let open = false;
    let writesLeased = false;
    const note = (statements: readonly PipelineStatement[]) => {
      writesLeased ||= statements.some((statement) => this.#writesLeased(statement));
      return statements;
    };
    const tx: TenantTransaction = {
      organizationId,
      attempt,
      run: async <Given extends Statements>(...statements: Given) => {
        const prefix = open ? [] : opening;
        open = true;
        const bound = note(bindAll(statements, organizationId));
        const rows = await this.#send(client, [...prefix, ...bound]);
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
        await this.#send(client, [...prefix, ...queued, enclosure ? endEnclosed : commit]);
      }
    } catch (error) {
      if (open) await this.#rollBack(client, enclosure && undoEnclosed);
      throw error;
    }
    if (enclosure !== undefined) {
      enclosure.countsAsChange ||= open && countsAsChange;
      enclosure.writesLeased ||= writesLeased;
      return result;
    }
    await this.#committed(organizationId, open && countsAsChange, writesLeased);
    return result;
  }

  /** What a commit means to those who keep what they read. */
  async #committed(organizationId: OrganizationId, isChange: boolean, writesLeased: boolean): Promise<void> {
    if (isChange) this.#commits.set(organizationId, this.commitCount(organizationId) + 1);
    await this.#outliveLeases(writesLeased);
  }

  /**
   * Runs a function so that all its writes in an organization, and what it reads after the first of them, are one
   * transaction. `opening` is its first statement and `closing`, made of the function's result, its last: both become
   * durable with the writes, or nothing does. Unlike that of `write`, the function runs once; its writes alone run again
   * after a collision. It writes one thing after the other, and in this organization only.
   */
  async enclose<Result>(
    organizationId: OrganizationId,
    opening: BoundStatement<unknown>,
    work: () => Promise<Result>,
    closing: (result: Result) => BoundStatement<unknown>,
  ): Promise<Result> {
    const beginAll = async (client: PoolClient): Promise<void> => {
      await this.#send(client, [begin, enterTenant(organizationId), bindTenant(opening, organizationId)]);
    };
    const enclosure = new Enclosure<PoolClient>(organizationId, beginAll, (use) =>
      this.#withClient(async (client) => {
        try {
          await use(client);
        } catch (error) {
          await this.#rollBack(client);
          throw error;
        }
      }),
    );
    let result: Result;
    try {
      result = await this.#enclosures.run(enclosure, work);
      const client = await enclosure.open();
      await this.#send(client, [bindTenant(closing(result), organizationId), commit]);
    } catch (error) {
      return enclosure.abandon(error);
    }
    await enclosure.close();
    await this.#committed(organizationId, enclosure.countsAsChange, enclosure.writesLeased);
    return result;
  }

  #writesLeased({ text }: PipelineStatement): boolean {
    if (this.#lease === undefined) return false;
    for (const table of tablesWrittenBy(text)) if (this.#lease.tables.has(table)) return true;
    return false;
  }

  /** Waits until nobody goes on with what they asked for before the commit, if that has changed. */
  async #outliveLeases(areConcerned: boolean): Promise<void> {
    if (areConcerned) await wait(this.#lease!.ms + timerErrorMs);
  }

  /** How long who has asked may go on without asking again whether the tables of the lease have changed. */
  get leaseMs(): number {
    return this.#lease?.ms ?? 0;
  }

  /** Leaves the connection clean; a connection that cannot even roll back is thrown away by the pool. */
  async #rollBack(client: PoolClient, statement = 'rollback'): Promise<void> {
    try {
      await client.query(statement);
    } catch {
      // The connection is gone, and the transaction with it.
    }
  }

  async #withClient<Result>(
    work: (client: PoolClient) => Promise<Result>,
    pool = this.#pool,
  ): Promise<Result> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw unavailable(error);
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

  async #send(client: PoolClient, statements: readonly PipelineStatement[]): Promise<PipelineRow[][]> {
    this.statistics.statements += statements.length;
    this.statistics.roundTrips++;
    try {
      return await runPipeline(client as unknown as Client, statements);
    } catch (error) {
      if (isOverload(error)) throw unavailable(error);
      throw error;
    }
  }

  /**
   * How many writes of an organization this process has committed: whoever keeps something made of its data
   * compares this with the count from before reading.
   */
  commitCount(organizationId: OrganizationId): number {
    return this.#commits.get(organizationId) ?? 0;
  }

  /** For health checks: resolves when a connection answers. */
  async ping(): Promise<void> {
    await this.#withClient((client) => client.query('select 1'));
  }

  /**
   * Refuses to serve with a role that could step over row-level security, or take it away as the tables' owner, by
   * itself or by becoming another: the second wall must stand.
   */
  async assertServingRole(): Promise<void> {
    const { rows } = await this.#withClient((client) =>
      client.query<{ name: string; bypassing: string | null; owning: string | null }>(
        `select current_user as name,
           (select min(rolname) from pg_roles
             where (rolsuper or rolbypassrls) and pg_has_role(current_user, oid, 'member')) as bypassing,
           (select min(pg_get_userbyid(relowner)) from pg_class
             where relrowsecurity and pg_has_role(current_user, relowner, 'member')) as owning`,
      ),
    );
    const { name, bypassing, owning } = rows[0]!;
    const itself = (role: string) => (role === name ? '' : ` as ${role}, which it may become`);
    assert(bypassing === null, () => `the role ${name} can bypass row-level security${itself(bypassing!)}`);
    assert(owning === null, () => `the role ${name} owns the tables${itself(owning!)}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#globalPool.end()]);
  }
}

/** Why connections ended. */
const endedBy = new WeakMap<PoolClient, Error>();

function openPool(connection: ConnectionConfig, sizeMax: number, sessionOptions = ''): Pool {
  const pool = new Pool({
    ...connection,
    max: sizeMax,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    application_name: 'dispensary-commerce',
    // Generic plans: statements are point look-ups and keyset pages whose best plan does not depend on
    // the values; planning them anew costs more than running them.
    options: [
      connection.options,
      sessionOptions,
      '-c plan_cache_mode=force_generic_plan -c TimeZone=UTC -c jit=off',
      // What is hot lies in memory, where a page costs the same wherever it is. With the price of a disk's
      // arm (4), joins of a cart's options to their products read whole tables: twice the time, measured.
      '-c random_page_cost=1.1',
      '-c statement_timeout=30000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=30000',
    ]
      .filter(Boolean)
      .join(' '),
  });
  // An idle connection that breaks is replaced by the pool; the next query reports a lasting problem.
  pool.on('error', () => {});
  // From the first moment on: a server that dies can say so in one breath with being ready, before anybody listens.
  pool.on('connect', (client) => client.on('error', (error) => endedBy.set(client, error)));
  return pool;
}

/**
 * The database is gone or too busy to take a connection. A write whose connection broke may or may not have
 * become durable: that is what idempotency keys are for.
 */
function unavailable(cause: unknown): Failure {
  const refusal = failure('SERVICE_UNAVAILABLE', 'The database cannot be reached; try again.');
  refusal.cause = cause;
  return refusal;
}

/** JSON knows no bigint. */
function unlikeAnyOther(value: SqlValue): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

interface PostgresError extends Error {
  readonly code?: string;
  readonly constraint?: string;
}

/** Gave up waiting for a lock, ran too long, or the server takes no more work (or is going down). */
function isOverload(error: unknown): boolean {
  const { code } = error as PostgresError;
  return code !== undefined && ['55P03', '57014', '53300', '57P01', '57P02', '57P03'].includes(code);
}

/** Whether the server says that it ends the connection: shut down, crashed, or told to (classes 08 and 57P). */
function isLastWord(error: unknown): error is Error {
  return /^(08|57P)/.test((error as PostgresError).code ?? '');
}

/** Serialization failure, deadlock, a race for a unique key, or a guard that the caller named. */
function isCollision(error: unknown, options: WriteOptions): boolean {
  if (error instanceof RetryWrite) return true;
  const { code, constraint } = error as PostgresError;
  if (code === '40001' || code === '40P01') return true;
  return constraint !== undefined && (options.retryOnConstraints?.includes(constraint) ?? false);
}
