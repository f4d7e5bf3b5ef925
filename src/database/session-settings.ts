import type { PoolConfig } from 'pg';
import { type DatabaseDeadlines, keepAlive, serverTimeouts, statementTimeoutMs } from './deadlines.ts';
import type { PipelineStatement } from './pipeline.ts';

/** How to reach a database; a subset of what `pg` takes. */
export type ConnectionConfig = Pick<
  PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'options'
>;

/**
 * What a batch is that opens no transaction: all of it on one snapshot, and writing nothing. Saying so here and
 * not by BEGIN and COMMIT spares each read two statements.
 */
export const batchesAreReads =
  '-c default_transaction_isolation=repeatable\\ read -c default_transaction_read_only=on';

/** How sessions of the program begin. */
export function sessionConfig(
  connection: ConnectionConfig,
  times: DatabaseDeadlines,
  sessionOptions = '',
): PoolConfig {
  return {
    ...connection,
    ...keepAlive,
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
      serverTimeouts(times),
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** Transaction-local: the statements behind it may run longer than others of the session. */
export function allowLongStatements({ longRoundTripMs }: DatabaseDeadlines): PipelineStatement {
  return {
    name: 'allow_long_statements',
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(statementTimeoutMs(longRoundTripMs))],
  };
}
