import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/*
 * What is on the public internet. An address that users have entered is checked twice: when it is saved, as far as it says so itself,
 * and by the address that its name has when it is asked (guarded-fetch.ts).
 */

const webPorts: readonly number[] = [80, 443];

/**
 * Ranges that look public and belong to the provider of this machine: the wire server of Azure, the private services of IBM Cloud, and
 * the metadata of Equinix Metal. The metadata of the other clouds are link-local, shared or unique local addresses.
 */
const ofProviders = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '192.80.8.124/32'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether an IP address is public: not of this machine, its networks or its provider, and without another address
 * inside (IPv4-mapped, NAT64, 6to4, Teredo …).
 */
export function isPublicAddress(text: string): boolean {
  // With a zone (%eth0) it is an address of this machine's own networks.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') {
    return !ofProviders.some((range) => (address as ipaddr.IPv4).match(range));
  }
  // Only 2000::/3 of IPv6 is assigned as global unicast; ISATAP has an IPv4 address after 0:5efe or 200:5efe.
  const { parts } = address as ipaddr.IPv6;
  return (parts[0]! & 0xe000) === 0x2000 && !(parts[5] === 0x5efe && (parts[4]! & 0xfdff) === 0);
}

/** Ends of names that no public name server answers (RFC 6761, 6762, 7686, 8375, and those that ICANN gives to no one). */
const ownEnds = [
  ...['localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'lan', 'home', 'corp', 'mail'],
  ...['home.arpa', 'invalid', 'onion'],
];

/** Whether a host is named or numbered so that it can only be in a network of its own. Without the brackets of IPv6. */
function isOwnHost(hostname: string): boolean {
  if (isIP(hostname) !== 0) return !isPublicAddress(hostname);
  const name = hostname.replace(/\.+$/, '').toLowerCase();
  return !name.includes('.') || ownEnds.some((end) => name === end || name.endsWith(`.${end}`));
}

/** What an address is for. */
interface SavedAddress {
  /** Hosts that the operator allows besides public ones: `name` on any port, or `name:port`. */
  readonly hostsAllowed?: readonly string[];
  /** People follow it, and this program never does: then any port will do. */
  readonly isForPeople?: boolean;
}

/**
 * Why nothing can ever be sent to or fetched from an http or https address, in words after the name of its field; null: it may work. So
 * such an address is refused when it is saved, not when it is used. Spellings of IP addresses (decimal, octal, shortened, IPv6 around
 * IPv4) are one address.
 */
export function whyUnreachable(
  text: string,
  { hostsAllowed = [], isForPeople = false }: SavedAddress = {},
): string | null {
  if (!URL.canParse(text)) return 'must be an http or https address.';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https address.';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (hostsAllowed.includes(hostname) || hostsAllowed.includes(`${hostname}:${port}`)) return null;
  if (isOwnHost(hostname)) {
    return `must be on the public internet: ${hostname.slice(0, 100)} is a host of a network of its own.`;
  }
  if (!isForPeople && !webPorts.includes(port)) {
    return `must be at port 80 or 443, the ports of the public web: not ${port}.`;
  }
  return null;
}
