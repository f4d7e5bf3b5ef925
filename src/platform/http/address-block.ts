import ipaddr from 'ipaddr.js';

/**
 * The key under which an address is counted: an IPv4 address itself, or the IPv6 network with this prefix length. A
 * home or a server has a /64, often a /48, and can change addresses within it.
 */
export function addressBlock(address: string, bits: 48 | 64): string {
  // Skips parsing for IPv4, the usual case.
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const network = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${network.join(':')}::/${bits}`;
}
