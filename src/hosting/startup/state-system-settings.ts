/** How the states' systems are reached. */
export interface StateSystemSettings {
  /** The key of this software; undefined: nothing is reported. */
  readonly vendorKey: string | undefined;
  /** The server that stands in for all of them; undefined: the states' own. */
  readonly url: string | undefined;
}

interface Reader {
  text(name: string, fallback: string): string;
  webUrl(name: string): string | undefined;
  refuse(name: string, expected: string): void;
}

/** `METRC_URL` and `METRC_VENDOR_KEY`. Plain HTTP only to this machine: keys are sent with each call. */
export function readStateSystem(read: Reader): StateSystemSettings {
  const url = read.webUrl('METRC_URL');
  if (url?.startsWith('http://') && !/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:|$|\/)/.test(url)) {
    read.refuse('METRC_URL', 'an address with https, or one of this machine');
  }
  const vendorKey = read.text('METRC_VENDOR_KEY', '');
  return Object.freeze({ url, vendorKey: vendorKey === '' ? undefined : vendorKey });
}
