import { isListedPlaceholder, readEmail, readPhone } from '../../kernel/contacts.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import { namesFit } from '../../kernel/person-name.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import { selectShopOfCustomers } from './customer-list-queries.ts';

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
  /** The state where the person lives; null: not asked. */
  readonly residence: string | null;
  /** What staff noted to serve the person. */
  readonly notes: string | null;
  /** The state that keeps the patient's number. */
  readonly patientState: string | null;
  readonly marketingOptIn: boolean;
  /** D35; null: decided by the card and the organization's settings. */
  readonly taxExempt: boolean | null;
}

/** What is sent of a profile: the patient's number is written, and never read back whole. */
export interface SentProfile extends CustomerProfile {
  /** Null: no number; absent: as it is. */
  readonly patientNumber?: string | null | undefined;
}

/** The same fields as they are stored. */
export interface KeptProfile extends CustomerProfile {
  readonly emailNormalized: string | null;
  readonly phoneNormalized: string | null;
}

const selectOthersOfContact = statement<
  { emailNormalized: string | null; phoneNormalized: string | null; exceptId: number },
  { id: number; first_name: string; last_name: string; birthday: string | null; has_email: boolean }
>(
  'select_other_customers_of_contact',
  `select id, first_name, last_name, birthday::text as birthday, true as has_email from customers
    where organization_id = :organizationId and email_normalized = :emailNormalized and id <> :exceptId
    union all
   select id, first_name, last_name, birthday::text as birthday, false as has_email from customers
    where organization_id = :organizationId and phone_normalized = :phoneNormalized and id <> :exceptId`,
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
  residence: null,
  notes: null,
  patientState: null,
  marketingOptIn: false,
  taxExempt: null,
} as const;

/**
 * A profile as it is stored: without outer spaces, blank as null, email and phone normalized (D32). Fails with
 * INVALID_PARAMS, naming the field. A placeholder of a contact (D84), also one on the shop's list, is left out. Does not check
 * whether email or phone belong to another customer.
 */
export function keptProfile(profile: CustomerProfile, listed: readonly string[] = []): KeptProfile {
  const email = blankToNull(profile.email);
  const phone = blankToNull(profile.phone);
  const readAsEmail = email === null ? undefined : readEmail(email);
  if (readAsEmail === null) throw refuse('email must be an email address.');
  const readAsPhone = phone === null ? undefined : readPhone(phone);
  if (readAsPhone === null) {
    throw refuse('phone must be a phone number, e.g. (415) 555-0123 or +14155550123.');
  }
  const identifying = (contact: string | null = null) =>
    contact === null || isListedPlaceholder(contact, listed) ? null : contact;
  const emailNormalized = identifying(readAsEmail?.normalized);
  const phoneNormalized = identifying(readAsPhone?.normalized);
  return {
    ...profile,
    firstName: profile.firstName.trim(),
    lastName: profile.lastName.trim(),
    email: emailNormalized === null ? null : email,
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
 * `keptProfile`, and refuses an email that belongs to a customer other than `id`, and a new phone that belongs to one whose name
 * fits: that is the same person, while several people may have one phone (D85). Concurrent requests with the same email race
 * for a unique key: the caller runs its transaction again on `customerUniqueConstraints`.
 */
export async function readProfile(
  tx: TenantTransaction,
  { clock }: Pick<Context, 'clock'>,
  profile: CustomerProfile,
  id: number,
  formerPhone: string | null = null,
): Promise<KeptProfile> {
  const [[shop]] = await tx.run(selectShopOfCustomers({}));
  const kept = keptProfile(profile, shop?.placeholder_contacts);
  const { emailNormalized, phoneNormalized } = kept;
  const [others] = await tx.run(selectOthersOfContact({ emailNormalized, phoneNormalized, exceptId: id }));
  if (others.some(({ has_email: hasEmail }) => hasEmail)) throw refuse('email belongs to another customer.');
  const same =
    phoneNormalized === formerPhone
      ? undefined
      : others.find(
          (row) =>
            namesFit(kept, { firstName: row.first_name, lastName: row.last_name }) &&
            (kept.birthday === null || row.birthday === null || row.birthday === kept.birthday),
        );
  if (same !== undefined) {
    throw refuse(`phone belongs to another customer of this name (number ${same.id}).`);
  }
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
