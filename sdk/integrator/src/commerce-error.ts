import type { components } from './generated/v1-schema.ts';

type Schemas = components['schemas'];

/** What `error` is in the replies that refuse, one shape for each code of `contract/errors.md`. */
type Refusal = {
  [Name in keyof Schemas]: Name extends `${string}Refusal` ? Schemas[Name] : never;
}[keyof Schemas];

/** The codes with which operations refuse. */
export type RefusalCode = Refusal['code'];

/**
 * The codes of this client. `NO_CONNECTION`: the service could not be reached. `TIMED_OUT`: no answer in time.
 * `UNEXPECTED_REPLY`: the answer is not the service's, as from a proxy. `NOT_CONFIRMED`: the program did not confirm the
 * preview of an order.
 */
export type ClientErrorCode = 'NO_CONNECTION' | 'TIMED_OUT' | 'UNEXPECTED_REPLY' | 'NOT_CONFIRMED';

/** The facts of a code; `{}` for codes without any. */
export type FactsOf<Code extends RefusalCode> =
  Extract<Refusal, { readonly code: Code }> extends { readonly meta: infer Facts }
    ? Readonly<Facts>
    : NoFacts;

type NoFacts = Readonly<Record<string, never>>;

/** What a new `CommerceError` is made of. */
export interface ErrorParts {
  readonly code: string;
  readonly status?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
}

class CommerceFailure extends Error {
  override name = 'CommerceError';
  readonly code: string;
  /** The status of the reply; 0: there was none. */
  readonly status: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Identifies the request in the operator's log and in `GET /api/v1/requests`; null: nothing was sent. */
  readonly requestId: string | null;
  /** Milliseconds that the service asks to wait; null: it does not say. */
  readonly retryAfterMs: number | null;
  /** The key of a write. Without an answer it may have been done: sent again with this key, it is done once. */
  readonly idempotencyKey: string | null;

  constructor(message: string, parts: ErrorParts) {
    super(message, parts.cause === undefined ? {} : { cause: parts.cause });
    this.code = parts.code;
    this.status = parts.status ?? 0;
    this.meta = parts.meta ?? {};
    this.requestId = parts.requestId ?? null;
    this.retryAfterMs = parts.retryAfterMs ?? null;
    this.idempotencyKey = parts.idempotencyKey ?? null;
  }
}

type Refused<Code extends RefusalCode> = CommerceFailure & {
  readonly code: Code;
  readonly meta: FactsOf<Code>;
};

/**
 * A refusal by the service, or a missing answer. A `switch` over `code` knows the `meta` of each. A later service may send
 * codes that these types do not list, so give the `switch` a `default`.
 */
export type CommerceError =
  | { [Code in RefusalCode]: Refused<Code> }[RefusalCode]
  | (CommerceFailure & { readonly code: ClientErrorCode; readonly meta: NoFacts });

/** The class of all errors of this client: `error instanceof CommerceError`. */
export const CommerceError = CommerceFailure as unknown as {
  new (message: string, parts: ErrorParts): CommerceError;
  readonly prototype: CommerceError;
};

/** Reads a refusal. A body in another shape, such as a proxy's, is `UNEXPECTED_REPLY`. */
export function errorOf(
  response: Response,
  text: string,
  sent: { readonly requestId: string; readonly idempotencyKey?: string | undefined },
  nowMs: number,
): CommerceError {
  const body = parsed(text) as { error?: Partial<ErrorParts> & { message?: unknown } } | null;
  const { message, code, meta } = body?.error ?? {};
  const shared = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? sent.requestId,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
    idempotencyKey: sent.idempotencyKey ?? null,
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
