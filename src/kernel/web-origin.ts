/**
 * Whether a text is the origin of a web page as browsers send it: `https://shop.example`, with a port if it is not the
 * usual one. Plain http is accepted for pages of the own machine only, as a page without TLS can be changed on its way.
 */
export function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || hostname.includes('*')) return false;
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** What `isWebOrigin` expects, in words. */
export const webOriginWords =
  'https:// and a host, or http://localhost, with a port if needed and without a path';
