import { api, dataOf } from '../api.ts';
import type { DriverLicense } from '../scanner/driver-license.ts';
import type { ScannedHolder } from './license-card.tsx';

/** What staff said when the service asked whether the holder is a customer on file. */
type Answer = { readonly customerId: number } | { readonly isAnother: true };

/** Asks the service whose license it is. Only these fields are sent: never the scanned text. */
export async function holderOf(license: DriverLicense, answer?: Answer): Promise<ScannedHolder> {
  const { issuer, number, firstName, lastName, birthday, expiry, sex, address } = license;
  const body = {
    issuer,
    number,
    firstName,
    lastName,
    birthday,
    expiry,
    sex,
    zip: address.postalCode,
    state: address.state,
    ...answer,
  };
  return { license, holder: await dataOf(api.POST('/staff/v1/customers/by-license', { body })) };
}
