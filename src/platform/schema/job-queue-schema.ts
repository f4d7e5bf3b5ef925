import { type Client, Pool } from 'pg';
import { keepAlive, patientDeadlines } from '../connections/deadlines.ts';
import { type LockPatience, withLockTimeout } from '../connections/migration-locks.ts';
import { watchedClients } from '../connections/watched-client.ts';
import { migrationMsMax } from '../connections/with-session.ts';
import type { ConnectionConfig } from '../database/database.ts';

/**
 * What the serving role may do in the queue's schema: add and run jobs. The queue enables row-level security without a
 * policy, which would restrict jobs to the owner. The tenant transaction that a job opens decides whose data it
 * touches, as for a request.
 */
const grantServingRole = `
do $$
declare
  secured text;
begin
  grant usage on schema graphile_worker to dispensary_app;
  grant select, insert, update, delete on all tables in schema graphile_worker to dispensary_app;
  grant usage on all sequences in schema graphile_worker to dispensary_app;
  for secured in
    select c.relname from pg_class c
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'serving')
  loop
    execute format(
      'create policy serving on graphile_worker.%I to dispensary_app using (true) with check (true)', secured);
  end loop;
end $$`;

/**
 * Migrates the tables of the job queue (graphile-worker has its own migrations, in the schema `graphile_worker`) and
 * grants the serving role access. One process at a time: the caller holds the lock.
 */
export async function migrateJobQueue(
  connection: ConnectionConfig,
  client: Client,
  patience: LockPatience,
): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  const { connectMs } = patientDeadlines;
  const options = `${connection.options ?? ''} -c lock_timeout=${patience.lockTimeoutMs}`.trim();
  const Client = watchedClients({ connectMs, queryMs: migrationMsMax });
  const pool = new Pool({ ...connection, options, ...keepAlive, Client, max: 1 });
  // The database may end the connection while it is idle, or while the pool ends. A statement reports a lasting problem; without
  // listeners the error would end this process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await withLockTimeout(client, 'The migration of the job queue', patience, async () => {
      await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
      await client.query(grantServingRole);
    });
  } finally {
    await pool.end();
  }
}
