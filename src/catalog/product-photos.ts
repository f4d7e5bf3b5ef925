import { failure } from '../kernel/failure.ts';

/** The addresses of pictures as they were sent, in order. Fails with INVALID_PARAMS when one is no address. */
export function readPhotos(addresses: readonly string[]): readonly string[] {
  for (const [index, address] of addresses.entries()) {
    if (!URL.canParse(address)) {
      throw failure('INVALID_PARAMS', `photos[${index}] must be an http or https address.`);
    }
  }
  return addresses;
}

interface Photo {
  readonly id: number;
  readonly location: string;
}

/**
 * The photos that an update asks for, in order. Who sends back the address that we gave keeps that photo: it is not
 * another picture, to be fetched from ourselves.
 */
export function keepPhotos(
  addresses: readonly string[],
  current: readonly Photo[],
  photoUrl: (location: string) => string,
): readonly { readonly id: number | null; readonly location: string }[] {
  const left = [...current];
  return addresses.map((address) => {
    const at = left.findIndex(({ location }) => location === address || photoUrl(location) === address);
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    return kept ?? { id: null, location: address };
  });
}
