import fastJson from 'fast-json-stringify';
import type { Logger } from 'pino';
import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import type { ClockSetting } from '../../kernel/clock.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { lazily } from '../../kernel/lazily.ts';
import { type Authenticate, admit, countUnproven } from './admission.ts';
import type {
  AnyEndpoint,
  Attempt,
  Caller,
  Endpoint,
  EndpointRequest,
  Reply,
  RequestLog,
  SignInRequest,
  StaffCaller,
  StaffEndpoint,
  StaffRequest,
} from './endpoint.ts';
import type { CountedAttempt, DeclaredHeader, RefusedAttempt } from './endpoint-requests.ts';
import {
  answerIdempotently,
  contentOf,
  type IdempotentRunner,
  readIdempotencyKey,
  repeatable,
  takesIdempotencyKey,
} from './idempotency-key.ts';
import type { Overload } from './overload.ts';
import type { RateLimiter, UnprovenLimits } from './rate-limits.ts';
import type { PendingBodies } from './request-body.ts';
import { hasBody, parseJson, requireJson, requireMediaType } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import { isTimestamp, type QueryValues, requestValidator, type ValidRequest } from './request-validation.ts';
import {
  admitStaff,
  cookieValue,
  isFromOwnPage,
  lackOfProof,
  requireOwnPage,
  type StaffGate,
  tryToCount,
} from './staff-admission.ts';

/** What the pipeline of every endpoint needs. */
export interface Frame {
  readonly authenticate: Authenticate;
  readonly runIdempotently: IdempotentRunner;
  readonly rateLimits: RateLimiter | undefined;
  readonly overload: Overload;
  readonly pendingBodies: PendingBodies;
  readonly logger: Logger;
  /** Undefined: no organization is a sandbox. */
  readonly sandboxRunner: SandboxRunner | undefined;
}

/** The same for staff operations. */
interface StaffFrame extends Frame {
  readonly staffGate: StaffGate;
}

/** The text values of a request's path and query. */
export interface UrlValues {
  readonly params: QueryValues;
  readonly query: QueryValues;
}

/** A request of a sandbox that was admitted, with its body as parsed. */
export interface SandboxRequest {
  readonly requestContext: RequestContext;
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly body: unknown;
}

/** Runs the requests of sandboxes (D60). */
export interface SandboxRunner {
  /** Answers by the clock of the sandbox, with the fault that the request asks for. A refusal is thrown. */
  answer(request: SandboxRequest, answer: () => Promise<void> | undefined): Promise<void>;
  /** Only by the clock: for its staff. */
  byClock<Result>(setting: ClockSetting, work: () => Promise<Result>): Promise<Result>;
}

/** Returns a promise only if it has to wait: a promise costs as much as a look-up. */
export type Answer = (requestContext: RequestContext, url: UrlValues) => Promise<void> | undefined;

/**
 * Turns a declaration into a request handler. The order of checks is the precedence of D13; a refusal is thrown. The
 * body is not read before the keys are checked. Validators and serializer are compiled at the first request: most
 * processes use few operations, and compiling all of them took a second and 40 MB.
 */
