import { BlockList, isIP, isIPv4 } from 'node:net';

/** How many addresses and ranges a key or the staff of an organization may be restricted to. */
export const allowedAddressesMax = 100;

/** Whether the text is an IPv4 or IPv6 address, or a range of them (`203.0.113.0/24`, `2001:db8::/32`). */
export function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) has a meaning on one machine only.
  if (family === 0 || more.length > 0 || address.includes('%')) return false;
  if (prefix === undefined) return true;
  return /^(?:0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Returns a check whether an address is in a list; an empty list allows every address. */
export function addressFilter(allowed: readonly string[]): (address: string) => boolean {
  if (allowed.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    if (isIP(plain) === 0) return false;
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}

/** The plain form of an address: without a zone, and IPv4 in place of an IPv4-mapped address of a dual-stack socket. */
export function plainAddress(address: string): string {
  // Runs for every request; most addresses are IPv4.
  if (!/[:%]/.test(address)) return address;
  const [plain = ''] = address.split('%', 1);
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
}
