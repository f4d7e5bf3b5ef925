import { CommerceError, errorOf, parsed } from './commerce-error.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://shop.example.com`. */
  readonly baseUrl: string;
  /** The address of the menu operations; by default `baseUrl`. */
  readonly menuUrl?: string;
  readonly consumerKey: string;
  readonly clientKey: string;
  /** Milliseconds until a request without an answer is given up; a `wait` comes on top. By default 30 seconds. */
  readonly timeoutMs?: number;
  /** How often a request that failed on the way is sent again. By default 5 times. */
  readonly retries?: number;
  /** Sends requests; by default the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The key of a write; by default a new one. The same write with the same key is done once. */
  readonly idempotencyKey?: string;
}

/** What the service answers: the payload, and what stands beside it. */
export interface Answer<Data = unknown> {
  readonly data: Data;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A client of the API: sends requests again where that is safe, and throws `CommerceError` for refusals. */
export interface CommerceClient {
  /** Reads. `path` is that of the reference: `/api/v1/orders`. */
  get<Data>(path: string, options?: Omit<RequestOptions, 'body' | 'idempotencyKey'>): Promise<Answer<Data>>;
  /** Writes, with an `Idempotency-Key` (D63), so that a write that is sent again is done once. */
  send<Data>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: RequestOptions,
  ): Promise<Answer<Data>>;
  /** All records of a list with pages (`startingAfter`), one by one. */
  list<Row extends { readonly id: string | number }>(
    path: string,
    options?: Omit<RequestOptions, 'body' | 'idempotencyKey'>,
  ): AsyncGenerator<Row, void, undefined>;
}

/** Answers that another try may turn into a success. */
const passing = new Set([429, 502, 503, 504]);
const firstPauseMs = 250;
const pauseMsMax = 30_000;
const menuPaths = ['/api/v1/menu', '/api/v1/products/all', '/api/v1/products/tags'];

/**
 * Creates a client. Reads, and writes with their key, are sent again when the service cannot be reached, does not answer in
 * time, is overloaded or asks to wait (429, 502, 503, 504), after the time that `Retry-After` says, else after a growing pause.
 */
export function createClient(options: ClientOptions): CommerceClient {
  const { consumerKey, clientKey, timeoutMs = 30_000, retries = 5, fetch = globalThis.fetch } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const menuUrl = (options.menuUrl ?? options.baseUrl).replace(/\/+$/, '');

  async function once(method: string, path: string, sent: RequestOptions): Promise<Answer<unknown>> {
    const url = new URL((menuPaths.includes(path) ? menuUrl : baseUrl) + path);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const requestId = freshKey();
    const waitMs = Number(sent.query?.wait ?? 0) * 1_000;
    sent.signal?.throwIfAborted();
    const end = new AbortController();
    const abandon = () => end.abort();
    const timer = setTimeout(abandon, timeoutMs + waitMs);
    sent.signal?.addEventListener('abort', abandon);
    const headers: Record<string, string> = {
      'x-consumer-key': consumerKey,
      'x-client-key': clientKey,
      'x-request-id': requestId,
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
      ...(sent.idempotencyKey !== undefined && { 'idempotency-key': sent.idempotencyKey }),
    };
    let response: Response;
    let text: string;
    try {
      const body = sent.body === undefined ? null : JSON.stringify(sent.body);
      response = await fetch(url, { method, headers, body, signal: end.signal });
      text = await response.text();
    } catch (cause) {
      if (sent.signal?.aborted) throw sent.signal.reason;
      throw end.signal.aborted
        ? new CommerceError('The service did not answer in time.', { code: 'TIMED_OUT', requestId, cause })
        : new CommerceError('The service cannot be reached.', { code: 'NO_CONNECTION', requestId, cause });
    } finally {
      clearTimeout(timer);
      sent.signal?.removeEventListener('abort', abandon);
    }
    if (!response.ok) throw errorOf(response, text, requestId, Date.now());
    if (response.status === 204) return { data: null, meta: {} };
    const reply = parsed(text) as Partial<Answer> | null;
    if (reply === null || typeof reply !== 'object' || !('data' in reply)) {
      throw new CommerceError("The answer is not the service's.", {
        code: 'UNEXPECTED_REPLY',
        status: response.status,
        requestId,
      });
    }
    return { data: reply.data, meta: reply.meta ?? {} };
  }

  async function request(method: string, path: string, sent: RequestOptions): Promise<Answer<unknown>> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(method, path, sent);
      } catch (error) {
        if (!(error instanceof CommerceError) || !isPassing(error) || tries >= retries) throw error;
        await pause(error.retryAfterMs ?? pauseMs(tries), sent.signal);
      }
    }
  }

  return {
    get: <Data>(path: string, sent: RequestOptions = {}) =>
      request('GET', path, sent) as Promise<Answer<Data>>,
    send: <Data>(method: string, path: string, sent: RequestOptions = {}) =>
      request(method, path, { ...sent, idempotencyKey: sent.idempotencyKey ?? freshKey() }) as Promise<
        Answer<Data>
      >,
    list: (path, sent) => pagesOf(request, path, sent),
  };
}

/** All records of a list, page by page. */
async function* pagesOf<Row extends { readonly id: string | number }>(
  request: (method: string, path: string, sent: RequestOptions) => Promise<Answer<unknown>>,
  path: string,
  sent: RequestOptions = {},
): AsyncGenerator<Row, void, undefined> {
  for (let startingAfter: string | number | undefined; ; ) {
    const query = { ...sent.query, startingAfter };
    const { data } = (await request('GET', path, { ...sent, query })) as Answer<Row[]>;
    yield* data;
    const last = data.at(-1);
    if (last === undefined) return;
    startingAfter = last.id;
  }
}

function isPassing({ code, status }: CommerceError): boolean {
  return code === 'NO_CONNECTION' || code === 'TIMED_OUT' || passing.has(status);
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

/** A UUID v4, also on pages without HTTPS, where browsers have no `crypto.randomUUID`. */
function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
