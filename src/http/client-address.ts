import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressFilter, plainAddress } from '../kernel/address-ranges.ts';

/** Tells the address that a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Tells whether an address is a trusted proxy's: what comes from it is of many callers. */
export function trustedProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  return trustedProxies.length === 0 ? () => false : addressFilter(trustedProxies);
}

/**
 * The address that limits and lists of allowed addresses mean: that of the connection or, when a trusted proxy made it,
 * the last one in X-Forwarded-For that is not a trusted proxy's. What stands before that was written by whoever sent the
 * request, and is not believed. Of a list that is no list, the last address that could be read counts.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = ({ socket }) => plainAddress(socket.remoteAddress ?? '');
  if (trustedProxies.length === 0) return ofConnection;
  const isTrusted = trustedProxy(trustedProxies);
  return (request) => {
    let address = ofConnection(request);
    // Several headers of the name are one list, in their order.
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

/** An address as proxies write it: some with a port behind it. */
function readHop(text: string): string | null {
  const hop = text.trim();
  const [, bracketed, beforePort] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  const address = plainAddress(bracketed ?? beforePort ?? hop);
  return isIP(address) === 0 ? null : address.toLowerCase();
}
