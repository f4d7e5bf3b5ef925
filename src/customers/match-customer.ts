import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { drawHashId, normalizeEmail, normalizePhone } from './customer-identity.ts';
import {
  type CustomerRow,
  dropClaimedPhone,
  fillBlankCustomerFields,
  insertCustomers,
  markPhoneClaimed,
} from './customer-queries.ts';
import { isBlank } from './find-customer.ts';

/** The customer fields of a cart or order. */
export interface PresentedCustomer {
  readonly firstName: string;
  readonly lastName: string;
  /** Null and blank count as absent. */
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  /** YYYY-MM-DD */
  readonly birthday?: string | null | undefined;
}

/** The same with the normalized contacts (D32). */
export interface IdentifiedCustomer extends PresentedCustomer {
  readonly emailNormalized: string | null;
  readonly phoneNormalized: string | null;
  /** The email, or the phone if there is no email, is proven (D62). A phone that is only claimed finds no customer. */
  readonly isProven?: boolean;
}

/** Normalizes email and phone. Fails with MISSING_PARAMS without both, INVALID_PARAMS when one is invalid. */
export function identifyCustomer(customer: PresentedCustomer): IdentifiedCustomer {
  const identified = identifyPerson(customer, 'customer');
  if (identified.email === undefined && identified.phone === undefined) {
    throw failure('MISSING_PARAMS', 'Required but absent: customer.email or customer.phone.', {
      missing: ['customer.email', 'customer.phone'],
    });
  }
  return identified;
}

/** The same for a person who may have neither; `name` is the field's name. */
export function identifyPerson(person: PresentedCustomer, name: string): IdentifiedCustomer {
  const email = blankToUndefined(person.email);
  const phone = blankToUndefined(person.phone);
  const emailNormalized = email === undefined ? null : normalizeEmail(email);
  if (email !== undefined && emailNormalized === null) {
    throw failure('INVALID_PARAMS', `${name}.email must be an email address`);
  }
  const phoneNormalized = phone === undefined ? null : normalizePhone(phone);
  if (phone !== undefined && phoneNormalized === null) {
    throw failure(
      'INVALID_PARAMS',
      `${name}.phone must be a phone number, e.g. (415) 555-0123 or +14155550123`,
    );
  }
  const { firstName, lastName, birthday } = person;
  // Names each property: spreading the parsed object takes ten times as long.
  return { firstName, lastName, email, phone, birthday, emailNormalized, phoneNormalized };
}

/** D33: the email's owner, else the phone's. */
export function chooseCustomer(
  presented: IdentifiedCustomer,
  candidates: readonly CustomerRow[],
): CustomerRow | null {
  const { emailNormalized, phoneNormalized, isProven } = presented;
  const ofEmail = candidates.find(
    (row) => row.email_normalized !== null && row.email_normalized === emailNormalized,
  );
  if (ofEmail !== undefined) return ofEmail;
  if (isProven === true && emailNormalized !== null) return null;
  const ofPhone = candidates.find(
    (row) => row.phone_normalized !== null && row.phone_normalized === phoneNormalized,
  );
  return ofPhone === undefined || (isProven === true && ofPhone.phone_is_claimed) ? null : ofPhone;
}

/** Whether the phone was only claimed: it stands beside an email that is proven, or that a stranger gave (D62). */
function claimsPhone({ emailNormalized, isProven }: IdentifiedCustomer, isUnproven: boolean): boolean {
  return emailNormalized !== null && (isProven === true || isUnproven);
}

/**
 * D33, for writes: fills the blank fields of an existing customer, or creates a new one; queued into the order's
 * transaction. Concurrent requests with the same new customer race for a unique key; the caller runs its transaction
 * again on `customerUniqueConstraints`, and then finds the customer. `isUnproven`: an existing profile stays as it is, as
 * the caller may be another person (D62): a phone that a stranger could add would let them in.
 */
