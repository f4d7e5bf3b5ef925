import { statement } from '../database/statement.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import { normalizeEmail, normalizePhone } from './customer-identity.ts';

/** Looks up customers by the fields of a request: id, email, phone. */

const selectIdOfId = statement<{ id: number }, { id: number }>(
  'select_customer_id_of_id',
  'select id from customers where organization_id = :organizationId and id = :id',
);

const selectIdOfEmail = statement<{ emailNormalized: string }, { id: number }>(
  'select_customer_id_of_email',
  'select id from customers where organization_id = :organizationId and email_normalized = :emailNormalized',
);

const selectIdOfPhone = statement<{ phoneNormalized: string }, { id: number }>(
  'select_customer_id_of_phone',
  'select id from customers where organization_id = :organizationId and phone_normalized = :phoneNormalized',
);

/** The customer fields of a request; absent and blank are equal. */
export interface SaidOfCustomer {
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** The names of the fields, for messages. */
type FieldNames = Readonly<Record<'email' | 'phone', string>>;

/**
 * The lookups for the given fields, null for absent ones; `oneCustomer` reads their rows. Fails with INVALID_PARAMS
 * for an invalid email or phone number.
 */
export function customerLookups({ id, email, phone }: SaidOfCustomer, names: FieldNames) {
  return [
    id === undefined ? null : selectIdOfId({ id }),
    isBlank(email) ? null : selectIdOfEmail({ emailNormalized: requiredEmail(email, names.email) }),
    isBlank(phone) ? null : selectIdOfPhone({ phoneNormalized: requiredPhone(phone, names.phone) }),
  ] as const;
}

/** The customer that all lookups found, else null. */
export function oneCustomer(
  lookups: readonly unknown[],
  rows: readonly (readonly { readonly id: number }[])[],
): number | null {
  const found = new Set(lookups.flatMap((lookup, at) => (lookup === null ? [] : [rows[at]?.[0]?.id])));
  const [id] = found;
  return found.size === 1 && id !== undefined ? id : null;
}

/** The lookup of a text that is an email or a phone number. Fails with INVALID_PARAMS when it is neither. */
export function contactLookup(text: string, name: string) {
  const email = normalizeEmail(text);
  if (email !== null) return selectIdOfEmail({ emailNormalized: email });
  const phone = normalizePhone(text);
  if (phone !== null) return selectIdOfPhone({ phoneNormalized: phone });
  throw failure(
    'INVALID_PARAMS',
    `${name} must be an email address or a phone number, e.g. (415) 555-0123 or +14155550123`,
  );
}

/** An unknown customer and another organization's customer get the same response (D13). */
export function customerNotFound(): Failure {
  return failure('USER_NOT_FOUND', 'There is no such customer (id, email or phone).');
}

/** An erased customer cannot change any more. */
export function customerErased(): Failure {
  return failure('CUSTOMER_ERASED', "This customer's data has been erased.");
}

/** The customer has become part of another one. */
export function customerMerged(intoCustomerId: number): Failure {
  return failure('CUSTOMER_MERGED', `This customer was merged into customer ${intoCustomerId}.`, {
    intoCustomerId,
  });
}

/** Whether the value is absent or only spaces. */
export function isBlank(text: unknown): text is undefined | '' {
  return text === undefined || (typeof text === 'string' && text.trim() === '');
}

function requiredEmail(text: string, name: string): string {
  const email = normalizeEmail(text);
  if (email === null) throw failure('INVALID_PARAMS', `${name} must be an email address`);
  return email;
}

function requiredPhone(text: string, name: string): string {
  const phone = normalizePhone(text);
  if (phone === null) {
    throw failure('INVALID_PARAMS', `${name} must be a phone number, e.g. (415) 555-0123 or +14155550123`);
  }
  return phone;
}
