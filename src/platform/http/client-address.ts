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
