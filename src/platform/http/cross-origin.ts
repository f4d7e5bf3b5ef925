import type { IncomingMessage } from 'node:http';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';

/*
 * Cross-origin requests of web pages (CORS), for publishable keys alone (D67). A reply is readable for a page only after
 * its key and origin were checked. A preflight names no key, so its answer is the same for every origin: it says which
 * methods and headers a page may send at all. X-Consumer-Key is not among them: no page can send a secret key.
 */

const headersOfAll = [
  ...['Content-Type', 'Idempotency-Key', 'If-None-Match'],
  ...['Sandbox-Fault', 'X-Client-Key', 'X-Request-Id'],
] as const;
/** Two hours: browsers keep no answer for longer. */
const preflightSeconds = 7_200;

/** Whether a request asks in advance for one of these methods. */
export function isPreflight({ headers }: IncomingMessage, methods: readonly string[]): boolean {
  const { origin, 'access-control-request-method': asked } = headers;
  return origin !== undefined && asked !== undefined && methods.includes(asked);
}

/** The headers that a page may send: those of all operations, and those that operations declare. */
export function sentHeaders(endpoints: readonly Pick<Endpoint, 'headers'>[]): readonly string[] {
  const declared = endpoints.flatMap(({ headers = [] }) => headers.map(({ name }) => name));
  return [...new Set([...headersOfAll, ...declared])].sort();
}

/** Answers a preflight. */
export function answerPreflight(
  requestContext: RequestContext,
  methods: readonly string[],
  headers: readonly string[],
): void {
  Object.assign(requestContext.headers, {
    'access-control-allow-origin': requestContext.request.headers.origin!,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': headers.join(', '),
    'access-control-max-age': preflightSeconds,
    vary: 'Origin',
  });
  requestContext.sendEmpty(204);
}