export async function rememberCustomer(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  presented: IdentifiedCustomer,
  candidates: readonly CustomerRow[],
  { isUnproven = false } = {},
): Promise<{ id: number; fullName: string }> {
  const found = chooseCustomer(presented, candidates);
  const at = isoTimestamp(nowMs);
  const email = presented.email?.trim() ?? null;
  // If email and phone belong to two customers, the phone stays with its owner.
  const otherOfPhone = candidates.find(
    (row) => row.id !== found?.id && row.phone_normalized === presented.phoneNormalized,
  );
  // Its owner has proven it, and found no profile: it was only claimed there.
  const isFreed = found === null && presented.isProven === true && presented.emailNormalized === null;
  const phoneBelongsToAnother = otherOfPhone !== undefined && !isFreed;
  if (found === null) {
    if (isFreed && otherOfPhone !== undefined) {
      tx.queue(dropClaimedPhone({ id: otherOfPhone.id, at }));
      await announce(tx, context, origin, nowMs, {
        event: 'customer.updated',
        subjectType: 'customer',
        subjectId: otherOfPhone.id,
        payload: { customerId: otherOfPhone.id },
        details: { customerId: otherOfPhone.id, fields: ['phone'] },
      });
    }
    const id = await context.ids.takeOne();
    const phone = phoneBelongsToAnother ? null : presented.phoneNormalized;
    tx.queue(...insertCustomers([newCustomer(context, id, presented, phone, at)]));
    if (phone !== null && claimsPhone(presented, isUnproven)) tx.queue(markPhoneClaimed({ id }));
    await announce(tx, context, origin, nowMs, {
      event: 'customer.created',
      subjectType: 'customer',
      subjectId: id,
      payload: { customerId: id },
    });
    return { id, fullName: `${presented.firstName.trim()} ${presented.lastName.trim()}` };
  }

  if (isUnproven) {
    return { id: found.id, fullName: `${presented.firstName.trim()} ${presented.lastName.trim()}` };
  }
  const fill = {
    firstName: isBlank(found.first_name) ? presented.firstName.trim() : null,
    lastName: isBlank(found.last_name) ? presented.lastName.trim() : null,
    email: found.email === null ? email : null,
    emailNormalized: found.email_normalized === null ? presented.emailNormalized : null,
    phone: found.phone === null && !phoneBelongsToAnother ? presented.phoneNormalized : null,
    phoneNormalized:
      found.phone_normalized === null && !phoneBelongsToAnother ? presented.phoneNormalized : null,
    birthday: found.birthday === null ? (presented.birthday ?? null) : null,
  };
  const filled = Object.entries(fill).filter(([, value]) => value !== null);
  if (filled.length > 0) {
    tx.queue(fillBlankCustomerFields({ id: found.id, ...fill, at }));
    if (fill.phone !== null && claimsPhone(presented, isUnproven))
      tx.queue(markPhoneClaimed({ id: found.id }));
    // The API's fields, without the normalized ones.
    const filledFields = filled.map(([field]) => field).filter((field) => !field.endsWith('Normalized'));
    await announce(tx, context, origin, nowMs, {
      event: 'customer.updated',
      subjectType: 'customer',
      subjectId: found.id,
      payload: { customerId: found.id },
      details: { customerId: found.id, fields: filledFields },
    });
  }
  const { firstName, lastName } = fill;
  return { id: found.id, fullName: `${firstName ?? found.first_name} ${lastName ?? found.last_name}` };
}

function newCustomer(
  { randomBytes }: Pick<Context, 'randomBytes'>,
  id: number,
  presented: IdentifiedCustomer,
  phone: string | null,
  at: string,
) {
  return {
    id,
    hashId: drawHashId(randomBytes),
    firstName: presented.firstName.trim(),
    lastName: presented.lastName.trim(),
    email: presented.email?.trim() ?? null,
    emailNormalized: presented.emailNormalized,
    phone,
    phoneNormalized: phone,
    birthday: presented.birthday ?? null,
    sex: null,
    zip: null,
    licenseExpiry: null,
    medicalExpiration: null,
    marketingOptIn: false,
    marketingOptInAt: null,
    marketingOptInSource: null,
    taxExempt: null,
    joinedAt: at,
    updatedAt: at,
  };
}

function blankToUndefined(text: string | null | undefined): string | undefined {
  return text == null || text.trim() === '' ? undefined : text;
}
