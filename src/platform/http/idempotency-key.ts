import { createHash } from 'node:crypto';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { AnyEndpoint, Reply } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';
import type { ValidRequest } from './request-validation.ts';

/** A request with the header Idempotency-Key (D63). */
export interface KeyedRequest {
  readonly organizationId: OrganizationId;
  readonly caller: `key:${number}` | `staff:${number}`;
  readonly key: string;
  /** The request in a canonical form: equal for equal requests. */
  readonly content: string;
}

/** A reply that can be sent again. */
export interface RepeatableReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Null: no body. */
  readonly text: string | null;
}

/**
 * Executes a keyed request once. The first time it runs `work`, whose writes commit together with the reply; later it
 * returns that reply. Concurrent requests with the key wait for each other. Fails with IDEMPOTENCY_KEY_REUSED when the
 * key was used with another request. If `work` fails, the key stays free.
 */
export type IdempotentRunner = (
  request: KeyedRequest,
  work: () => Promise<RepeatableReply>,
) => Promise<{ readonly reply: RepeatableReply; readonly isReplay: boolean }>;

/** The length of a UUID without its dashes: keys of this length are random and cannot be guessed. */
export const secretKeyLengthMin = 32;

/** Whether an operation takes Idempotency-Key: every write of an authenticated caller, unless declared otherwise. */
export function takesIdempotencyKey(endpoint: AnyEndpoint): boolean {
  const { kind, method, ignoresIdempotencyKey } = endpoint;
  const isOpen = 'roles' in endpoint && endpoint.roles === 'anyone';
  return kind === 'write' && method !== 'GET' && !isOpen && !ignoresIdempotencyKey;
}

/** The key of a request, or undefined. Fails with INVALID_PARAMS. */
export function readIdempotencyKey(
  { request }: RequestContext,
  { answersSecret }: AnyEndpoint,
): string | undefined {
  const sent = request.headers['idempotency-key'] as string | undefined;
  if (sent === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(sent)) {
    throw failure(
      'INVALID_PARAMS',
      'Idempotency-Key must be 1 to 255 visible characters of ASCII, without spaces, sent once.',
    );
  }
  if (answersSecret && sent.length < secretKeyLengthMin) {
    throw failure(
      'INVALID_PARAMS',
      `Idempotency-Key must have at least ${secretKeyLengthMin} characters here, because the reply holds a secret: ` +
        'send a random UUID.',
    );
  }
  return sent;
}

/** The canonical text of a request. JSON spelling, the order of names and undeclared names make no difference. */
export function contentOf({ id }: AnyEndpoint, valid: ValidRequest, file: Buffer): string {
  const fileDigest = file.length === 0 ? null : createHash('sha256').update(file).digest('base64');
  return JSON.stringify([id, valid.params, valid.query, valid.body ?? null, fileDigest], sortedByName);
}

function sortedByName(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The reply of a write's handler, ready to send. */
export function repeatable(
  { id, success }: AnyEndpoint,
  reply: Reply,
  serialize: (reply: object) => string,
): RepeatableReply {
  assert(
    reply.kind !== 'file' && reply.kind !== 'stream',
    () => `${id} is a write, and its reply cannot be stored`,
  );
  const headers = Object.fromEntries(
    Object.entries(reply.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (reply.kind === 'empty') return { status: 204, headers, text: null };
  const text = reply.kind === 'json' ? serialize(reply) : Buffer.from(reply.text).toString();
  return { status: success.status, headers, text };
}

/** Answers a keyed request with the reply of `work`, or with the stored one. */
export async function answerIdempotently(
  requestContext: RequestContext,
  runIdempotently: IdempotentRunner,
  request: KeyedRequest,
  work: () => Promise<RepeatableReply>,
): Promise<void> {
  const { reply, isReplay } = await runIdempotently(request, work);
  Object.assign(requestContext.headers, reply.headers, isReplay && { 'idempotent-replayed': 'true' });
  if (reply.text === null) requestContext.sendEmpty(204);
  else requestContext.sendJson(reply.status, reply.text);
}
