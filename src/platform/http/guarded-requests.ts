import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  addressesOf,
  type FetchNetwork,
  FetchRefused,
  guardedHeaders,
  headerBytesMax,
  lookupOf,
  permanent,
  readAddress,
  refusal,
  tooLarge,
  unreachable,
} from './guarded-fetch.ts';

/* Requests of a library to addresses that users have entered, under the rules of guarded-fetch.ts. */

export interface RequestBounds {
  readonly bytesMax: number;
  /** From the look-up to the last byte of the answer. */
  readonly totalMsMax: number;
}

/** The part of the standard `fetch` that libraries use. */
export type GuardedFetcher = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
) => Promise<Response>;

/**
 * A `fetch` for a library: each request goes to checked addresses only, without a proxy, cookies or kept connections. Any status
 * is an answer, also a redirect, which is not followed. Fails with FetchRefused.
 */
export function guardedFetcher(network: FetchNetwork, bounds: RequestBounds): GuardedFetcher {
  return async (address, { method, headers, body }) => {
    const url = readAddress(address);
    const sent = body === undefined || body === null ? undefined : String(body);
    const ending = AbortSignal.timeout(bounds.totalMsMax);
    const late = new Promise<never>((_, reject) => {
      ending.addEventListener('abort', () => reject(refusal('The host did not answer in time.')), {
        once: true,
      });
    });
    const asked = addressesOf(url, network).then((addresses) =>
      askOnce(url, addresses, { method, headers, sent }, bounds, ending),
    );
    // Whichever loses the race has been heard.
    for (const promise of [asked, late]) promise.catch(() => {});
    return Promise.race([asked, late]);
  };
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: string | undefined;
}

function askOnce(
  url: URL,
  addresses: readonly string[],
  { method, headers, sent }: Sent,
  { bytesMax }: RequestBounds,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent: false,
      method,
      headers: {
        ...guardedHeaders,
        ...headers,
        ...(sent !== undefined && { 'content-length': Buffer.byteLength(sent) }),
      },
      lookup: lookupOf(addresses),
      maxHeaderSize: headerBytesMax,
      signal,
    });
    const fail = (error: Error): void => {
      reject(error);
      request.destroy();
    };
    request.on('error', (error) => fail(error instanceof FetchRefused ? error : refusal(unreachable)));
    request.on('response', (response) => collect(response, bytesMax, resolve, fail));
    request.end(sent);
  });
}

/** Reads the whole answer; keeps no byte beyond the limit. */
function collect(
  response: IncomingMessage,
  bytesMax: number,
  resolve: (answer: Response) => void,
  fail: (error: Error) => void,
): void {
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    fail(permanent('The host sent a compressed reply without being asked.'));
    return;
  }
  const chunks: Buffer[] = [];
  let count = 0;
  response.on('data', (chunk: Buffer) => {
    count += chunk.length;
    if (count > bytesMax) fail(tooLarge(bytesMax));
    else chunks.push(chunk);
  });
  response.on('end', () => {
    if (!response.complete) fail(refusal(unreachable));
    else resolve(answerOf(response, Buffer.concat(chunks)));
  });
  response.on('error', () => fail(refusal(unreachable)));
}

function answerOf({ statusCode, headers }: IncomingMessage, body: Buffer): Response {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const status = statusCode ?? 502;
  const hasBody = body.length > 0 && ![204, 205, 304].includes(status);
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers: given });
}
