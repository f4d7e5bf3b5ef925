import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../kernel/error-catalogue.ts';
import { failure } from '../../kernel/failure.ts';
import { canonicalMediaType } from './body-normalizer.ts';

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
