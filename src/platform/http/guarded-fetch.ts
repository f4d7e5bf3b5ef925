import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Dispatcher, Pool } from 'undici';
import { isPublicAddress } from './public-address.ts';

export { isPublicAddress };

/*
 * The only way in which this program requests addresses that users have entered. The host behind such an address is
 * untrusted and can change. So whenever a connection is opened, its host's name is resolved here, the addresses are checked, and
 * it goes to exactly these addresses. The request does not identify the caller, and no part of the reply is trusted. The client
 * is undici, without its proxies, redirects and decompression; it is loaded with the first request.
 */

/** The target of a hop. */
interface FetchTarget {
  /** As in the address, in lower case, without the brackets of IPv6. */
  readonly hostname: string;
  /** An IP address that it resolves to. */
  readonly address: string;
  readonly port: number;
}

export interface FetchBounds {
  readonly bytesMax: number;
  readonly redirectsMax: number;
  /** From the first look-up to the last byte, redirects included. */
  readonly totalMsMax: number;
  /** The longest time without a byte from the host. */
  readonly silenceMsMax: number;
}

/** Tests replace the network with this. */
export interface FetchNetwork {
  /** Resolves the addresses of a name. */
  resolve(hostname: string): Promise<readonly string[]>;
  isAllowed(target: FetchTarget): boolean;
}

/** Why the fetch failed. The text contains no part of the address or the reply, so it may be shown. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
  /** Whether a retry would fail in the same way. */
  readonly isLasting: boolean;

  constructor(message: string, { isLasting }: { readonly isLasting: boolean }) {
    super(message);
    this.isLasting = isLasting;
  }
}

/** What each request says of its sender. */
const guardedHeaders = {
  accept: '*/*',
  // Compressed data could expand a thousandfold: it is neither requested nor accepted.
  'accept-encoding': 'identity',
  'user-agent': 'dispensary-commerce',
};
const headerBytesMax = 16_384;
const connectMsMax = 10_000;
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const realNetwork: FetchNetwork = {
  resolve: async (hostname) => (await resolveName(hostname, { all: true })).map(({ address }) => address),
  isAllowed: ({ address, port }) => isPublicAddress(address) && Object.values(defaultPorts).includes(port),
};

/** The network of a service whose operator also allows some own hosts: `name` on any port, or `name:port`. */
export function networkWith(ownHosts: readonly string[]): FetchNetwork {
  const own = new Set(ownHosts);
  return {
    ...realNetwork,
    isAllowed: (target) =>
      own.has(target.hostname) ||
      own.has(`${target.hostname}:${target.port}`) ||
      realNetwork.isAllowed(target),
  };
}

/**
 * Fetches the bytes of an http or https address that answers with 200. Fails with FetchRefused; when `signal` aborts,
 * with its reason.
 */
export async function guardedFetch(
  address: string,
  bounds: FetchBounds,
  signal: AbortSignal,
  network: FetchNetwork = realNetwork,
): Promise<Buffer> {
  const deadline = AbortSignal.timeout(bounds.totalMsMax);
  const ending = AbortSignal.any([signal, deadline]);
  try {
    let url = readAddress(address);
    for (let hop = 0; hop <= bounds.redirectsMax; hop++) {
      const next = await onOwnConnection(url, network, bounds.silenceMsMax, async (pool) => {
        const answer = await send(pool, url, { method: 'GET' }, ending);
        return redirectOf(url, answer) ?? (await fileOf(answer, bounds.bytesMax));
      });
      if (Buffer.isBuffer(next)) return next;
      url = next;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw refusal('The transfer took too long.');
    throw error;
  }
  throw permanent(`The host redirects more than ${bounds.redirectsMax} times.`);
}

function redirectOf(url: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | null {
  const { location } = headers;
  return redirects.has(statusCode) && typeof location === 'string' ? readAddress(location, url) : null;
}

async function fileOf(answer: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  if (answer.statusCode !== 200) throw refusal(`The host answered with status ${answer.statusCode}.`);
  return wholeBody(answer, bytesMax);
}

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
    const sent = { method, headers, ...(body !== undefined && body !== null && { body: String(body) }) };
    const ending = AbortSignal.timeout(bounds.totalMsMax);
    try {
      return await onOwnConnection(url, network, bounds.totalMsMax, async (pool) => {
        const answer = await send(pool, url, sent, ending);
        return responseOf(answer, await wholeBody(answer, bounds.bytesMax));
      });
    } catch (error) {
      throw ending.aborted ? tooLate() : error;
    }
  };
}

