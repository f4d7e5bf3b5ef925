import { isIPv6 } from 'node:net';

/** The URL of a listener, as it can be opened on this machine. */
export function shownUrl(host: string, port: number): string {
  // A wildcard address cannot be opened.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
