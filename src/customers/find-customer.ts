import { statement } from '../database/statement.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import { normalizeEmail, normalizePhone } from './customer-identity.ts';

/** Looking people up by what a request says of them: an id, an email, a phone number. */

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

/** What a request says of a person; absent and blank are the same. */
export interface SaidOfCustomer {
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** The names of the fields, for messages. */
type FieldNames = Readonly<Record<'email' | 'phone', string>>;

/**
 * The look-ups for what is said, each null where nothing is; `oneCustomer` reads their rows. Fails with
 * INVALID_PARAMS when an email or a phone number is no such thing.
 */
export function customerLookups({ id, email, phone }: SaidOfCustomer, names: FieldNames) {
  return [
    id === undefined ? null : selectIdOfId({ id }),
    isBlank(email) ? null : selectIdOfEmail({ emailNormalized: requiredEmail(email, names.email) }),
    isBlank(phone) ? null : selectIdOfPhone({ phoneNormalized: requiredPhone(phone, names.phone) }),
  ] as const;
}

/** The one whom all look-ups that were sent have found, else null. */
export function oneCustomer(
  lookups: readonly unknown[],
  rows: readonly (readonly { readonly id: number }[])[],
): number | null {
  const found = new Set(lookups.flatMap((lookup, at) => (lookup === null ? [] : [rows[at]?.[0]?.id])));
  const [id] = found;
  return found.size === 1 && id !== undefined ? id : null;
}

/** The look-up of a text that is one or the other. Fails with INVALID_PARAMS when it is neither. */
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

/** A stranger and a customer of somebody else are answered alike (D13). */
export function customerNotFound(): Failure {
  return failure('USER_NOT_FOUND', 'There is no such customer (id, email or phone).');
}

/** Nothing more is kept of an erased person, nor with them. */
export function customerErased(): Failure {
  return failure('CUSTOMER_ERASED', 'What was known of this customer has been erased.');
}

/** Whether nothing was said: absent, or nothing but space. */
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
