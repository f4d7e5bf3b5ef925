import { databaseUrl, serverAddresses } from '../../platform/connections/server-addresses.ts';

/** The value of a setting for a message, without what may be a secret. */
export function shownValue(name: string, value: string): string {
  if (/_KEYS?(?:_ID)?$|_PASSPHRASE$|_COMMAND$/.test(name)) return '***';
  if (name === 'WAL_ARCHIVE' && value.includes('://')) return withoutSecrets(value);
  return /_URL$|_ENDPOINT$|^BLOB_STORE$/.test(name) ? withoutSecrets(value) : value;
}

/** Hides every part of an address that may be a secret; if it cannot be parsed, all of it. */
export function withoutSecrets(value: string): string {
  const servers = serverAddresses(value);
  if (servers.length > 1) return servers.map(withoutSecrets).join(', ');
  if (/^postgres(ql)?:/.test(value)) {
    const { url, hasHost } = databaseUrl(value) ?? {};
    return url === undefined ? '***' : withoutUser(url, hasHost ? url.host : '');
  }
  const url = parsedUrl(value);
  return url?.host ? withoutUser(url, url.host) : '***';
}

function withoutUser({ protocol, username, password, pathname, search, hash }: URL, host: string): string {
  const user = `${username}${password}` === '' ? '' : '***@';
  const rest = `${search === '' ? '' : '?***'}${hash === '' ? '' : '#***'}`;
  return `${protocol}//${user}${host}${pathname}${rest}`;
}

/** Undefined for what is no URL. */
export function parsedUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}
