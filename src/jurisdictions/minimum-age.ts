import { failure } from '../kernel/failure.ts';
import type { Jurisdiction, LocalDate } from './jurisdiction.ts';
import { minimumAgeInForce } from './jurisdictions.ts';

/** Where no age was confirmed for a state (D34). */
const defaultMinimumAges = { 'adult-use': 21, medical: 18 } as const;

/** Whose age is asked for, where, and on which local day. */
export interface AgedCustomer {
  /** Null: nothing is known of the state. */
  readonly jurisdiction: Jurisdiction | null;
  readonly today: LocalDate;
  /** Null: not known. */
  readonly birthday: LocalDate | null;
  readonly isMedical: boolean;
}

/** In years: that of the state, or the usual one where none is known. */
export function minimumAgeOf({
  jurisdiction,
  today,
  isMedical,
}: Pick<AgedCustomer, 'jurisdiction' | 'today' | 'isMedical'>): number {
  const audience = isMedical ? 'medical' : 'adult-use';
  const known = jurisdiction === null ? null : minimumAgeInForce(jurisdiction, today, audience);
  return known ?? defaultMinimumAges[audience];
}

/** D34: fails with CUSTOMER_UNDERAGE when a known birthday is too recent. */
export function assertOldEnough(customer: AgedCustomer): void {
  const { today, birthday, isMedical } = customer;
  if (birthday === null) return;
  const minimumAge = minimumAgeOf(customer);
  if (hasReached(minimumAge, birthday, today)) return;
  throw failure(
    'CUSTOMER_UNDERAGE',
    `The customer must have reached the age of ${minimumAge}${isMedical ? ' (as a medical customer)' : ''}`,
    { minimumAge },
  );
}

/** From the birthday on; somebody born on 29 February reaches an age on 1 March of a common year. */
export function hasReached(years: number, birthday: LocalDate, today: LocalDate): boolean {
  const year = String(Number(birthday.slice(0, 4)) + years).padStart(4, '0');
  return today >= year + birthday.slice(4);
}
