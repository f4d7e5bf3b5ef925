import { type Failure, failure } from '../../kernel/failure.ts';

interface PostgresError extends Error {
  readonly code?: string;
}

/**
 * The database is gone, silent, or too busy to accept a connection. A write whose connection broke may or may not be
 * durable; idempotency keys make the retry safe.
 */
export function unavailable(cause: unknown): Failure {
  return caused('SERVICE_UNAVAILABLE', 'The database cannot be reached; try again.', cause);
}

/** Maps a server error to the refusal for the caller; undefined for a fault, or for a rule that the statement broke. */
export function refusalOf(error: unknown): Failure | undefined {
  if (isStorageFull(error)) {
    return caused('STORAGE_FULL', 'The database has no disk space left; nothing was changed.', error);
  }
  return isOverload(error) || isMoved(error) ? unavailable(error) : undefined;
}

/**
 * The data directory has no free blocks or inodes, or the disk quota of its owner is used up (which has no SQLSTATE).
 */
function isStorageFull(error: unknown): boolean {
  const { code, message } = error as PostgresError;
  return (
    code === '53100' || (code !== undefined && /No space left on device|Disk quota exceeded/.test(message))
  );
}

/** Timed out waiting for a lock, ran too long, or the server accepts no more work (or shuts down). */
function isOverload(error: unknown): boolean {
  const { code } = error as PostgresError;
  return code !== undefined && ['55P03', '57014', '53300', '57P01', '57P02', '57P03'].includes(code);
}

/**
 * Whether the rows that a statement was planned for went to another database server meanwhile (`dispensary organization move`). Citus has no
 * SQLSTATE of its own for this.
 */
export function isMoved(error: unknown): boolean {
  const { code, message } = (error ?? {}) as PostgresError;
  return code === 'XX000' && message.startsWith('could not find valid entry for shard');
}

/**
 * Whether the server reports that it ends the connection: shutdown, crash, or an administrator's command (classes 08
 * and 57P, 25P03 and 25P04).
 */
export function isConnectionEnd(error: unknown): error is Error {
  return /^(08|57P|25P0[34])/.test((error as PostgresError).code ?? '');
}

function caused(code: 'SERVICE_UNAVAILABLE' | 'STORAGE_FULL', message: string, cause: unknown): Failure {
  const refusal = failure(code, message);
  refusal.cause = cause;
  return refusal;
}