export function endpointPipeline(endpoint: Endpoint, frame: Frame): Answer {
  const validate = requestValidator(endpoint);
  const serialize = lazily(() => replySerializer(endpoint));
  const { authenticate, runIdempotently, rateLimits, overload, logger, sandboxRunner } = frame;
  const takesKey = takesIdempotencyKey(endpoint);

  function answerTo(requestContext: RequestContext, caller: Caller, url: UrlValues, body: unknown) {
    const valid = validate(url.params, url.query, body, caller.strict);
    const request = new KeyRequest(requestContext, caller, valid, logger, rateLimits);
    const key = takesKey ? readIdempotencyKey(requestContext, endpoint) : undefined;
    if (key !== undefined) {
      const { organizationId, clientKeyId } = caller;
      const content = contentOf(endpoint, valid, noFile);
      const keyed = { organizationId, caller: `key:${clientKeyId}`, key, content } as const;
      const answer = () =>
        answerIdempotently(requestContext, runIdempotently, keyed, async () =>
          repeatable(endpoint, await endpoint.handle(request), serialize()),
        );
      return endpoint.refuseReplay === undefined ? answer() : endpoint.refuseReplay(request).then(answer);
    }
    const reply = endpoint.handle(request);
    if (reply instanceof Promise)
      return reply.then((made) => send(requestContext, endpoint, made, serialize()));
    requestContext.isInstant = true;
    send(requestContext, endpoint, reply, serialize());
    return undefined;
  }

  const answerOf = (requestContext: RequestContext, caller: Caller, url: UrlValues, body: unknown) =>
    caller.sandbox === null || sandboxRunner === undefined
      ? answerTo(requestContext, caller, url, body)
      : sandboxRunner.answer({ requestContext, endpoint, caller, body }, () =>
          answerTo(requestContext, caller, url, body),
        );

  return (requestContext, url) => {
    if (endpoint.answersSecret) requestContext.isCompressible = false;
    if (overload.isOverloaded) throw overloaded();
    const caller = admit(requestContext, endpoint, authenticate, rateLimits);
    if (!(caller instanceof Promise) && !endpoint.body) {
      return answerOf(requestContext, caller, url, undefined);
    }
    return (async () => {
      const admitted = caller instanceof Promise ? await caller : caller;
      const body = endpoint.body && (await bodyOf(requestContext, endpoint, frame));
      return answerOf(requestContext, admitted, url, body);
    })();
  };
}

/** The same for a staff operation: a session instead of keys, a role instead of a permission. */
export function staffPipeline(endpoint: StaffEndpoint, frame: StaffFrame): Answer {
  const validate = requestValidator(endpoint);
  const serialize = lazily(() => replySerializer(endpoint));
  const { staffGate, runIdempotently, rateLimits, overload, logger, sandboxRunner } = frame;
  const { takesIfMatch } = endpoint;
  // A mistyped filter of a list or a report is refused: ignored, it would answer with all rows as if they had been asked for.
  const strictness = endpoint.method === 'GET' ? 'query' : false;
  const takesKey = takesIdempotencyKey(endpoint);

  return async (requestContext, { params, query }) => {
    if (endpoint.answersSecret) requestContext.isCompressible = false;
    if (overload.isOverloaded) throw overloaded();
    let staff: StaffCaller | undefined;
    if (endpoint.roles === 'anyone') requireOwnPage(requestContext, staffGate);
    else staff = await admitStaff(requestContext, endpoint, staffGate, rateLimits);
    const body = endpoint.body && (await bodyOf(requestContext, endpoint, frame));
    const file = endpoint.bodyFile === undefined ? noFile : await fileOf(requestContext, endpoint, frame);
    const valid = validate(params, query, body, strictness);
    const request = new StaffPipelineRequest(requestContext, staff, valid, logger, {
      rateLimits,
      staffGate,
      takesIfMatch,
      file,
    });
    // The declared roles decide which of the two request types the handler expects.
    const handler = endpoint.handle as (request: StaffPipelineRequest) => Promise<Reply>;
    const setting = staff?.sandbox?.clock;
    const handle =
      setting === undefined || sandboxRunner === undefined
        ? handler
        : (of: StaffPipelineRequest) => sandboxRunner.byClock(setting, () => handler(of));
    const key = takesKey ? readIdempotencyKey(requestContext, endpoint) : undefined;
    if (key !== undefined && staff !== undefined) {
      const { organizationId, staffId } = staff;
      const content = contentOf(endpoint, valid, file);
      const keyed = { organizationId, caller: `staff:${staffId}`, key, content } as const;
      await answerIdempotently(requestContext, runIdempotently, keyed, async () =>
        repeatable(endpoint, await handle(request), serialize()),
      );
      return;
    }
    send(requestContext, endpoint, await handle(request), serialize());
  };
}

function overloaded(): Failure {
  return failure('SERVICE_UNAVAILABLE', 'The service is overloaded.');
}

/** A class for its getter: as a literal, every request would have its own hidden class (+12 µs). */
class PipelineRequest {
  readonly params: ValidRequest['params'];
  readonly query: ValidRequest['query'];
  readonly body: unknown;
  readonly requestId: string;
  readonly ifNoneMatch: string | undefined;
  readonly lastEventId: string | undefined;
  readonly #requestContext: RequestContext;
  readonly #logger: Logger;

