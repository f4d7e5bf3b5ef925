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
  return addresses.every((one) => URL.canParse(one)) ? addresses : [];
}

/** `?host=a,b&port=5432,5433`; one port, or none, is for all of them. */
function ofParameters(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const hosts = new URL(address).searchParams.get('host')?.split(',') ?? [];
  if (hosts.length < 2) return [address];
  const ports = new URL(address).searchParams.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) return [];
  return hosts.map((host, at) => {
    const url = new URL(address);
    url.searchParams.set('host', host);
    if (ports.length > 0) url.searchParams.set('port', ports.length === 1 ? ports[0]! : ports[at]!);
    return url.href;
  });
}