function responseOf({ statusCode, headers }: Dispatcher.ResponseData, body: Buffer): Response {
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const hasBody = body.length > 0 && ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? new Uint8Array(body) : null, { status: statusCode, headers: given });
}

interface PostBounds {
  /** More of the answer is not read. */
  readonly answerBytesMax: number;
  /** From the look-up to the end of the answer. */
  readonly totalMsMax: number;
}

/** Any status is an answer, also that of a redirect, which is not followed. */
interface PostAnswer {
  readonly status: number;
  readonly beginning: Buffer;
}

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Hosts whose connections are kept. */
export const hostsKept = 1_000;
/** A host that sends nothing more closes its connections after some seconds, too. */
const idleMs = 4_000;

/**
 * Posts to http and https addresses, over connections that stay open for a while. The name is resolved and its addresses
 * are checked whenever a connection is opened; a kept one leads to an address that was checked.
 */
export class PostConnections {
  readonly #network: FetchNetwork;
  readonly #pools = new LRUCache<string, Promise<Pool>>({
    max: hostsKept,
    dispose: (pool) => void pool.then((it) => it.close()).catch(() => {}),
  });
  readonly #closing = new AbortController();

  constructor(network: FetchNetwork = realNetwork) {
    this.#network = network;
  }

  /** Fails with FetchRefused; when the connections are closed, with another error. */
  async post(address: string, post: Post, bounds: PostBounds): Promise<PostAnswer> {
    const url = readAddress(address);
    const pool = await this.#poolOf(url);
    this.#closing.signal.throwIfAborted();
    const ending = AbortSignal.timeout(bounds.totalMsMax);
    const isKept = pool.stats.free > 0;
    try {
      try {
        return await postOn(pool, url, post, bounds, ending);
      } catch (error) {
        if (!isKept || ending.aborted || this.#closing.signal.aborted) throw error;
        // The host may have closed the kept connection at the same moment.
        return await onOwnConnection(url, this.#network, bounds.totalMsMax, (own) =>
          postOn(own, url, post, bounds, ending),
        );
      }
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      throw ending.aborted ? tooLate() : error;
    }
  }

  /** Ends posts that are under way. */
  close(): void {
    this.#closing.abort(new Error('the connections are closed'));
    for (const pool of this.#pools.values()) pool.then((it) => it.destroy()).catch(() => {});
  }

  #poolOf(url: URL): Promise<Pool> {
    let pool = this.#pools.get(url.origin);
    if (pool === undefined) {
      pool = openPool(url, this.#network, null);
      this.#pools.set(url.origin, pool);
    }
    return pool;
  }
}

async function postOn(
  pool: Pool,
  url: URL,
  { headers, body }: Post,
  { answerBytesMax }: PostBounds,
  ending: AbortSignal,
): Promise<PostAnswer> {
  const answer = await send(pool, url, { method: 'POST', headers, body }, ending);
  const chunks: Buffer[] = [];
  let count = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      count += chunk.length;
      if (count >= answerBytesMax) break;
    }
  } catch (error) {
    // The status counts, also when the rest of the answer breaks off.
    if (ending.aborted) throw error;
  }
  return { status: answer.statusCode, beginning: Buffer.concat(chunks).subarray(0, answerBytesMax) };
}

export interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Uses connections to the host of `url` that no other request shares, and closes them. */
async function onOwnConnection<Value>(
  url: URL,
  network: FetchNetwork,
  silenceMsMax: number,
  use: (pool: Pool) => Promise<Value>,
): Promise<Value> {
  const pool = await openPool(url, network, silenceMsMax);
  try {
    return await use(pool);
  } finally {
    pool.destroy().catch(() => {});
  }
}

