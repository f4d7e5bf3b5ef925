import type { Context } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp, localDateAt } from '../kernel/local-time.ts';
import { normalizeEmail, normalizePhone } from './customer-identity.ts';
import { selectTimeZone } from './customer-list-queries.ts';

/** The customer fields that staff write; days are YYYY-MM-DD. */
export interface CustomerProfile {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly birthday: string | null;
  readonly sex: 'male' | 'female' | 'tertiary' | null;
  readonly zip: string | null;
  readonly licenseExpiry: string | null;
  readonly medicalExpiration: string | null;
  readonly marketingOptIn: boolean;
  /** D35; null: decided by the card and the organization's settings. */
  readonly taxExempt: boolean | null;
}

/** The same fields as they are stored. */
export interface KeptProfile extends CustomerProfile {
  readonly emailNormalized: string | null;
  readonly phoneNormalized: string | null;
}

const selectOthersOfContact = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; exceptId: number },
  { has_email: boolean; has_phone: boolean }
>(
  'select_other_customers_of_contact',
  `select exists (select from customers where organization_id = :organizationId
                     and email_normalized = :emailNormalized and id <> :exceptId) as has_email,
          exists (select from customers where organization_id = :organizationId
                     and phone_normalized = :phoneNormalized and id <> :exceptId) as has_phone`,
);

/** A profile with only the given fields; all others are blank. */
export const blankProfile = {
  email: null,
  phone: null,
  birthday: null,
  sex: null,
  zip: null,
  licenseExpiry: null,
  medicalExpiration: null,
  marketingOptIn: false,
  taxExempt: null,
} as const;

/**
 * A profile as it is stored: without outer spaces, blank as null, email and phone normalized (D32). Fails with
 * INVALID_PARAMS, naming the field. Does not check whether email or phone belong to another customer.
 */
export function keptProfile(profile: CustomerProfile): KeptProfile {
  const email = blankToNull(profile.email);
  const phone = blankToNull(profile.phone);
  const emailNormalized = email === null ? null : normalizeEmail(email);
  if (email !== null && emailNormalized === null) throw refuse('email must be an email address.');
  const phoneNormalized = phone === null ? null : normalizePhone(phone);
  if (phone !== null && phoneNormalized === null) {
    throw refuse('phone must be a phone number, e.g. (415) 555-0123 or +14155550123.');
  }
  return {
    ...profile,
    firstName: profile.firstName.trim(),
    lastName: profile.lastName.trim(),
    email,
    emailNormalized,
    phone: phoneNormalized,
    phoneNormalized,
    zip: blankToNull(profile.zip),
  };
}

/** Fails with INVALID_PARAMS for a day in the future, in the shop's time zone. */
export function refuseFutureBirthday(birthday: string | null, nowMs: number, tz: string): void {
  if (birthday !== null && birthday > localDateAt(nowMs, tz)) {
    throw refuse('birthday must not be in the future.');
  }
}

/**
 * `keptProfile`, and refuses an email or phone that belongs to a customer other than `id`. Concurrent requests with
 * the same one race for a unique key: the caller runs its transaction again on `customerUniqueConstraints`.
 */
export async function readProfile(
  tx: TenantTransaction,
  { clock }: Pick<Context, 'clock'>,
  profile: CustomerProfile,
  id: number,
): Promise<KeptProfile> {
  const kept = keptProfile(profile);
  const { emailNormalized, phoneNormalized } = kept;
  const [[others], [shop]] = await tx.run(
    selectOthersOfContact({ emailNormalized, phoneNormalized, exceptId: id }),
    selectTimeZone({}),
  );
  if (others?.has_email) throw refuse('email belongs to another customer.');
  if (others?.has_phone) throw refuse('phone belongs to another customer.');
  if (shop) refuseFutureBirthday(profile.birthday, clock.now(), shop.tz);
  return kept;
}

function refuse(message: string) {
  return failure('INVALID_PARAMS', message);
}

/** The moment of consent to marketing: now, if new; null without consent. */
export function optedInAt(isOptedIn: boolean, beforeMs: number | null, nowMs: number): string | null {
  return isOptedIn ? isoTimestamp(beforeMs ?? nowMs) : null;
}

function blankToNull(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
