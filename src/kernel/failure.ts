import type { ErrorCode } from './error-catalog.ts';

/** Additional facts of a failure; only for codes whose catalog entry declares them (D12). */
export type FailureMeta = Readonly<Record<string, unknown>>;

/**
 * A refusal that a caller can understand and act on. Pure code returns verdicts and writes throw failures; only `http/`
 * turns one into a reply (status and remedy come from the catalog).
 */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: ErrorCode;
  readonly meta: FailureMeta | undefined;

  constructor(code: ErrorCode, message: string, meta?: FailureMeta) {
    super(/[.!?]$/.test(message) ? message : `${message}.`);
    this.code = code;
    this.meta = meta;
  }
}

/** `message` names the offending field and the expected value (D12), in a sentence; a full stop is added where it lacks one. */
export function failure(code: ErrorCode, message: string, meta?: FailureMeta): Failure {
  return new Failure(code, message, meta);
}
