import type { OfflineTerms } from '../../../../src/engines/offline-pricing/offline-terms.ts';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import type { DriverLicense } from '../../scanner/driver-license.ts';
import type { RefusedId } from './cart.ts';

/** Why nothing is sold with a license, by what a register that is alone knows; undefined: it may be. */
export function refusedByLicense(
  { birthday, expiry }: Pick<DriverLicense, 'birthday' | 'expiry'>,
  { audiences, timeZone }: Pick<OfflineTerms, 'audiences' | 'timeZone'>,
  nowMs: number,
): RefusedId | undefined {
  const today = shopDayAt(nowMs, timeZone);
  if (ageOn(today, birthday) < audiences['adult-use'].minimumAge) return 'underage';
  return expiry !== null && expiry < today ? 'expired' : undefined;
}
