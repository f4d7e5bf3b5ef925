import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import type { Span } from '../../kernel/tracing.ts';
import { acceptedEncoding, type ContentEncoding, compressed, uncompressedBytesMax } from './compression.ts';
import type { EventStream } from './endpoint-replies.ts';
import type { Caller, RefusedKey, RequestLog, StaffCaller } from './endpoint-requests.ts';
import type { ClientAddress } from './sent-host.ts';

/** Header names are lower case, so that an endpoint's header replaces the default with the same name. */
type Headers = Record<string, string | number | string[]>;

const saneRequestId = /^[A-Za-z0-9_.:-]{1,100}$/;

const requestIdPrefix = `${randomBytes(9).toString('base64url')}-`;
let requestCount = 0;

/**
 * An id for a request without one. The random prefix makes it unique across restarts and processes, the counter within
 * one run.
 */
export function newRequestId(): string {
  requestCount += 1;
  return `${requestIdPrefix}${requestCount}`;
}

/** Browsers use only TLS for this host for a year. Subdomains are not included. */
const hstsValue = 'max-age=31536000';

/** The headers of a reply that a web page may read, besides those that every page may (CORS). */
const readHeaders =
  'ETag, Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

/** Lets the pages of an origin read a reply (D67). */
function setReadableBy(origin: string, headers: Headers): void {
  headers['access-control-allow-origin'] = origin;
  headers['access-control-expose-headers'] = readHeaders;
  headers.vary = headers.vary === undefined ? 'Origin' : `${headers.vary}, Origin`;
}

/** A file to send; header names are lower case. */
export interface PublicFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the server is closing. */
export interface DrainState {
  readonly isDraining: boolean;
  /** Registers a stream to end when the server closes; returns the function that unregisters it. */
  endWithServer(end: () => void): () => void;
}

/** Counts the requests in flight. */
interface InFlight {
  enter(): void;
  leave(): void;
}

/**
 * Replies that were ready at once. They wait until all requests that have arrived are read, and are sent together.
 * Separate writes would wake a sleeping caller each time, which takes as long as making the reply; together they wake
 * it once (an unchanged menu, at 8 connections: ×1.13 as many, by turns; with replies made in between ×1.03 more).
 */
let instantReplies: RequestContext[] = [];

function sendInstantRepliesSoon(): void {
  setImmediate(() => setImmediate(sendInstantReplies));
}

/** Sends the waiting replies now. */
export function sendInstantReplies(): void {
  const replies = instantReplies;
  instantReplies = [];
  for (const requestContext of replies) requestContext.endReply();
}

