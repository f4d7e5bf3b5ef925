import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/*
 * Which host a request is for. A browser can be made to send requests for a name that an attacker points at this
 * machine (DNS rebinding): to the browser, the attacker's page and this service are then one site.
 */

/** Why the Host of a request cannot be taken (RFC 9112, 3.2); null where it can. Runs for every request. */
export function hostProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? 'Host must be sent: HTTP/1.1 asks for it.' : null;
  }
  let count = 0;
  // Node itself keeps the first of several.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1 ? 'Host must be sent once.' : null;
}

/**
 * The path and query of a target that a client wrote with its scheme and host, as it does for a proxy (RFC 9112, 3.2.2);
 * null where that host is another than the one in Host.
 */
export function originForm(target: string, host: string | undefined): string | null {
  const url = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined) return target;
  if (host !== undefined && url.host !== parsedHost(host, url.protocol)?.host) return null;
  return `${url.pathname}${url.search}`;
}

/** The hosts that this service is known by. */
export class ServiceNames {
  /** Of PUBLIC_URL, where it is set. */
  readonly publicOrigin: string | undefined;
  /** The address or name that the listener was told to take; undefined before it listens. */
  boundHost: string | undefined;

  constructor(publicUrl: string | undefined) {
    this.publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * Whether Host is one of them: that of PUBLIC_URL; the address or name that it listens on, with the port; or a loopback
   * name, with any port, since a tunnel or a container has another one and only this machine resolves the name.
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
    // The address of the machine that this connection has come to: of a wildcard, any of them.
    const addresses = [socket.localAddress?.replace(/^::ffff:/, ''), this.boundHost?.toLowerCase()];
    return addresses.some((it) => it !== undefined && name === (isIP(it) === 6 ? `[${it}]` : it));
  }
}

/** Undefined for what is no host and port. */
function parsedHost(host: string, protocol: string): URL | undefined {
  const text = `${protocol}//${host}/`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.pathname === '/' && `${url.username}${url.search}${url.hash}` === ''
    ? url
    : undefined;
}
