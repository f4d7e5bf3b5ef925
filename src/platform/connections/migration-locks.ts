import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

export interface LockPatience {
  /**
   * How long a statement waits for its lock. Requests that need the table wait behind it, so this is shorter than their own
   * deadline.
   */
  readonly lockTimeoutMs: number;
  /** After this time without the lock the migration fails. */
  readonly patienceMs: number;
}

export const lockPatience: LockPatience = { lockTimeoutMs: 1_000, patienceMs: 10 * 60_000 };

const firstPauseMs = 250;
const lastPauseMs = 5_000;

/** `lock_not_available`, and `deadlock_detected`. */
const lockFailures = new Set(['55P03', '40P01']);

/**
 * Runs work that takes strong locks. It gives up each lock that it does not get in time, lets the requests through that queued
 * behind it, and tries again after a pause. `work` runs as often as needed, so its failure must leave nothing behind.
 */
export async function withLockTimeout<Result>(
  client: Client,
  name: string,
  { lockTimeoutMs, patienceMs }: LockPatience,
  work: () => Promise<Result>,
): Promise<Result> {
  const endsAtMs = performance.now() + patienceMs;
  await client.query(`select set_config('lock_timeout', $1, false)`, [String(lockTimeoutMs)]);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, lastPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!lockFailures.has((error as { code?: string }).code ?? '')) throw error;
      if (performance.now() + pauseMs > endsAtMs) throw stillLocked(name, patienceMs, error);
      await delay(pauseMs);
    }
  }
}

function stillLocked(name: string, patienceMs: number, cause: unknown): Error {
  return new Error(
    `${name} waits for a table that other sessions keep locked, for ${Math.round(patienceMs / 1_000)} s now. ` +
      'End the longest transactions in pg_stat_activity; then start again.',
    { cause },
  );
}
