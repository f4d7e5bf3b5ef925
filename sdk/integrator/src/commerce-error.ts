/** The facts of an error code, as listed in `contract/errors.md`. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/**
 * A refusal by the service, or a missing answer. `code` is from `contract/errors.md`; `NO_CONNECTION`: the service could not
 * be reached; `TIMED_OUT`: no answer in time; `UNEXPECTED_REPLY`: the answer is not the service's, as from a proxy.
 */
export class CommerceError extends Error {
  override name = 'CommerceError';
  readonly code: string;
  /** The status of the reply; 0: there was none. */
  readonly status: number;
  readonly meta: ErrorFacts;
  /** Identifies the request in the operator's log and in the integrator's. */
  readonly requestId: string | null;
  /** Milliseconds that the service asks to wait; null: it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    facts: {
      readonly code: string;
      readonly status?: number;
      readonly meta?: ErrorFacts;
      readonly requestId?: string | null;
      readonly retryAfterMs?: number | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.meta = facts.meta ?? {};
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/** Reads a refusal. A body in another shape, such as a proxy's, is `UNEXPECTED_REPLY`. */
export function errorOf(response: Response, text: string, requestId: string, nowMs: number): CommerceError {
  const body = parsed(text) as { error?: { message?: unknown; code?: unknown; meta?: ErrorFacts } } | null;
  const { message, code, meta } = body?.error ?? {};
  const shared = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? requestId,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
  };
  if (typeof message !== 'string' || typeof code !== 'string') {
    return new CommerceError(`The answer has status ${response.status} and is not the service's.`, {
      ...shared,
      code: 'UNEXPECTED_REPLY',
    });
  }
  return new CommerceError(message, { ...shared, code, ...(meta !== undefined && { meta }) });
}

/** Parses JSON; null for anything else. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
