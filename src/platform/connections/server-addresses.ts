/** As many as one deployment of PostgreSQL has. */
export const serversMax = 8;

/**
 * The addresses of the servers that an address of a database names, one each: `postgres://user@a:5432,b:5432/shop`, or
 * `?host=/run/a,/run/b`, as libpq has them. Usually one; empty if the address cannot be read.
 */
export function serverAddresses(address: string): readonly string[] {
  const found = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(address);
  if (found === null) return [];
  const [, start, authority, rest] = found;
  const ofAuthority = authority!.split(',').map((host) => `${start}${host}${rest}`);
  const addresses = ofAuthority.length > 1 ? ofAuthority : ofParameters(ofAuthority[0]!);
  return addresses.every((one) => databaseUrl(one) !== undefined) ? addresses : [];
}

/** Stands for the host of an address that has a user and no host, which libpq and the driver take and URLs do not. */
const noHost = 'no-host.invalid';

/** The parts of the address of one server, also of `postgres://user:password@/shop?host=/run/postgresql`; undefined if it is none. */
export function databaseUrl(address: string): { readonly url: URL; readonly hasHost: boolean } | undefined {
  const filled = address.replace(/^(postgres(?:ql)?:\/\/[^@/?#]*@)(?=[/?]|$)/, `$1${noHost}`);
  if (!URL.canParse(filled)) return undefined;
  const url = new URL(filled);
  return { url, hasHost: url.hostname !== '' && url.hostname !== noHost };
}

/** `?host=a,b&port=5432,5433`; one port, or none, is for all of them. */
function ofParameters(address: string): readonly string[] {
  const { searchParams } = databaseUrl(address)?.url ?? {};
  if (searchParams === undefined) return [];
  const hosts = searchParams.get('host')?.split(',') ?? [];
  if (hosts.length < 2) return [address];
  const ports = searchParams.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) return [];
  const [start] = address.split('?');
  return hosts.map((host, at) => {
    const parameters = new URLSearchParams(searchParams);
    parameters.set('host', host);
    if (ports.length > 0) parameters.set('port', ports.length === 1 ? ports[0]! : ports[at]!);
    return `${start}?${parameters}`;
  });
}
