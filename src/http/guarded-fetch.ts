import { lookup as resolveName } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/*
 * The only way in which this program asks addresses that others have written. What stands behind such an address is
 * theirs to choose, and theirs to change: so each hop's name is resolved here, what it resolves to is checked, and the
 * connection goes to just that. Nothing is sent along that says who asks, and nothing is believed of what comes back.
 */

/** Where a hop would connect to. */
export interface FetchTarget {
  /** As the address has it, in lower case, without the brackets of IPv6. */
  readonly hostname: string;
  /** An IP address that it resolves to. */
  readonly address: string;
  readonly port: number;
}

export interface FetchBounds {
  readonly bytesMax: number;
  readonly redirectsMax: number;
  /** From the first name to the last byte, redirects included. */
  readonly totalMsMax: number;
  /** Without a byte from the other side. */
  readonly silenceMsMax: number;
}

/** What tests put in the place of the network. */
export interface FetchSurroundings {
  /** The addresses of a name. */
  resolve(hostname: string): Promise<readonly string[]>;
  isAllowed(target: FetchTarget): boolean;
}

/** Why nothing came back. The text is ours, without a word of the address or of the reply: it may be shown. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
  /** Whether asking again would only get the same. */
  readonly isLasting: boolean;

  constructor(message: string, { isLasting }: { readonly isLasting: boolean }) {
    super(message);
    this.isLasting = isLasting;
  }
}

const headers = {
  accept: '*/*',
  // What is compressed could be a thousand times as much: it is not asked for, and not taken.
  'accept-encoding': 'identity',
  'user-agent': 'dispensary-commerce',
};
const headerBytesMax = 16_384;
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

const theNetwork: FetchSurroundings = {
  resolve: async (hostname) => (await resolveName(hostname, { all: true })).map(({ address }) => address),
  isAllowed: ({ address, port }) => isPublicAddress(address) && Object.values(defaultPorts).includes(port),
};

/**
 * Whether an IP address belongs to the open network: not to this machine, its neighbours or its provider, and none
 * that carries another address inside (IPv4-mapped, NAT64, 6to4, Teredo …).
 */
export function isPublicAddress(text: string): boolean {
  // With a zone (%eth0) it is an address of this machine's own networks.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // Of IPv6, only 2000::/3 has been given out as global unicast.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/**
 * The bytes behind an http or https address, answered with 200. Fails with FetchRefused; when `signal` aborts, with its
 * reason.
 */
export async function guardedFetch(
  address: string,
  bounds: FetchBounds,
  signal: AbortSignal,
  surroundings: FetchSurroundings = theNetwork,
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
    if (deadline.aborted) throw refusal('It took too long to come.');
    throw error;
  }
  throw lasting(`It was redirected more than ${bounds.redirectsMax} times.`);
}

function refusal(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: false });
}

function lasting(message: string): FetchRefused {
  return new FetchRefused(message, { isLasting: true });
}

/** The parser of the web writes IPv4 in its other spellings (decimal, octal, shortened) the plain way. */
function readAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw lasting('The address is none.');
  const url = new URL(text, base);
  if (defaultPorts[url.protocol] === undefined) throw lasting('Only http and https addresses are fetched.');
  if (url.username !== '' || url.password !== '') {
    throw lasting('An address with a user name or password is not fetched.');
  }
  return url;
}

/** What the host resolves to, if each of its addresses may be connected to. */
async function addressesOf(url: URL, { resolve, isAllowed }: FetchSurroundings): Promise<readonly string[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  } catch {
    throw refusal('The name of the host could not be resolved.');
  }
  if (addresses.length === 0) throw refusal('The name of the host could not be resolved.');
  const port = url.port === '' ? defaultPorts[url.protocol]! : Number(url.port);
  if (!addresses.every((address) => isAllowed({ hostname, address, port }))) {
    throw lasting('The address is not of the open network, or its port is not one of the web.');
  }
  return addresses;
}

/** One hop: the bytes, or where it is redirected to. Connects to the addresses that were checked and to no other. */
function askOnce(
  url: URL,
  addresses: readonly string[],
  { bytesMax, silenceMsMax }: FetchBounds,
  signal: AbortSignal,
): Promise<Buffer | URL> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent: false,
      headers,
      lookup: lookupOf(addresses),
      maxHeaderSize: headerBytesMax,
      signal,
      timeout: silenceMsMax,
    });
    const end = (error: Error): void => {
      reject(error);
      request.destroy();
    };
    request.on('timeout', () => end(refusal('Nothing came for too long.')));
    // The causes name addresses and certificates: not for whoever wrote the address.
    request.on('error', () => end(refusal('The host could not be reached, or broke off.')));
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

/** Answers with what was resolved and checked before, whatever the name would resolve to by now. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    if (options.all) callback(null, entries);
    else callback(null, entries[0]!.address, entries[0]!.family);
  };
}

/** Where a redirect leads to; null when the body is what was asked for. */
function readHead(url: URL, response: IncomingMessage, bytesMax: number): URL | null {
  const { statusCode, headers } = response;
  if (redirects.has(statusCode) && headers.location !== undefined) return readAddress(headers.location, url);
  if (statusCode !== 200) throw refusal(`The host answered with status ${statusCode}.`);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw lasting('The host compresses what it was asked to send as it is.');
  }
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax);
  return null;
}

/** The rest of a redirect's reply is of no interest. */
function leave(request: ClientRequest, next: URL): URL {
  request.on('error', () => {});
  request.destroy();
  return next;
}

/** Keeps no byte beyond the bound. */
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
  // Comes before its time where the connection ends in the middle: `complete` tells.
  response.on('end', () => {
    if (response.complete) resolve(Buffer.concat(chunks));
    else end(refusal('The host could not be reached, or broke off.'));
  });
  response.on('error', () => end(refusal('The host could not be reached, or broke off.')));
}

function tooLarge(bytesMax: number): FetchRefused {
  return lasting(`It is larger than ${bytesMax.toLocaleString('en')} bytes.`);
}

/** A name cannot be taken back once it is being resolved; nobody waits for it then. */
function until<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
