import { serverAddresses } from '../database/server-addresses.ts';

/** The value of a setting for a message, without what may be a secret. */
export function shownValue(name: string, value: string): string {
  if (/_KEYS?(?:_ID)?$|_PASSPHRASE$|_COMMAND$/.test(name)) return '***';
  if (name === 'LOG_ARCHIVE' && value.includes('://')) return withoutSecrets(value);
  return /_URL$|_ENDPOINT$|^BLOB_STORE$/.test(name) ? withoutSecrets(value) : value;
}

/** Hides every part of an address that may be a secret; if it cannot be parsed, all of it. */
export function withoutSecrets(value: string): string {
  const servers = serverAddresses(value);
  if (servers.length > 1) return servers.map(withoutSecrets).join(', ');
  const url = parsedUrl(value);
  if (!url?.host) return '***';
  const user = `${url.username}${url.password}` === '' ? '' : '***@';
  const rest = `${url.search === '' ? '' : '?***'}${url.hash === '' ? '' : '#***'}`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${rest}`;
}

/** Undefined for what is no URL. */
export function parsedUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}
