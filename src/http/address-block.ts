import ipaddr from 'ipaddr.js';

/**
 * Who an address is, where addresses are counted: an IPv4 address stands for itself, one of IPv6 for its network of so many
 * bits. A home or a server has a /64 of its own, and often a /48: whole networks to change addresses in.
 */
export function addressBlock(address: string, bits: 48 | 64): string {
  // IPv4, which most are, needs no reading.
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const network = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${network.join(':')}::/${bits}`;
}
