import { isIPv6 } from 'node:net';

/** The address of a listener, as it can be opened on this machine. */
export function shownUrl(host: string, port: number): string {
  // "Everywhere" is nowhere to go to.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