  constructor(requestContext: RequestContext, { params, query, body }: ValidRequest, logger: Logger) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.requestId = requestContext.requestId;
    this.ifNoneMatch = requestContext.request.headers['if-none-match'];
    this.lastEventId = requestContext.request.headers['last-event-id'] as string | undefined;
    this.#requestContext = requestContext;
    this.#logger = logger;
  }

  asksFor(mediaType: string): boolean {
    const { accept = '' } = this.#requestContext.request.headers;
    return accept.split(',').some((range) => range.split(';', 1)[0]!.trim().toLowerCase() === mediaType);
  }

  header({ name }: DeclaredHeader): string | undefined {
    return this.#requestContext.request.headers[name.toLowerCase()] as string | undefined;
  }

  get log(): RequestLog {
    return this.#requestContext.log(this.#logger);
  }
}

class KeyRequest extends PipelineRequest implements EndpointRequest<unknown, unknown, unknown> {
  readonly caller: Caller;
  readonly requestsLeft: number | null;
  readonly #requestContext: RequestContext;
  readonly #rateLimits: RateLimiter | undefined;

  constructor(
    requestContext: RequestContext,
    caller: Caller,
    valid: ValidRequest,
    logger: Logger,
    rateLimits: RateLimiter | undefined,
  ) {
    super(requestContext, valid, logger);
    this.#requestContext = requestContext;
    this.#rateLimits = rateLimits;
    this.caller = caller;
    this.requestsLeft = (requestContext.headers['ratelimit-remaining'] as number | undefined) ?? null;
  }

