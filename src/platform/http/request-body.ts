import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { addressBlock } from './address-block.ts';
import { canonicalMediaType } from './body-normalizer.ts';
import type { BoundsReached } from './bounds-reached.ts';
import type { RequestContext } from './request-context.ts';

interface BodyBounds {
  readonly pendingBodiesMax: number;
  readonly pendingBodiesOfAddressMax: number;
  /** A body may be pending this long before the limit of its address applies: valid requests may arrive in bursts. */
  readonly pendingBodyGraceMs: number;
  /** For operations without keys and session. */
  readonly openBodyTimeoutMs: number;
}

interface PendingBody {
  readonly requestContext: RequestContext;
  readonly giveUp: (error: Failure) => void;
  readonly sinceMs: number;
  block?: string | null;
}

/**
 * The requests whose headers have arrived and whose body has not. They do not count as requests in flight. Their total
 * number is limited, and so is the number of one address (IPv6: one /64), except that of a trusted proxy. At a limit,
 * a new request makes the oldest pending one be refused. The limit of an address applies only after a grace period, in
 * which a body that is sent at once arrives.
 */
export class PendingBodies {
  /** In order of arrival. */
  readonly #pending = new Set<PendingBody>();
  readonly #bounds: BodyBounds;
  readonly #isProxy: (address: string) => boolean;
  readonly #reached: BoundsReached;

  constructor(bounds: BodyBounds, isProxy: (address: string) => boolean, reached: BoundsReached) {
    this.#bounds = bounds;
    this.#isProxy = isProxy;
    this.#reached = reached;
  }

  /**
   * Reads a body of at most `bytesMax`. `isOpen`: an operation without keys or session, with a shorter timeout. Fails
   * as `readBody` does, with INVALID_PARAMS after the timeout, and with RATE_LIMITED or SERVICE_UNAVAILABLE at a limit.
   */
  async read(
    requestContext: RequestContext,
    limits: {
      readonly bytesMax: number;
      readonly tooLarge: BodyTooLarge | undefined;
      readonly isOpen: boolean;
    },
  ): Promise<Buffer> {
    let pending: PendingBody | undefined;
    let timer: NodeJS.Timeout | undefined;
    const { request, response } = requestContext;
    requestContext.leave();
    try {
      return await readBody(request, response, limits.bytesMax, limits.tooLarge, (giveUp) => {
        pending = {
          requestContext,
          sinceMs: performance.now(),
          giveUp: (error) => {
            // The rest of the body is not needed.
            requestContext.headers.connection = 'close';
            giveUp(error);
          },
        };
        if (limits.isOpen) timer = this.#timeOut(pending);
        this.#add(pending);
      });
    } finally {
      clearTimeout(timer);
      if (pending) this.#pending.delete(pending);
      requestContext.enter();
    }
  }

  #timeOut({ giveUp }: PendingBody): NodeJS.Timeout {
    const { openBodyTimeoutMs } = this.#bounds;
    const message = `The body must arrive within ${openBodyTimeoutMs / 1000} seconds.`;
    return setTimeout(() => giveUp(failure('INVALID_PARAMS', message)), openBodyTimeoutMs).unref();
  }

  #add(added: PendingBody): void {
    const { pendingBodiesMax, pendingBodiesOfAddressMax } = this.#bounds;
    this.#pending.add(added);
    // Usual case: the total is within the limit of one address, so no address is parsed.
    if (this.#pending.size <= pendingBodiesOfAddressMax) return;
    const block = this.#blockOf(added);
    const ofBlock = block === null ? [] : [...this.#pending].filter((it) => this.#blockOf(it) === block);
    if (ofBlock.length > pendingBodiesOfAddressMax && this.#isSlow(ofBlock[0]!)) {
      const words = 'Too many requests from this address are incomplete.';
      this.#refuse(ofBlock[0]!, 'bodies-of-address', failure('RATE_LIMITED', words));
    } else if (this.#pending.size > pendingBodiesMax) {
      const [oldest] = this.#pending;
      const words = 'Too many requests are incomplete.';
      this.#refuse(oldest!, 'bodies', failure('SERVICE_UNAVAILABLE', words));
    }
  }

  #isSlow({ sinceMs }: PendingBody): boolean {
    return performance.now() - sinceMs >= this.#bounds.pendingBodyGraceMs;
  }

  #refuse(pending: PendingBody, bound: 'bodies' | 'bodies-of-address', error: Failure): void {
    this.#pending.delete(pending);
    this.#reached.note(bound, pending.block ?? pending.requestContext.clientAddress);
    pending.giveUp(error);
  }

  /** Null for a trusted proxy, which carries requests of many callers. */
  #blockOf(pending: PendingBody): string | null {
    if (pending.block === undefined) {
      const address = pending.requestContext.clientAddress;
      pending.block = this.#isProxy(address) ? null : addressBlock(address, 64);
    }
    return pending.block;
  }
}

