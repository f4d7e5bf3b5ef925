import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressFilter, plainAddress } from '../../kernel/address-ranges.ts';

/** Returns the address of a request's client. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Returns a check whether an address belongs to a trusted proxy, which carries requests of many callers. */
export function trustedProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  return trustedProxies.length === 0 ? () => false : addressFilter(trustedProxies);
}

/**
 * The client address for limits and address lists: that of the connection or, behind trusted proxies, the last one in
 * X-Forwarded-For that is not a trusted proxy's. Entries before it were written by the sender and are ignored. In a
 * malformed list the last readable address counts.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = ({ socket }) => plainAddress(socket.remoteAddress ?? '');
  if (trustedProxies.length === 0) return ofConnection;
  const isTrusted = trustedProxy(trustedProxies);
  return (request) => {
    let address = ofConnection(request);
    // Several headers with the name form one list, in their order.
    const forwarded = request.headers['x-forwarded-for'];
    const hops = forwarded === undefined ? [] : String(forwarded).split(',');
    while (isTrusted(address)) {
      const next = readHop(hops.pop() ?? '');
      if (next === null) return address;
      address = next;
    }
    return address;
  };
}

/** Parses an address as proxies write it: some append a port. */
function readHop(text: string): string | null {
  const hop = text.trim();
  const [, bracketed, beforePort] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  const address = plainAddress(bracketed ?? beforePort ?? hop);
  return isIP(address) === 0 ? null : address.toLowerCase();
}

/*
 * The host of a request. With DNS rebinding, an attacker points a name at this machine and has a browser request it: to
 * the browser, the attacker's page and this service then have the same origin.
 */

/** Why the Host of a request is invalid (RFC 9112, 3.2); null if it is valid. Runs for every request. */
export function hostProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? 'Host must be sent: HTTP/1.1 requires it.' : null;
  }
  let count = 0;
  // Node keeps the first of several.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1 ? 'Host must be sent once.' : null;
}

/**
 * The path and query of a target in absolute form, which clients send to proxies (RFC 9112, 3.2.2); null if its host
 * differs from Host.
 */
export function originForm(target: string, host: string | undefined): string | null {
  const url = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined) return target;
  if (host !== undefined && url.host !== parsedHost(host, url.protocol)?.host) return null;
  return `${url.pathname}${url.search}`;
}

/** The hosts of this service. */
export class ServiceNames {
  /** The origin of PUBLIC_URL, if it is set. */
  readonly publicOrigin: string | undefined;
  /** The address or name of the listener; undefined before it listens. */
  boundHost: string | undefined;

  constructor(publicUrl: string | undefined) {
    this.publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * Whether Host is one of them: the host of PUBLIC_URL; the listener's address or name, with the port; or a loopback
   * name with any port, because a tunnel or a container uses another port and only this machine resolves the name.
   */
  know({ headers, socket }: IncomingMessage): boolean {
    const host = headers.host ?? '';
    if (this.publicOrigin !== undefined) {
      const known = new URL(this.publicOrigin);
      if (parsedHost(host, known.protocol)?.host === known.host) return true;
    }
    const sent = parsedHost(host, 'http:');
    if (sent === undefined) return false;
    const name = sent.hostname;
    if (name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name)) return true;
    if (Number(sent.port || 80) !== socket.localPort) return false;
    // The local address of this connection; a wildcard listener has several.
    const addresses = [socket.localAddress?.replace(/^::ffff:/, ''), this.boundHost?.toLowerCase()];
    return addresses.some((it) => it !== undefined && name === (isIP(it) === 6 ? `[${it}]` : it));
  }
}

/** Undefined if it is not a host and port. */
function parsedHost(host: string, protocol: string): URL | undefined {
  const text = `${protocol}//${host}/`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.pathname === '/' && `${url.username}${url.search}${url.hash}` === ''
    ? url
    : undefined;
}
