import fastJson from 'fast-json-stringify';
import type { Logger } from 'pino';
import Type from 'typebox';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import { type Authenticate, admit } from './admission.ts';
import type { Caller, Endpoint, EndpointRequest, Reply, RequestLog } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Overload } from './overload.ts';
import type { RateLimits } from './rate-limits.ts';
import { hasBody, parseJson, readBody, requireJson } from './request-body.ts';
import { type QueryValues, requestValidator, type ValidRequest } from './request-validation.ts';

/** What the frame works with on behalf of every endpoint. */
export interface Frame {
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits | undefined;
  readonly overload: Overload;
  readonly logger: Logger;
}

export type Answer = (exchange: Exchange, params: QueryValues, query: QueryValues) => Promise<void>;

/**
 * Turns a declaration into what answers its requests. The order of work is the precedence of D13; a
 * refusal is thrown. Nothing of a body is read before the keys are good.
 */
export function endpointPipeline(endpoint: Endpoint, frame: Frame): Answer {
  const validate = requestValidator(endpoint);
  const serialize = replySerializer(endpoint);
  const { authenticate, rateLimits, overload, logger } = frame;

  return async (exchange, params, query) => {
    if (overload.isOverloaded) throw failure('SERVICE_UNAVAILABLE', 'The service has too much to do.');
    const caller = await admit(exchange, endpoint, authenticate, rateLimits);
    const body = endpoint.body && (await bodyOf(exchange, endpoint));
    const request = new PipelineRequest(
      exchange,
      caller,
      validate(params, query, body, caller.strict),
      logger,
    );
    send(exchange, endpoint, await endpoint.handle(request), serialize);
  };
}

/** A class for its getter: as a literal, every request would have a hidden class of its own (+12 µs). */
class PipelineRequest implements EndpointRequest<unknown, unknown, unknown> {
  readonly caller: Caller;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly ifNoneMatch: string | undefined;
  readonly #exchange: Exchange;
  readonly #logger: Logger;

  constructor(exchange: Exchange, caller: Caller, { params, query, body }: ValidRequest, logger: Logger) {
    this.caller = caller;
    this.params = params;
    this.query = query;
    this.body = body;
    this.requestId = exchange.requestId;
    this.ifNoneMatch = exchange.request.headers['if-none-match'];
    this.#exchange = exchange;
    this.#logger = logger;
  }

  get log(): RequestLog {
    return this.#exchange.log(this.#logger);
  }
}

/** The parsed body; an absent one is an empty object where no field is required, else INVALID_JSON. */
async function bodyOf({ request, response }: Exchange, { body, bodyBytesMax }: Endpoint): Promise<unknown> {
  if (hasBody(request)) {
    requireJson(request);
    return parseJson(await readBody(request, response, bodyBytesMax));
  }
  if ((body as { required?: string[] }).required?.length) return parseJson(Buffer.alloc(0));
  return {};
}

function replySerializer({ id, success }: Endpoint): (reply: object) => string {
  const { status, data, meta } = success;
  if (!data) {
    assert(status === 204, `${id}: only 204 answers without data`);
    return () => {
      throw new TypeError(`${id} declares no data`);
    };
  }
  return fastJson(Type.Object({ data, ...(meta && { meta }) }) as object);
}

function send(
  exchange: Exchange,
  { success }: Endpoint,
  reply: Reply,
  serialize: (reply: object) => string,
): void {
  if (reply.kind === 'empty') {
    exchange.sendEmpty(204);
    return;
  }
  // A loop over nothing costs nothing; most replies bring no headers of their own.
  for (const name in reply.headers) exchange.headers[name.toLowerCase()] = reply.headers[name]!;
  if (reply.kind === 'json') {
    // The serializer writes declared fields only, so the reply object itself serves as the envelope.
    exchange.sendJson(success.status, serialize(reply));
    return;
  }
  if (reply.etag !== undefined) exchange.headers.etag = reply.etag;
  if (isHeld(reply.etag, exchange.request.headers['if-none-match'])) exchange.sendEmpty(304);
  else exchange.sendJson(success.status, reply.text);
}

/** Whether If-None-Match names the entity tag; compared weakly, as RFC 9110 asks. */
function isHeld(etag: string | undefined, ifNoneMatch: string | undefined): boolean {
  if (etag === undefined || ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
