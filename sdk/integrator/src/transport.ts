import { type Answer, type ClientOptions, keyHeaders, type RequestOptions } from './client-options.ts';
import { CommerceError, errorOf, parsed } from './commerce-error.ts';
import { operations } from './operations.ts';
import { failureOfPage } from './page-failure.ts';
import { freshKey } from './request-key.ts';

/** Sends a request, again where that is safe. `path` is complete. */
export type Send = (method: string, path: string, sent: RequestOptions) => Promise<Answer<unknown>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isOfMenu?: boolean;
  readonly isDoneEachTime?: boolean;
}

const known: readonly Operation[] = Object.values(operations);
const menuPaths = new Set(known.filter(({ isOfMenu }) => isOfMenu).map(({ path }) => path));
/** Writes that no key makes safe to send again. */
const doneEachTime = new Set(known.filter((it) => it.isDoneEachTime).map(({ path }) => path));

/** Answers that another try may turn into a success. */
const passing = new Set([429, 502, 503, 504]);
const firstPauseMs = 250;
const pauseMsMax = 30_000;

/**
 * Makes the sender of a client. Requests are sent again when the service cannot be reached, does not answer in time, is
 * overloaded or asks to wait (429, 502, 503, 504), after the time that `Retry-After` says, else after a growing pause. Writes
 * have the same key then, so they are done once.
 */
export function createSend(options: ClientOptions): Send {
  const { retries = 5, waitMsMax = 60_000 } = options;

  return async (method, path, sent) => {
    const once = doneEachTime.has(path);
    for (let tries = 0; ; tries += 1) {
      try {
        return await sendOnce(options, method, path, sent);
      } catch (error) {
        if (!(error instanceof CommerceError) || tries >= retries) throw error;
        if (!(once ? isUndone(error) : isPassing(error))) throw error;
        if ((error.retryAfterMs ?? 0) > waitMsMax) throw error;
        await pause(error.retryAfterMs ?? pauseMs(tries), sent.signal);
      }
    }
  };
}

async function sendOnce(
  options: ClientOptions,
  method: string,
  path: string,
  sent: RequestOptions,
): Promise<Answer<unknown>> {
  const { fetch = globalThis.fetch } = options;
  const requestId = freshKey();
  const { idempotencyKey } = sent;
  const facts = { requestId, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  sent.signal?.throwIfAborted();
  const end = new AbortController();
  const abandon = () => end.abort();
  const waitMs = Number(sent.query?.wait ?? 0) * 1_000;
  const timer = setTimeout(abandon, (sent.timeoutMs ?? options.timeoutMs ?? 30_000) + waitMs);
  sent.signal?.addEventListener('abort', abandon);
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(options, path, sent), {
      method,
      headers: { ...keyHeaders(options), 'x-request-id': requestId, ...headersOf(sent) },
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
      signal: end.signal,
    });
    text = await response.text();
  } catch (cause) {
    if (sent.signal?.aborted) throw sent.signal.reason;
    if (end.signal.aborted) {
      throw new CommerceError('The service did not answer in time.', { ...facts, code: 'TIMED_OUT', cause });
    }
    throw (
      (await failureOfPage(options, { ...facts, cause })) ??
      new CommerceError('The service cannot be reached.', { ...facts, code: 'NO_CONNECTION', cause })
    );
  } finally {
    clearTimeout(timer);
    sent.signal?.removeEventListener('abort', abandon);
  }
  if (!response.ok) throw errorOf(response, text, facts, Date.now());
  return answerOf(response, text, facts);
}

function urlOf(
  { baseUrl, menuUrl = baseUrl }: ClientOptions,
  path: string,
  { query = {} }: RequestOptions,
): URL {
  const url = new URL((menuPaths.has(path) ? menuUrl : baseUrl).replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function headersOf({
  body,
  idempotencyKey,
  orderToken,
  customerToken,
}: RequestOptions): Record<string, string> {
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(orderToken !== undefined && { 'x-order-token': orderToken }),
    ...(customerToken !== undefined && { 'x-customer-token': customerToken }),
  };
}

function answerOf(
  { status, headers }: Response,
  text: string,
  facts: { readonly requestId: string; readonly idempotencyKey?: string },
): Answer<unknown> {
  const about = {
    requestId: headers.get('x-request-id') ?? facts.requestId,
    isReplay: headers.get('idempotent-replayed') === 'true',
  };
  if (status === 204) return { data: null, meta: {}, ...about };
  const reply = parsed(text) as Partial<Answer> | null;
  if (reply === null || typeof reply !== 'object' || !('data' in reply)) {
    const parts = { ...facts, code: 'UNEXPECTED_REPLY', status };
    throw new CommerceError("The answer is not the service's.", parts);
  }
  return { data: reply.data, meta: reply.meta ?? {}, ...about };
}

function isPassing(error: CommerceError): boolean {
  const { code, status } = error;
  return (
    code === 'NO_CONNECTION' ||
    code === 'TIMED_OUT' ||
    code === 'TRANSACTION_RETRY_EXCEEDED' ||
    passing.has(status)
  );
}

/** Whether the service itself says that it has done nothing. */
function isUndone({ code, status }: CommerceError): boolean {
  return code !== 'UNEXPECTED_REPLY' && (status === 429 || status === 503);
}

/** Doubles with each try, less a random part, so that many clients do not come back together. */
function pauseMs(tries: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Waits; ends with the signal's reason when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
