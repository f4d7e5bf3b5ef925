import { failure } from '../../kernel/failure.ts';
import { hasReached } from '../../kernel/reached-age.ts';
import type { Jurisdiction, LocalDate } from './jurisdiction.ts';
import { minimumAgeInForce } from './jurisdictions.ts';

/** The minimum age where none is confirmed for a state (D34). */
const defaultMinimumAges = { 'adult-use': 21, medical: 18 } as const;

/** The customer's age is checked for this place, customer type and local day. */
interface AgedCustomer {
  /** Null: the state is unknown. */
  readonly jurisdiction: Jurisdiction | null;
  readonly today: LocalDate;
  /** Null: unknown. */
  readonly birthday: LocalDate | null;
  readonly isMedical: boolean;
}

/** In years: the state's age, or the usual one where none is known. */
export function minimumAgeOf({
  jurisdiction,
  today,
  isMedical,
}: Pick<AgedCustomer, 'jurisdiction' | 'today' | 'isMedical'>): number {
  const audience = isMedical ? 'medical' : 'adult-use';
  const known = jurisdiction === null ? null : minimumAgeInForce(jurisdiction, today, audience);
  return known ?? defaultMinimumAges[audience];
}

/** Fails with INVALID_PARAMS for a birthday after today: it is a typing error, and says nothing about an age. */
export function assertBorn(
  { birthday, today }: Pick<AgedCustomer, 'birthday' | 'today'>,
  field: string,
): void {
  if (birthday === null || birthday <= today) return;
  throw failure('INVALID_PARAMS', `${field} must be a date that has passed: today is ${today}.`);
}

/** D34: fails with CUSTOMER_UNDERAGE when a known birthday is too recent. */
export function assertOldEnough(customer: AgedCustomer): void {
  const { today, birthday, isMedical } = customer;
  if (birthday === null) return;
  const minimumAge = minimumAgeOf(customer);
  if (hasReached(minimumAge, birthday, today)) return;
  throw failure(
    'CUSTOMER_UNDERAGE',
    `The customer must be at least ${minimumAge} years old${isMedical ? ' (as a medical customer)' : ''}`,
    { minimumAge },
  );
}

export { hasReached, reachedOn } from '../../kernel/reached-age.ts';
