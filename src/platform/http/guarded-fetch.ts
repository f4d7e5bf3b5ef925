import { lookup as resolveName } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { LRUCache } from 'lru-cache';
import { isPublicAddress } from './public-address.ts';

export { isPublicAddress };

/*
 * The only way in which this program requests addresses that users have entered. The host behind such an address is
 * untrusted and can change. So each hop's name is resolved here, its addresses are checked, and the connection goes to
 * exactly these addresses. The request does not identify the caller, and no part of the reply is trusted.
 */

/** The target of a hop. */
export interface FetchTarget {
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
export const guardedHeaders = {
  accept: '*/*',
  // Compressed data could expand a thousandfold: it is neither requested nor accepted.
  'accept-encoding': 'identity',
  'user-agent': 'dispensary-commerce',
};
export const headerBytesMax = 16_384;
export const unreachable = 'The host could not be reached, or the connection broke.';
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

const realNetwork: FetchNetwork = {
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
  surroundings: FetchNetwork = realNetwork,
): Promise<Buffer> {
  const deadline = AbortSignal.timeout(bounds.totalMsMax);
  const ending = AbortSignal.any([signal, deadline]);
  try {
    let url = readAddress(address);
    for (let hop = 0; hop <= bounds.redirectsMax; hop++) {
      const addresses = await until(ending, addressesOf(url, surroundings));
      const next = await askOnce(url, addresses, bounds, ending);
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

export interface PostBounds {
  /** More of the answer is not read. */
  readonly answerBytesMax: number;
  /** From the look-up to the end of the answer. */
  readonly totalMsMax: number;
}

/** Any status is an answer, also that of a redirect, which is not followed. */
export interface PostAnswer {
  readonly status: number;
  readonly beginning: Buffer;
}

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An address that is posted to, read once. */
interface PostTarget {
  readonly url: URL;
  readonly isAddress: boolean;
  /** What `node:http` makes of the URL for each request. */
  readonly options: ReturnType<typeof urlToHttpOptions>;
  readonly lookup: LookupFunction;
}

const targetsKept = 1_000;

/** A host that sends nothing more closes its connections after some seconds, too. */
const idleMs = 4_000;
/** Unused connections that are kept to one host. */
const idleMax = 8;

/**
 * Posts to http and https addresses, over connections that stay open for a while. The name is resolved and its addresses
 * are checked whenever a connection is opened; a kept one leads to an address that was checked.
 */
export class PostConnections {
  readonly #network: FetchNetwork;
  readonly #agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly #targets = new LRUCache<string, PostTarget>({ max: targetsKept });
  /** What ends the posts under a signal: one listener of it for all of them. */
  readonly #endings = new WeakMap<AbortSignal, Set<() => void>>();

  constructor(network: FetchNetwork = realNetwork) {
    const kept = { keepAlive: true, maxFreeSockets: idleMax, timeout: idleMs } as const;
    this.#network = network;
    this.#agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  }

  /** Fails with FetchRefused; when `signal` aborts, with its reason. */
  async post(address: string, post: Post, bounds: PostBounds, signal: AbortSignal): Promise<PostAnswer> {
    const target = this.#targetOf(address);
    // A name is checked when it is resolved; an address is not resolved.
    if (target.isAddress) await addressesOf(target.url, this.#network);
    signal.throwIfAborted();
    try {
      return await this.#postOnce(target, post, bounds, signal, true);
    } catch (error) {
      // The host has closed the kept connection at the same moment.
      if (error instanceof ConnectionWasClosed) return this.#postOnce(target, post, bounds, signal, false);
      throw error;
    }
  }

  #targetOf(address: string): PostTarget {
    let target = this.#targets.get(address);
    if (target === undefined) {
      const url = readAddress(address);
      const isAddress = isIP(hostnameOf(url)) !== 0;
      const lookup = checkedLookup(url, this.#network);
      target = { url, isAddress, options: urlToHttpOptions(url), lookup };
      this.#targets.set(address, target);
    }
    return target;
  }

  #endingsOf(signal: AbortSignal): Set<() => void> {
    let endings = this.#endings.get(signal);
    if (endings === undefined) {
      const made = new Set<() => void>();
      signal.addEventListener(
        'abort',
        () => {
          for (const end of [...made]) end();
        },
        { once: true },
      );
      this.#endings.set(signal, made);
      endings = made;
    }
    return endings;
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #postOnce(
    { url, options, lookup }: PostTarget,
    { headers: ownHeaders, body }: Post,
    { answerBytesMax, totalMsMax }: PostBounds,
    signal: AbortSignal,
    mayBeKept: boolean,
  ): Promise<PostAnswer> {
    return new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const request = (isSecure ? requestHttps : requestHttp)({
        ...options,
        agent: mayBeKept && (isSecure ? this.#agents.https : this.#agents.http),
        method: 'POST',
        headers: { ...guardedHeaders, ...ownHeaders, 'content-length': Buffer.byteLength(body) },
        lookup,
        maxHeaderSize: headerBytesMax,
      });
      const endings = this.#endingsOf(signal);
      const leave = () => {
        clearTimeout(timer);
        endings.delete(abort);
      };
      const fail = (error: unknown) => {
        leave();
        reject(error);
        request.destroy();
      };
      const abort = () => fail(signal.reason);
      const timer = setTimeout(() => fail(refusal('The host did not answer in time.')), totalMsMax);
      endings.add(abort);
      request.on('error', (error) => {
        if (request.reusedSocket) fail(new ConnectionWasClosed());
        else fail(error instanceof FetchRefused ? error : refusal(unreachable));
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let count = 0;
        // The status counts, also when the rest of the answer breaks off.
        const end = (): void => {
          leave();
          const beginning = Buffer.concat(chunks).subarray(0, answerBytesMax);
          resolve({ status: response.statusCode!, beginning });
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          count += chunk.length;
          if (count < answerBytesMax) return;
          end();
          request.destroy();
        });
        response.on('end', end);
        response.on('error', end);
      });
      request.end(body);
    });
  }
}

/** A kept connection broke before the answer began. */
class ConnectionWasClosed extends Error {
  override name = 'ConnectionWasClosed';
}

/** Resolves the host's name for a new connection, to addresses that are allowed. */
function checkedLookup(url: URL, network: FetchNetwork): LookupFunction {
  return (_, options, callback) => {
    addressesOf(url, network).then(
      (addresses) => lookupOf(addresses)(_, options, callback),
      (error) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}

/** A failure that may pass. */
export function refusal(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: false });
}

/** A failure that stays. */
export function permanent(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: true });
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

/** Without the brackets of IPv6. */
function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** The addresses of the host, if all of them are allowed. */
export async function addressesOf(
  url: URL,
  { resolve, isAllowed }: FetchNetwork,
): Promise<readonly string[]> {
  const hostname = hostnameOf(url);
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

/** One hop: the bytes, or the redirect target. Connects to the checked addresses only. */
function askOnce(
  url: URL,
  addresses: readonly string[],
  { bytesMax, silenceMsMax }: FetchBounds,
  signal: AbortSignal,
): Promise<Buffer | URL> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent: false,
      headers: guardedHeaders,
      lookup: lookupOf(addresses),
      maxHeaderSize: headerBytesMax,
      signal,
      timeout: silenceMsMax,
    });
    const end = (error: Error): void => {
      reject(error);
      request.destroy();
    };
    request.on('timeout', () => end(refusal('The host sent nothing for too long.')));
    // The causes contain addresses and certificates, which the author of the address must not see.
    request.on('error', () => end(refusal(unreachable)));
    request.on('response', (response) => {
      try {
        const next = readHead(url, response, bytesMax);
        if (next === null) collect(response, bytesMax, resolve, end);
        else resolve(leave(request, next));
      } catch (error) {
        end(error as Error);
      }
    });
    request.end();
  });
}

