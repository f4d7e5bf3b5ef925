import { type ErrorCode, errorCatalog } from '../../kernel/error-catalog.ts';
import { Failure, type FailureMeta, failure } from '../../kernel/failure.ts';

/** How long a caller should wait before a retry after SERVICE_UNAVAILABLE. */
export const unavailableRetryAfterSeconds = 2;

interface ErrorReply {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The whole body (D12). */
  readonly text: string;
  /** An internal error instead of a refusal; it is logged with its stack. */
  readonly isFault: boolean;
}

/** The refusal of an unknown path (D13). */
export function noSuchPath(): Failure {
  return failure('ROUTE_NOT_FOUND', 'There is no such path at this address.');
}

/** Turns any thrown value into a reply. A value that is not a failure becomes a plain INTERNAL_ERROR (D12). */
export function errorReply(thrown: unknown): ErrorReply {
  if (!(thrown instanceof Failure)) {
    return { ...replyOf('INTERNAL_ERROR', 'Something went wrong on our side.'), isFault: true };
  }
  return { ...replyOf(thrown.code, thrown.message, thrown.meta), isFault: thrown.code === 'INTERNAL_ERROR' };
}

function replyOf(code: ErrorCode, message: string, meta?: FailureMeta) {
  return {
    status: errorCatalog[code].status,
    code,
    message,
    text: JSON.stringify({ error: { message, code, ...(meta && { meta }) } }),
  };
}