/** One request and its reply. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The name in logs and metrics; never the path, which may contain personal data. */
  readonly routeId: string;
  readonly requestId: string;
  readonly headers: Headers;
  readonly startedAtMs = performance.now();
  /** Undefined where nothing is traced. */
  span: Span | undefined;
  caller: Caller | undefined;
  staff: StaffCaller | undefined;
  /** Set when a stream starts; the request counts as answered since then. */
  streamingSinceMs: number | undefined;
  /** How long the request has waited for something to happen. */
  pausedMs = 0;
  /** The error code of a refusal. */
  errorCode: ErrorCode | undefined;
  /** The message of a refusal. */
  errorMessage: string | undefined;
  /** The client key of the request, if it exists and was refused. */
  refusedKey: RefusedKey | undefined;
  /** The reply was ready at once; it may be sent together with others. */
  isInstant = false;
  /** The connection ends without the reply: a fault that a sandbox asks for (D60). */
  dropsReply = false;
  /** The reply waits for `releaseReply`. */
  holdsReply = false;
  #heldReply: (() => void) | null = null;
  /** The origin whose pages may read the reply (D67); undefined: pages of this service only. */
  readableBy: string | undefined;
  /** False for a reply that shows a secret: its compressed size would tell of it. */
  isCompressible = true;
  readonly #drain: DrainState;
  readonly #clientAddress: ClientAddress;
  readonly #inFlight: InFlight;
  readonly #keepAlive: string;
  #isInFlight = false;
  #log: RequestLog | undefined;
  #content: string | Uint8Array | undefined;
  #encoding: BufferEncoding = 'utf8';

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    routeId: string,
    frame: {
      readonly drain: DrainState;
      readonly clientAddress: ClientAddress;
      readonly inFlight: InFlight;
      /** The value of the Keep-Alive header. */
      readonly keepAlive: string;
      readonly isByTls: boolean;
    },
  ) {
    this.#drain = frame.drain;
    this.#clientAddress = frame.clientAddress;
    this.#inFlight = frame.inFlight;
    this.#keepAlive = frame.keepAlive;
    this.request = request;
    this.response = response;
    this.routeId = routeId;
    const sentId = request.headers['x-request-id'];
    const isSane = typeof sentId === 'string' && saneRequestId.test(sentId);
    this.requestId = isSane ? sentId : newRequestId();
    // Prevents sniffing, and caching unless the endpoint allows it; more headers have no effect for JSON. Each header
    // is set by name: with constants spread before the id, a 304 takes a quarter longer.
    this.headers = {
      'x-request-id': this.requestId,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    if (frame.isByTls) this.headers['strict-transport-security'] = hstsValue;
    this.enter();
  }

  /** The client address, behind the trusted proxies. */
  get clientAddress(): string {
    return this.#clientAddress(this.request);
  }

  /** Created on demand: most requests log nothing else, and a child logger costs more than the rest of this. */
  log(parent: { child(fields: object): RequestLog }): RequestLog {
    this.#log ??= parent.child({ requestId: this.requestId });
    return this.#log;
  }

  /** Sends JSON, compressed where the caller accepts it. `isKept`: the same bytes are sent again and again. */
  sendJson(status: number, text: string | Uint8Array, isKept = false): void {
    const byteCount = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    this.headers['content-type'] = 'application/json; charset=utf-8';
    if (byteCount > uncompressedBytesMax && this.isCompressible) {
      this.headers.vary = 'Accept-Encoding';
      const encoding = acceptedEncoding(this.request.headers['accept-encoding'] as string | undefined);
      if (encoding !== undefined && this.request.method !== 'HEAD') {
        void this.#sendCompressed(status, text, encoding, isKept);
        return;
      }
    }
    this.headers['content-length'] = byteCount;
    // For pure ASCII both encodings give the same bytes, and latin1 is a plain copy.
    this.#send(status, text, byteCount === text.length ? 'latin1' : 'utf8');
  }

  async #sendCompressed(
    status: number,
    text: string | Uint8Array,
    encoding: ContentEncoding,
    isKept: boolean,
  ): Promise<void> {
    const bytes = await compressed(text, encoding, isKept);
    this.isInstant = false;
    this.headers['content-encoding'] = encoding;
    this.headers['content-length'] = bytes.length;
    // Another representation of the same state: a strong tag would claim the same bytes.
    const { etag } = this.headers;
    if (typeof etag === 'string' && !etag.startsWith('W/')) this.headers.etag = `W/${etag}`;
    if (!this.response.destroyed) this.#send(status, bytes);
  }

  /** Sends a file unchanged; its headers give its type and caching. */
  sendFile(file: PublicFile, status: 200 | 400 | 404 = 200): void {
    Object.assign(this.headers, file.headers, { 'content-length': file.bytes.length });
    this.#send(status, file.bytes);
  }

  sendEmpty(status: 204 | 301 | 304): void {
    this.#send(status);
  }

  /** Begins a stream; null for HEAD. */
  openStream(mediaType: string): EventStream | null {
    const { request, response } = this;
    // Disables buffering by proxies.
    Object.assign(this.headers, { 'content-type': mediaType, 'x-accel-buffering': 'no' });
    if (request.method === 'HEAD') {
      this.#send(200);
      return null;
    }
    // The connection ends with the stream.
    this.headers.connection = 'close';
    this.streamingSinceMs = performance.now();
    this.leave();
    const end = () => void response.end();
    response.writeHead(200, this.headers);
    response.flushHeaders();
    response.once('close', this.#drain.endWithServer(end));
    return {
      write: (text) => {
        if (!response.writableEnded && !response.destroyed) response.write(text);
      },
      end,
      cut: () => void response.destroy(),
      get unreadBytes() {
        return response.writableLength;
      },
      onceClosed: (then) => {
        if (response.closed) then();
        else response.once('close', then);
      },
    };
  }

  /** Waits without counting as work under way; its time does not count as time to answer. */
  async pause<Value>(wait: (over: AbortSignal) => Promise<Value>): Promise<Value> {
    const { response } = this;
    const over = new AbortController();
    const end = () => over.abort();
    const forget = this.#drain.endWithServer(end);
    response.once('close', end);
    const sinceMs = performance.now();
    this.leave();
    try {
      if (response.closed) end();
      return await wait(over.signal);
    } finally {
      this.pausedMs += performance.now() - sinceMs;
      response.off('close', end);
      forget();
      this.enter();
    }
  }

  /** Counts the request as in flight, unless it is over. */
  enter(): void {
    if (this.#isInFlight || this.response.closed) return;
    this.#inFlight.enter();
    this.#isInFlight = true;
  }

  /** Stops counting the request as in flight: it is over, or its body is pending. */
  leave(): void {
    if (this.#isInFlight) this.#inFlight.leave();
    this.#isInFlight = false;
  }

  /** Sends what was held back, if anything was. */
  releaseReply(): void {
    this.holdsReply = false;
    this.#heldReply?.();
    this.#heldReply = null;
  }

  #send(status: number, text?: string | Uint8Array, encoding: BufferEncoding = 'utf8'): void {
    if (this.holdsReply) {
      this.#heldReply = () => this.#send(status, text, encoding);
      return;
    }
    if (this.dropsReply) {
      this.response.destroy();
      return;
    }
    if (this.#drain.isDraining) this.headers.connection = 'close';
    // Lets callers close idle connections before the server does.
    else if (this.response.shouldKeepAlive) this.headers['keep-alive'] = this.#keepAlive;
    if (this.readableBy !== undefined) setReadableBy(this.readableBy, this.headers);
    this.response.writeHead(status, this.headers);
    this.#content = text;
    this.#encoding = encoding;
    if (!this.isInstant) this.endReply();
    else if (instantReplies.push(this) === 1) sendInstantRepliesSoon();
  }

  /** Sends the body after the head. */
  endReply(): void {
    if (typeof this.#content === 'string') this.response.end(this.#content, this.#encoding);
    else this.response.end(this.#content);
  }
}
