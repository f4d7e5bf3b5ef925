import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** An arbitrary number: the advisory lock of a process that migrates this database. */
const migrationLock = 7_312_450_881;
const askEveryMs = 50;

/**
 * Runs work that one process at a time may do. It asks for the lock again and again: a statement that waits would keep a
 * snapshot, for which the other process's concurrent index waits. The end of the session gives the lock back.
 */
export async function withMigrationLock<Result>(
  client: Client,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
      migrationLock,
    ]);
    if (rows[0]!.is_mine) return work();
    await delay(askEveryMs);
  }
}
