import { currentTracer, type SpanAttributes, traced } from '../../kernel/tracing.ts';
import type { CircuitBreaker, PooledClient } from './connection-pool.ts';
import { refusalOf } from './database-refusals.ts';
import { type DatabaseDeadlines, DatabaseUnresponsive, deadlines } from './deadlines.ts';
import { forDistributed } from './for-distributed.ts';
import { type PipelineRow, type PipelineStatement, runPipeline } from './pipeline.ts';

/** Counters since the start; tests assert that a request sends a constant number of statements. */
export interface DatabaseStatistics {
  statements: number;
  roundTrips: number;
  retries: number;
}

/** Each statement adds this to the deadline of its batch: an import sends thousands at once. */
const msPerStatement = 20;

/** So many statements of a batch are named in a trace. */
const namedMax = 20;

/** The names of the statements, without their values. */
function attributesOf(statements: readonly PipelineStatement[]): SpanAttributes {
  return {
    'db.system.name': 'postgresql',
    'db.operation.batch.size': statements.length,
    'db.query.summary': statements
      .slice(0, namedMax)
      .map(({ name }) => name)
      .join(' '),
  };
}

/** Sends batches of statements, counts them, and cuts a connection that does not answer in time. */
export class RoundTrips {
  readonly statistics: DatabaseStatistics = { statements: 0, roundTrips: 0, retries: 0 };
  readonly #times: DatabaseDeadlines;
  readonly #breaker: CircuitBreaker;
  readonly #isDistributed: boolean;

  constructor(times: DatabaseDeadlines, breaker: CircuitBreaker, isDistributed = false) {
    this.#times = times;
    this.#breaker = breaker;
    this.#isDistributed = isDistributed;
  }

  /** The time for a batch, without what each of its statements adds. */
  limitMs(isLong: boolean): number {
    return isLong ? this.#times.longRoundTripMs : this.#times.roundTripMs;
  }

  /** The rows of each statement. Throws the refusal that fits, or the database's error. */
  async send(
    client: PooledClient,
    statements: readonly PipelineStatement[],
    limitMs = this.#times.roundTripMs,
  ): Promise<PipelineRow[][]> {
    this.statistics.statements += statements.length;
    this.statistics.roundTrips++;
    // What nothing asked for, such as the look at the law each second, is not traced.
    if (!currentTracer()?.current) return this.#sendNow(client, statements, limitMs);
    const sent = { name: 'database', kind: 'client', attributes: attributesOf(statements) } as const;
    return traced(sent, () => this.#sendNow(client, statements, limitMs));
  }

  async #sendNow(
    client: PooledClient,
    statements: readonly PipelineStatement[],
    limitMs: number,
  ): Promise<PipelineRow[][]> {
    const allMs = limitMs + statements.length * msPerStatement;
    const deadline = deadlines.begin(allMs, () => {
      this.#breaker.trip();
      client.cut(new DatabaseUnresponsive(`The database did not answer within ${allMs} ms.`));
    });
    try {
      return await runPipeline(client, this.#isDistributed ? statements.map(forDistributed) : statements);
    } catch (error) {
      throw refusalOf(error) ?? error;
    } finally {
      deadlines.end(deadline);
    }
  }

  /** A transaction, or its beginning; rolled back when it fails. */
  async sendWhole(...sent: Parameters<RoundTrips['send']>): Promise<PipelineRow[][]> {
    try {
      return await this.send(...sent);
    } catch (error) {
      await this.rollBack(sent[0]);
      throw error;
    }
  }

  /** Leaves the connection clean; the pool discards a connection that cannot roll back. */
  async rollBack(client: PooledClient, statement = 'rollback'): Promise<void> {
    try {
      await client.query(statement);
    } catch {
      // The connection is lost, and the transaction with it.
    }
  }
}
