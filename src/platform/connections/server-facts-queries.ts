import { statement } from '../statements/statement.ts';

/** What PostgreSQL tells of itself. */
interface ServerFacts {
  version: string;
  size_bytes: number;
  sessions: number;
  sessions_max: number;
  /** The age of the oldest open transaction; null: none. */
  oldest_seconds: number | null;
}

/** Version, size, sessions, and the transaction that is open longest. */
export const selectServerFacts = statement<Record<never, never>, ServerFacts>(
  'select_server_facts',
  `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size_bytes,
          (select count(*)::int from pg_stat_activity where datname = current_database()) as sessions,
          current_setting('max_connections')::int as sessions_max,
          (select extract(epoch from now() - min(xact_start))::float8 from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()) as oldest_seconds`,
);
