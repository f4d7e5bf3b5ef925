import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { failure } from '../../kernel/failure.ts';
import { errorReply } from './error-replies.ts';
import { inFlightCountMax } from './overload.ts';
import { newRequestId, sendInstantReplies } from './request-context.ts';

/** Limits for slow or hostile connections. */
export const connectionBounds = {
  headersTimeoutMs: 10_000,
  /** For headers and body: 1 MB at 140 kbit/s. */
  requestTimeoutMs: 60_000,
  /** Longer than the 60 s after which load balancers usually close idle connections, so that they close first. */
  silenceTimeoutMs: 72_000,
  checkPeriodMs: 2_000,
  headerBytesMax: 16_384,
  countMax: 8_192,
  /** Enough for a chain's stores behind one address, and for the connection pools of an integrator's servers. */
  countOfAddressMax: 512,
  /** Each can hold a body of a megabyte. */
  pendingBodiesMax: 1_000,
  pendingBodiesOfAddressMax: 128,
  pendingBodyGraceMs: 1_000,
  openBodyTimeoutMs: 5_000,
  inFlightCountMax,
};

export type ConnectionLimits = typeof connectionBounds;

/** Creates Node's HTTP server with these limits. `handle` gets every well-formed request. */
export function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  logger: Logger,
  bounds: ConnectionLimits,
): Server {
  const server = createHttpServer(
    {
      requestTimeout: bounds.requestTimeoutMs,
      // OpenConnections closes idle connections.
      keepAliveTimeout: 0,
      headersTimeout: bounds.headersTimeoutMs,
      connectionsCheckingInterval: bounds.checkPeriodMs,
      maxHeaderSize: bounds.headerBytesMax,
      // A request without it gets our error reply instead of Node's empty 400.
      requireHostHeader: false,
    },
    handle,
  );
  // OpenConnections makes room first; this limit applies when connections arrive faster than it closes others.
  server.maxConnections = bounds.countMax + 1_024;
  server.on('clientError', (error, socket) => answerMalformed(error, socket as Socket, logger));
  // The code that reads the body sends 100 Continue: after the keys, and only if the body is not too large.
  server.on('checkContinue', handle);
  // Other expectations are ignored, as RFC 9110 allows; Node's 417 has no body.
  server.on('checkExpectation', handle);
  return server;
}

/**
 * Handles invalid HTTP, headers that are too large, and requests that take too long: answers 400 and cuts the
 * connection. A connection that has sent nothing gets no reply: browsers connect ahead, and would take it for the
 * answer to their next request.
 */
function answerMalformed(error: Error & { code?: string }, socket: Socket, logger: Logger): void {
  // Earlier requests on the same connection are answered first.
  sendInstantReplies();
  // Node's internal field shows whether a reply has started on this connection.
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0 || !socket.writable || reply?.headersSent) {
    socket.destroy();
    return;
  }
  const { text } = errorReply(
    failure(
      'INVALID_PARAMS',
      'The request must be well-formed HTTP, with headers of at most 16,384 bytes, sent in time.',
    ),
  );
  const requestId = newRequestId();
  logger.info({ status: 400, requestId, reason: error.code }, 'request unreadable');
  const head = [
    'HTTP/1.1 400 Bad Request',
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
