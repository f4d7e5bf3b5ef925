import { readEmail, readPhone } from '../../kernel/contacts.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { statement } from '../../platform/statements/statement.ts';

/** Looks up customers by the fields of a request: id, email, phone. A phone of several people finds none (D85). */

const selectIdOfId = statement<{ id: number }, { id: number }>(
  'select_customer_id_of_id',
  'select id from customers where organization_id = :organizationId and id = :id',
);

/** SQL: the contact in this parameter is not on the shop's list of placeholders (D84; `isListedPlaceholder`). */
export function isNoPlaceholder(parameter: string): string {
  return `not exists (select from organizations z, unnest(z.placeholder_contacts) as e(entry)
         where z.id = :organizationId
           and (e.entry = :${parameter}
                or right(e.entry, 1) = '@' and starts_with(:${parameter}, e.entry)
                or left(e.entry, 1) = '@' and right(:${parameter}, length(e.entry)) = e.entry))`;
}

const selectIdOfEmail = statement<{ emailNormalized: string | null }, { id: number }>(
  'select_customer_id_of_email',
  `select id from customers where organization_id = :organizationId and email_normalized = :emailNormalized
      and ${isNoPlaceholder('emailNormalized')}`,
);

/** Two rows tell that several people have the phone. */
const selectIdOfPhone = statement<{ phoneNormalized: string | null }, { id: number }>(
  'select_customer_id_of_phone',
  `select id from customers where organization_id = :organizationId and phone_normalized = :phoneNormalized
      and ${isNoPlaceholder('phoneNormalized')} order by id limit 100`,
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

/** The only customer that all lookups found, else null. */
export function oneCustomer(
  lookups: readonly unknown[],
  rows: readonly (readonly { readonly id: number }[])[],
): number | null {
  const asked = lookups.flatMap((lookup, at) => (lookup === null ? [] : [rows[at]!.map(({ id }) => id)]));
  const [first = [], ...others] = asked;
  const found = first.filter((id) => others.every((ids) => ids.includes(id)));
  return found.length === 1 ? found[0]! : null;
}

/**
 * The lookup of a text that is an email or a phone number; more than one row: several people have the phone. Fails with
 * INVALID_PARAMS when it is neither.
 */
export function contactLookup(text: string, name: string) {
  const email = readEmail(text);
  if (email !== null) return selectIdOfEmail({ emailNormalized: email.normalized });
  const phone = readPhone(text);
  if (phone !== null) return selectIdOfPhone({ phoneNormalized: phone.normalized });
  throw failure(
    'INVALID_PARAMS',
    `${name} must be an email address or a phone number, e.g. (415) 555-0123 or +14155550123`,
  );
}

/** An unknown customer and another organization's customer get the same response (D13). */
export function customerNotFound(): Failure {
  return failure('USER_NOT_FOUND', 'There is no such customer (id, email or phone).');
}

/** A phone of several people says of none that they are meant (D85). */
export function sharedPhone(): Failure {
  return failure(
    'USER_NOT_FOUND',
    'Several customers have this phone number: name the customer by their email.',
  );
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

/** Null: a placeholder (D84), which finds no customer. */
function requiredEmail(text: string, name: string): string | null {
  const email = readEmail(text);
  if (email === null) throw failure('INVALID_PARAMS', `${name} must be an email address`);
  return email.normalized;
}

function requiredPhone(text: string, name: string): string | null {
  const phone = readPhone(text);
  if (phone === null) {
    throw failure('INVALID_PARAMS', `${name} must be a phone number, e.g. (415) 555-0123 or +14155550123`);
  }
  return phone.normalized;
}