/** Returns the checked addresses, regardless of later DNS answers. */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    if (options.all) callback(null, entries);
    else callback(null, entries[0]!.address, entries[0]!.family);
  };
}

/** The target of a redirect; null when the body follows. */
function readHead(url: URL, response: IncomingMessage, bytesMax: number): URL | null {
  const { statusCode, headers } = response;
  if (redirects.has(statusCode) && headers.location !== undefined) return readAddress(headers.location, url);
  if (statusCode !== 200) throw refusal(`The host answered with status ${statusCode}.`);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw permanent('The host sent a compressed reply without being asked.');
  }
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax);
  return null;
}

/** The rest of a redirect's reply is not needed. */
function leave(request: ClientRequest, next: URL): URL {
  request.on('error', () => {});
  request.destroy();
  return next;
}

/** Keeps no byte beyond the limit. */
function collect(
  response: IncomingMessage,
  bytesMax: number,
  resolve: (bytes: Buffer) => void,
  end: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let count = 0;
  response.on('data', (chunk: Buffer) => {
    count += chunk.length;
    if (count > bytesMax) end(tooLarge(bytesMax));
    else chunks.push(chunk);
  });
  // Fires early when the connection breaks; `complete` shows it.
  response.on('end', () => {
    if (response.complete) resolve(Buffer.concat(chunks));
    else end(refusal(unreachable));
  });
  response.on('error', () => end(refusal(unreachable)));
}

/** The refusal of more bytes than are taken. */
export function tooLarge(bytesMax: number): FetchRefused {
  return permanent(`The file is larger than ${bytesMax.toLocaleString('en')} bytes.`);
}

/** A running name resolution cannot be canceled; the caller stops waiting for it. */
function until<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