/**
 * Connections to the host of `url`. Each is opened to addresses that were checked at that time, regardless of later answers of DNS.
 * `silenceMsMax`: the longest time without a byte from the host; null: connections are kept instead, for more requests.
 */
export async function openPool(url: URL, network: FetchNetwork, silenceMsMax: number | null): Promise<Pool> {
  const { buildConnector, Pool } = await import('undici');
  let checked: { address: string; family: number }[] = [];
  const open = buildConnector({
    timeout: silenceMsMax ?? connectMsMax,
    lookup: (_, { all }, done) => {
      if (all) done(null, checked);
      else done(null, checked[0]!.address, checked[0]!.family);
    },
  });
  const connect: typeof open = (target, done) => {
    addressesOf(url, network).then(
      (addresses) => {
        checked = addresses.map((address) => ({ address, family: isIP(address) }));
        const socket = open(target, done) as unknown as Socket;
        if (silenceMsMax === null) return;
        socket.setTimeout(silenceMsMax, () => {
          socket.destroy(refusal('The host sent nothing for too long.'));
        });
      },
      (error) => done(error, null),
    );
  };
  return new Pool(url.origin, {
    connect,
    maxHeaderSize: headerBytesMax,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    pipelining: silenceMsMax === null ? 1 : 0,
  });
}

/** The answer's head; the caller reads the body. Fails with FetchRefused; when `signal` aborts, with its reason. */
export async function send(
  pool: Pool,
  { pathname, search }: URL,
  { method, headers, body }: Sent,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const sent = { ...guardedHeaders, ...headers };
  const path = `${pathname}${search}`;
  try {
    return await until(
      signal,
      pool.request({
        method: method as Dispatcher.HttpMethod,
        path,
        headers: sent,
        body: body ?? null,
        signal,
      }),
    );
  } catch (error) {
    throw signal.aborted ? signal.reason : refusalOf(error);
  }
}

/** Keeps no byte beyond the limit. */
export async function wholeBody(
  { headers, body }: Dispatcher.ResponseData,
  bytesMax: number,
): Promise<Buffer> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw permanent('The host sent a compressed reply without being asked.');
  }
  const tooLarge = () => permanent(`The file is larger than ${bytesMax.toLocaleString('en')} bytes.`);
  if (Number(headers['content-length']) > bytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let count = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      count += chunk.length;
      if (count > bytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw refusalOf(error);
  }
  return Buffer.concat(chunks);
}

/** The causes contain addresses and certificates, which the author of the address must not see. */
function refusalOf(error: unknown): FetchRefused {
  if (error instanceof FetchRefused) return error;
  return refusal('The host could not be reached, or the connection broke.');
}

/** A failure that may pass. */
function refusal(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: false });
}

/** A failure that stays. */
function permanent(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: true });
}

/** The host did not answer in the time that the caller gave it. */
export function tooLate(): FetchRefused {
  return refusal('The host did not answer in time.');
}

/** The URL parser normalizes other spellings of IPv4 (decimal, octal, shortened). */
export function readAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw permanent('The address is not a valid URL.');
  const url = new URL(text, base);
  if (defaultPorts[url.protocol] === undefined) throw permanent('Only http and https addresses are fetched.');
  if (url.username !== '' || url.password !== '') {
    throw permanent('An address with a user name or password is not fetched.');
  }
  return url;
}

/** The addresses of the host, if all of them are allowed. */
async function addressesOf(url: URL, { resolve, isAllowed }: FetchNetwork): Promise<readonly string[]> {
  // Without the brackets of IPv6.
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  } catch {
    throw refusal('The host name could not be resolved.');
  }
  if (addresses.length === 0) throw refusal('The host name could not be resolved.');
  const port = url.port === '' ? defaultPorts[url.protocol]! : Number(url.port);
  if (!addresses.every((address) => isAllowed({ hostname, address, port }))) {
    throw permanent('The address is not public, or its port is not a standard web port.');
  }
  return addresses;
}

/** A connection that is being opened, or its name resolved, cannot be canceled; the caller stops waiting for it. */
function until<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
