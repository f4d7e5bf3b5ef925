import type { PoolConfig } from 'pg';
import { type DatabaseDeadlines, keepAlive, serverTimeouts, statementTimeoutMs } from './deadlines.ts';
import { schemaNumber } from './migration-files.ts';
import type { PipelineStatement } from './pipeline.ts';
import { sessionName } from './serving-sessions.ts';
import type { SessionConfig } from './watched-client.ts';

/** How to reach a database; a subset of what `pg` takes, and of which kind it is. */
export type ConnectionConfig = Pick<
  PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'options'
> &
  Pick<SessionConfig, 'wants'> & {
    /** See `isDistributed`; by default it is not. */
    readonly isDistributed?: boolean;
  };

/**
 * A batch without an explicit transaction runs on one snapshot and read only. The session default spares each read
 * BEGIN and COMMIT.
 */
export const batchesAreReads =
  '-c default_transaction_isolation=repeatable\\ read -c default_transaction_read_only=on';

/**
 * Settings of a session on a distributed database. Plans are made with the values of each statement: a generic plan hides
 * which organization, and so which server, a statement is about. Settings of a transaction reach every server that it reaches.
 */
export const distributedSession =
  '-c plan_cache_mode=force_custom_plan -c citus.propagate_set_commands=local';

/** The settings of each session. */
export function sessionConfig(
  connection: ConnectionConfig,
  times: DatabaseDeadlines,
  sessionOptions = '',
): PoolConfig {
  return {
    ...connection,
    ...keepAlive,
    application_name: sessionName(schemaNumber()),
    // Generic plans: statements are point look-ups and keyset pages whose best plan does not depend on the values;
    // planning costs more than running them.
    options: [
      connection.options,
      sessionOptions,
      connection.isDistributed ? distributedSession : '-c plan_cache_mode=force_generic_plan',
      '-c TimeZone=UTC -c jit=off',
      // Frequently read pages are in memory, where random access costs no more. With the default for disks (4), joins
      // of a cart's options to their products read whole tables: twice the time, measured.
      '-c random_page_cost=1.1',
      serverTimeouts(times),
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** Transaction-local: raises the statement timeout for the statements behind it. */
export function allowLongStatements({ longRoundTripMs }: DatabaseDeadlines): PipelineStatement {
  return {
    name: 'allow_long_statements',
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(statementTimeoutMs(longRoundTripMs))],
  };
}
