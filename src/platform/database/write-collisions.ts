import { Failure } from '../../kernel/failure.ts';
import { isMoved } from '../connections/database-refusals.ts';

/** When a write runs again. */

/** How often a write that collides is tried. */
export const writeAttemptsMax = 8;

/** Each try waits for a lock for most of the time that an answer may take. */
const moveAttemptsMax = 3;

/**
 * Runs work, on several servers again if it met a part of the rows that moves from one to another: it waited for a lock in vain, since
 * writes wait for the last second of a move, or went to the server of before. A try that fails must leave nothing behind.
 */
export async function throughMoves<Result>(onSeveral: boolean, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!onSeveral || attempt >= moveAttemptsMax || !meetsMove(error)) throw error;
    }
  }
}

function meetsMove(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return isMoved(error.cause) || (error.cause as PostgresError | undefined)?.code === '55P03';
}

export interface WriteOptions {
  /** Constraints whose violation means "read again and decide again" (a guard on stock, say). */
  readonly retryOnConstraints?: readonly string[];
  /** False: does not invalidate caches; `commitCount` stays as it is. */
  readonly countsAsChange?: boolean;
  /** The write has no bound on its rows: its statements may take longer than those of a request. */
  readonly isLong?: boolean;
}

/** Thrown inside a write to run the whole function again in a new transaction. */
export class RetryWrite extends Error {
  override name = 'RetryWrite';
}

interface PostgresError extends Error {
  readonly code?: string;
  readonly constraint?: string;
}

/**
 * Serialization failure, deadlock (on several servers also of two that write a table with a copy on each), unique violation in a race,
 * or a constraint that the caller named.
 */
export function isCollision(error: unknown, options: WriteOptions): boolean {
  if (error instanceof RetryWrite) return true;
  const { code } = error as PostgresError;
  if (code === '40001' || code === '40P01') return true;
  const constraint = violatedConstraint(error as PostgresError);
  return constraint !== undefined && (options.retryOnConstraints?.includes(constraint) ?? false);
}

/**
 * A coordinator of several servers (Citus) tells only the message of the server that refused, where the name of a constraint ends
 * with the number of the part of its table.
 */
function violatedConstraint({ code, constraint, message }: PostgresError): string | undefined {
  if (constraint !== undefined || !code?.startsWith('23')) return constraint;
  return /constraint "(\w+?)(?:_\d+)?"/.exec(message)?.[1];
}