/**
 * How much of a refused body is read and discarded before the connection is cut. Cutting at once would reset the
 * connection while the caller still writes, and the caller would not get the refusal.
 */
const discardedBytesMax = 16 * 1_048_576;

const jsonMediaType = /^application\/json\s*(?:;|$)/i;
/** JSON is UTF-8 (RFC 8259), so a charset parameter must be utf-8. Other parameters have no effect. */
const otherCharset = /;\s*charset\s*=(?!\s*(?:utf-?8|"utf-?8")\s*(?:;|$))/i;

/** Whether the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Refuses a body that is not `application/json`, not in UTF-8, or compressed: UNSUPPORTED_MEDIA_TYPE. */
export function requireJson(request: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (type === undefined || !jsonMediaType.test(type)) {
    throw failure('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.');
  }
  if (otherCharset.test(type)) {
    throw failure('UNSUPPORTED_MEDIA_TYPE', 'The charset of Content-Type must be utf-8 or left out.');
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw failure(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be absent: compressed bodies are not supported.',
    );
  }
}

/** Refuses a body without one of these media types, or a compressed one: UNSUPPORTED_MEDIA_TYPE. */
export function requireMediaType(request: IncomingMessage, mediaTypes: readonly string[]): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  if (!mediaTypes.includes(canonicalMediaType(type.split(';', 1)[0]!.trim().toLowerCase()))) {
    throw failure('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be one of ${mediaTypes.join(', ')}.`);
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw failure(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be absent: compressed bodies are not supported.',
    );
  }
}

/** The refusal of a body that is too large; `about` names a limit that the caller knows. */
export interface BodyTooLarge {
  readonly code: ErrorCode;
  readonly about: string;
}

/**
 * Reads at most `bytesMax`; otherwise fails with PAYLOAD_TOO_LARGE or `tooLarge`, without keeping more. `begun` gets a
 * function that aborts the wait for the body.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  refusal: BodyTooLarge | undefined,
  begun: (giveUp: (error: Error) => void) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => {
      const about = refusal === undefined ? '' : `; ${refusal.about}`;
      const message = `The body must not be larger than ${bytesMax.toLocaleString('en')} bytes${about}.`;
      reject(failure(refusal?.code ?? 'PAYLOAD_TOO_LARGE', message));
    };
    if (Number(request.headers['content-length']) > bytesMax) return tooLarge();
    // A caller that sent Expect waits for 100 Continue before it sends the body.
    if (request.headers.expect !== undefined) response.writeContinue();
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => {
      chunks.length = 0;
      request.off('data', keep);
    };
    const keep = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      stop();
      tooLarge();
    };
    request.on('data', keep);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
    begun((error) => {
      stop();
      reject(error);
    });
  });
}

/** Reads and discards the rest of a refused body, up to a limit. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || !hasBody(request)) return;
  let bytes = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) request.destroy();
  });
}

/** Parses JSON in UTF-8, with or without byte order mark; otherwise INVALID_JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw failure('INVALID_JSON', 'The body is empty; one JSON object was expected.');
  if (!isUtf8(bytes)) throw failure('INVALID_JSON', 'The body is not UTF-8.');
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    // The parser's message quotes the body, which may contain personal data.
    throw failure('INVALID_JSON', 'The body is not well-formed JSON.');
  }
}
