import { api, dataOf } from '../api.ts';
import type { DriverLicense } from '../scanner/driver-license.ts';
import type { ScannedHolder } from './license-card.tsx';

/** Asks the service whose license it is. Only these fields are sent: never the scanned text. */
export async function holderOf(license: DriverLicense): Promise<ScannedHolder> {
  const { issuer, number, firstName, lastName, birthday, expiry, sex, address } = license;
  const body = { issuer, number, firstName, lastName, birthday, expiry, sex, zip: address.postalCode };
  return { license, holder: await dataOf(api.POST('/staff/v1/customers/by-license', { body })) };
}