  countUnproven(limits: UnprovenLimits, names: readonly string[] = []): Promise<CountedAttempt> {
    return countUnproven(this.#requestContext, this.#rateLimits, this.caller, limits, names);
  }

  pause<Value>(wait: (over: AbortSignal) => Promise<Value>): Promise<Value> {
    return this.#requestContext.pause(wait);
  }
}

interface StaffRequestParts {
  readonly rateLimits: RateLimiter | undefined;
  readonly staffGate: StaffGate;
  readonly takesIfMatch: true | undefined;
  readonly file: Buffer;
}

class StaffPipelineRequest
  extends PipelineRequest
  implements Omit<StaffRequest<unknown, unknown, unknown>, 'staff'>, SignInRequest<unknown, unknown, unknown>
{
  readonly staff: StaffCaller | undefined;
  readonly expectedUpdatedAtMs: number | undefined;
  readonly file: Buffer;
  readonly #requestContext: RequestContext;
  readonly #staffGate: StaffGate;
  readonly countAttempt: (attempt: Attempt) => Promise<CountedAttempt>;
  readonly tryToCount: (attempt: Attempt) => Promise<CountedAttempt | RefusedAttempt>;
  readonly cookie: (name: string) => string | undefined;
  readonly lackOfProof: () => Promise<Failure | null>;

  constructor(
    requestContext: RequestContext,
    staff: StaffCaller | undefined,
    valid: ValidRequest,
    logger: Logger,
    { rateLimits, staffGate, takesIfMatch, file }: StaffRequestParts,
  ) {
    super(requestContext, valid, logger);
    this.#requestContext = requestContext;
    this.#staffGate = staffGate;
    this.tryToCount = (attempt) => tryToCount(requestContext, rateLimits, attempt);
    this.countAttempt = async (attempt) => {
      const counted = await this.tryToCount(attempt);
      if ('refused' in counted) throw counted.refused();
      return counted;
    };
    this.cookie = (name) => cookieValue(requestContext.request.headers.cookie, staffGate.cookieName(name));
    this.lackOfProof = async () => (staff ? lackOfProof(requestContext, staff, staffGate) : null);
    this.staff = staff;
    this.file = file;
    this.expectedUpdatedAtMs = takesIfMatch && readIfMatch(requestContext.request.headers['if-match']);
  }

  get clientAddress(): string {
    return this.#requestContext.clientAddress;
  }

  get userAgent(): string | null {
    return this.#requestContext.request.headers['user-agent'] ?? null;
  }

  get isFromOwnPage(): boolean {
    return isFromOwnPage(this.#requestContext, this.#staffGate);
  }

  get pageOrigin(): string | null {
    return this.isFromOwnPage ? (this.#requestContext.request.headers.origin ?? null) : null;
  }
}

/** The instant in If-Match; undefined without the header. */
function readIfMatch(sent: string | undefined): number | undefined {
  if (sent === undefined || sent.trim() === '*') return undefined;
  const text = /^\s*(?:W\/)?"([^"]+)"\s*$/.exec(sent)?.[1] ?? '';
  const atMs = isTimestamp(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw failure(
    'INVALID_PARAMS',
    'If-Match must be one updatedAt in quotation marks, such as "2026-03-01T17:05:09.123Z".',
  );
}

const noFile = Buffer.alloc(0);

/** The bytes of a file body; a missing one is refused like a wrong media type. */
async function fileOf(
  requestContext: RequestContext,
  endpoint: StaffEndpoint,
  frame: Frame,
): Promise<Buffer> {
  requireMediaType(requestContext.request, endpoint.bodyFile ?? []);
  return received(requestContext, endpoint, frame);
}

/** The parsed body; a missing one is an empty object if no field is required, else INVALID_JSON. */
async function bodyOf(requestContext: RequestContext, endpoint: AnyEndpoint, frame: Frame): Promise<unknown> {
  if (hasBody(requestContext.request)) {
    requireJson(requestContext.request);
    return parseJson(await received(requestContext, endpoint, frame));
  }
  if ((endpoint.body as { required?: string[] }).required?.length) return parseJson(Buffer.alloc(0));
  return {};
}

/** The bytes of a body. Many bodies may arrive at once, so the overload check runs again. */
async function received(
  requestContext: RequestContext,
  endpoint: AnyEndpoint,
  { pendingBodies, overload }: Frame,
): Promise<Buffer> {
  const bytes = await pendingBodies.read(requestContext, {
    bytesMax: endpoint.bodyBytesMax,
    tooLarge: endpoint.bodyTooLarge,
    isOpen: 'roles' in endpoint && endpoint.roles === 'anyone',
  });
  if (overload.isOverloaded) throw overloaded();
  return bytes;
}

/** By the text of the schema: many endpoints answer the same records. */
const serializers = new Map<string, (reply: object) => string>();

/** The serializer of an endpoint's replies: writes the fields of its schema only. */
export function replySerializer({ id, success }: AnyEndpoint): (reply: object) => string {
  const { status, data, meta, file } = success;
  if (!data) {
    assert(status === 204 || file, `${id}: only 204 and files answer without data`);
    return () => {
      throw new TypeError(`${id} declares no data`);
    };
  }
  const schema = Type.Object({ data, ...(meta && { meta }) }) as object;
  const text = JSON.stringify(schema);
  const known = serializers.get(text);
  if (known) return known;
  const serialize = fastJson(schema);
  serializers.set(text, serialize);
  return serialize;
}

function send(
  requestContext: RequestContext,
  { success }: AnyEndpoint,
  reply: Reply,
  serialize: (reply: object) => string,
): void {
  // `for in` over undefined is free; most replies have no headers of their own.
  for (const name in reply.headers) requestContext.headers[name.toLowerCase()] = reply.headers[name]!;
  if (reply.kind === 'empty') {
    requestContext.sendEmpty(204);
    return;
  }
  if (reply.kind === 'json') {
    // The serializer writes declared fields only, so the reply object itself serves as the envelope.
    requestContext.sendJson(success.status, serialize(reply));
    return;
  }
  if (reply.kind === 'stream') {
    const stream = requestContext.openStream(reply.mediaType);
    if (stream !== null) void reply.start(stream);
    return;
  }
  if (reply.kind === 'file') {
    requestContext.sendFile({ bytes: reply.bytes, headers: { 'content-type': reply.mediaType } });
    return;
  }
  if (reply.etag !== undefined) requestContext.headers.etag = reply.etag;
  if (matchesEntityTag(reply.etag, requestContext.request.headers['if-none-match']))
    requestContext.sendEmpty(304);
  else requestContext.sendJson(success.status, reply.text, reply.isKept);
}

/** Whether If-None-Match contains the entity tag, by weak comparison (RFC 9110). */
function matchesEntityTag(etag: string | undefined, ifNoneMatch: string | undefined): boolean {
  if (etag === undefined || ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
