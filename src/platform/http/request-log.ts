import type { Logger } from 'pino';
import type { FinishedRequest } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from './metrics.ts';

/** The log line of a request. It contains no text of the caller except a valid request id. */
export function logRequest(
  exchange: Exchange,
  {
    logger,
    metrics,
    onFinished,
  }: {
    readonly logger: Logger;
    readonly metrics: Pick<Metrics, 'requestDurations'>;
    readonly onFinished?: (request: FinishedRequest) => void;
  },
): void {
  const { request, response, routeId, requestId, caller, staff, errorCode, errorMessage, refusedKey } =
    exchange;
  const ms = (exchange.streamingSinceMs ?? performance.now()) - exchange.startedAtMs - exchange.pausedMs;
  // 499: the caller disconnected before the reply; used in logs and metrics, never sent.
  const status = response.headersSent ? response.statusCode : 499;
  metrics.requestDurations.observe(routeId, status, ms / 1000);
  exchange.span?.set({
    'http.response.status_code': status,
    'dispensary.organization_id': (caller ?? staff)?.organizationId,
  });
  exchange.span?.end(status >= 500 ? (errorCode ?? String(status)) : undefined);
  if (logger.isLevelEnabled('info')) {
    logger.info(
      {
        method: request.method,
        route: routeId,
        status,
        ms: Math.round(ms * 10) / 10,
        requestId,
        organizationId: (caller ?? staff)?.organizationId,
        clientKeyId: caller?.clientKeyId,
        staffId: staff?.staffId,
        traceId: exchange.span?.traceparent?.split('-')[1],
        ...((refusedKey || errorCode === 'INVALID_API_CREDENTIALS') && refusedKeyOf(exchange)),
      },
      'request',
    );
  }
  const key = caller ?? refusedKey;
  if (key && onFinished) {
    const { method = '', url = '' } = request;
    onFinished({
      caller: key,
      method,
      routeId,
      url,
      status,
      errorCode,
      ms,
      requestId,
      message: errorMessage,
      keyProblem: caller ? undefined : refusedKey?.problem,
    });
  }
}

const keyStart = /^dc[kp]_(?:live|test)_\w{4}/;

/** What the operator sees of a client key that was refused: its start, and why if the key exists. Never its text. */
function refusedKeyOf({ request: { headers }, refusedKey }: Exchange): object {
  const [keyPrefix] = keyStart.exec(String(headers['x-client-key'] ?? '')) ?? [];
  return {
    ...(keyPrefix !== undefined && { keyPrefix }),
    ...(refusedKey && { keyProblem: refusedKey.problem }),
  };
}
