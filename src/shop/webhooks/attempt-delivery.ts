import { isoTimestamp } from '../../kernel/local-time.ts';
import { traced } from '../../kernel/tracing.ts';
import { FetchRefused, type PostConnections } from '../../platform/http/guarded-fetch.ts';
import { isWanted } from '../changes/changes.ts';
import { codeEventType } from './code-endpoints.ts';
import type { Message } from './delivery-message.ts';
import { nextAttemptMs } from './delivery-schedule.ts';
import type { ServedEndpoint } from './served-endpoint.ts';
import { testEventType } from './test-event.ts';
import { signedHeaders } from './webhook-secrets.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

const attemptMsMax = 15_000;
const answerBytesMax = 1_024;

/** The result of an attempt, as it is recorded. */
export interface Outcome {
  readonly attempts: number;
  /** Null: delivered, or given up. */
  readonly nextAttemptAt: string | null;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  /** Null: it was not sent. */
  readonly ms: number | null;
  readonly deliveredAt: string | null;
}

/** Sends a message once. Null: the process is stopping; the endpoint may have got it or not. */
export async function attemptDelivery(
  { context, logger, attemptMsMax: totalMsMax = attemptMsMax }: WebhookWorkerOptions,
  connections: PostConnections,
  stopping: AbortSignal,
  endpoint: ServedEndpoint,
  {
    type,
    integrator_id,
    messageId,
    body,
    endsAtMs,
    attempts,
    traceparent,
  }: Message & { readonly attempts: number },
): Promise<Outcome | null> {
  const { clock } = context;
  const startedMs = performance.now();
  const ended = (status: number | null, error: string | null, answer: string | null): Outcome => {
    const nowMs = clock.now();
    const at = isoTimestamp(nowMs);
    const isDelivered = status !== null && status >= 200 && status < 300;
    const nextMs = isDelivered ? null : nextAttemptMs(attempts + 1, nowMs);
    // At its end it is looked at once more, and goes.
    const nextOrEndMs = nextMs === null ? null : Math.min(nextMs, endsAtMs ?? nextMs);
    return {
      attempts: attempts + 1,
      nextAttemptAt: nextOrEndMs === null ? null : isoTimestamp(nextOrEndMs),
      at,
      status,
      error,
      answer,
      ms: Math.round(performance.now() - startedMs),
      deliveredAt: isDelivered ? at : null,
    };
  };
  const notSent = (error: string): Outcome => {
    return { ...ended(null, error, null), attempts, nextAttemptAt: null, ms: null };
  };
  const isCode = type === codeEventType;
  if (body === null) {
    return notSent(isCode ? 'The code has ended before it could be sent.' : 'The event is no longer kept.');
  }
  if (!isCode && type !== testEventType && !isWanted({ type, integrator_id }, endpoint, undefined)) {
    return notSent('The key may not read this event any more.');
  }
  try {
    const signed = signedHeaders(endpoint.secrets, messageId, clock.now(), body);
    const bounds = { answerBytesMax, totalMsMax };
    const attributes = { 'dispensary.webhook_endpoint_id': endpoint.id, 'dispensary.event': type };
    const sent = { name: 'webhook', kind: 'client', attributes, parent: traceparent } as const;
    const { status, beginning } = await traced(sent, async (span) => {
      const headers = { ...signed, ...(span?.traceparent && { traceparent: span.traceparent }) };
      const reply = await connections.post(endpoint.url, { headers, body }, bounds);
      span?.set({ 'http.response.status_code': reply.status });
      return reply;
    });
    // The answer may repeat the code.
    const answer = isCode ? null : beginning.toString('utf8').replaceAll('\0', '\uFFFD');
    return ended(status, null, answer);
  } catch (error) {
    if (stopping.aborted) return null;
    if (error instanceof FetchRefused) return ended(null, error.message, null);
    logger.error({ err: error, endpointId: endpoint.id }, 'a webhook could not be sent');
    return ended(null, 'The attempt failed.', null);
  }
}
