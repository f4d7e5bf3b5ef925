import { isListedPlaceholder, readEmail, readPhone } from '../../kernel/contacts.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import { comparedName, namesFit } from '../../kernel/person-name.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { beginTrial, keepTrial, undoTrial } from '../../platform/database/transaction-statements.ts';
import { announce } from '../../platform/events/announce.ts';
import { drawHashId } from './customer-identity.ts';
import {
  type CustomerRow,
  dropClaimedPhone,
  fillBlankCustomerFields,
  insertCustomers,
  markPhoneClaimed,
} from './customer-queries.ts';

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

/** The same with the normalized contacts (D32); null also for placeholders (D84). */
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
  refuseLookAlikes(person, `${name}.`);
  const email = blankToUndefined(person.email);
  const phone = blankToUndefined(person.phone);
  const readAsEmail = email === undefined ? undefined : readEmail(email);
  if (readAsEmail === null) throw failure('INVALID_PARAMS', `${name}.email must be an email address`);
  const readAsPhone = phone === undefined ? undefined : readPhone(phone);
  if (readAsPhone === null) {
    throw failure(
      'INVALID_PARAMS',
      `${name}.phone must be a phone number, e.g. (415) 555-0123 or +14155550123`,
    );
  }
  const emailNormalized = readAsEmail?.normalized ?? null;
  const phoneNormalized = readAsPhone?.normalized ?? null;
  const { firstName, lastName, birthday } = person;
  // Names each property: spreading the parsed object takes ten times as long.
  return { firstName, lastName, email, phone, birthday, emailNormalized, phoneNormalized };
}

/** The person without the contacts that are on the shop's list of placeholders (D84). */
export function withoutPlaceholders(
  person: IdentifiedCustomer,
  listed: readonly string[],
): IdentifiedCustomer {
  if (listed.length === 0) return person;
  const kept = (contact: string | null) =>
    contact === null || isListedPlaceholder(contact, listed) ? null : contact;
  return {
    ...person,
    emailNormalized: kept(person.emailNormalized),
    phoneNormalized: kept(person.phoneNormalized),
  };
}

/**
 * D33: the email's owner, else the phone's whose name fits (D85). A phone that was proven finds its profile also under another
 * name, if there is only one.
 */
export function chooseCustomer(
  presented: IdentifiedCustomer,
  candidates: readonly CustomerRow[],
): CustomerRow | null {
  const { emailNormalized, phoneNormalized, isProven } = presented;
  const ofEmail = candidates.find(
    (row) => row.email_normalized !== null && row.email_normalized === emailNormalized,
  );
  if (ofEmail !== undefined) return ofEmail;
  if (phoneNormalized === null || (isProven === true && emailNormalized !== null)) return null;
  const ofPhone = candidates.filter(
    (row) => row.phone_normalized === phoneNormalized && !(isProven === true && row.phone_is_claimed),
  );
  if (isProven === true && ofPhone.length === 1) return ofPhone[0]!;
  return chooseByName(presented, ofPhone);
}

/** The one whose name fits and whose birthday is no other: with the same birthday, else the one who came first. */
function chooseByName(presented: IdentifiedCustomer, rows: readonly CustomerRow[]): CustomerRow | null {
  const birthday = presented.birthday ?? null;
  const fitting = rows
    .filter((row) => birthday === null || row.birthday === null || row.birthday === birthday)
    .filter((row) => namesFit(presented, { firstName: row.first_name, lastName: row.last_name }));
  const byId = fitting.toSorted((a, b) => a.id - b.id);
  return byId.find((row) => birthday !== null && row.birthday === birthday) ?? byId[0] ?? null;
}

/** What two orders without an email race for (`phone_person_key`): the next one finds the profile, as its name fits. */
function phonePersonKeyOf(presented: IdentifiedCustomer): string | null {
  if (presented.emailNormalized !== null || presented.phoneNormalized === null) return null;
  const { given, last, suffix } = comparedName(presented);
  return [presented.phoneNormalized, last, given, suffix, presented.birthday ?? ''].join('|');
}

/**
 * Whether the phone was only claimed (D62): it stands beside an email that is proven, or that a stranger gave, or a stranger
 * gave it who is not its owner by name.
 */
function claimsPhone(
  { emailNormalized, isProven }: IdentifiedCustomer,
  isUnproven: boolean,
  isOfAnother: boolean,
): boolean {
  return (emailNormalized !== null && (isProven === true || isUnproven)) || (isUnproven && isOfAnother);
}

/**
 * D33, for writes: fills the blank fields of an existing customer, or creates a new one. Queues the rows into `tx`. Concurrent requests with the same new customer race for a unique key; the caller runs its transaction
 * again on `customerUniqueConstraints`, and then finds the customer. `isUnproven`: an existing profile stays as it is, as
 * the caller may be another person (D62): a phone that a stranger could add would let them in.
 */
export async function rememberCustomer(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Context,
  origin: Origin,
  nowMs: number,
  presented: IdentifiedCustomer,
  candidates: readonly CustomerRow[],
  { isUnproven = false } = {},
): Promise<{ id: number; fullName: string }> {
  const found = chooseCustomer(presented, candidates);
  const at = isoTimestamp(nowMs);
  const email = presented.emailNormalized === null ? null : (presented.email?.trim() ?? null);
  const othersOfPhone = candidates.filter(
    (row) =>
      row.id !== found?.id &&
      row.phone_normalized !== null &&
      row.phone_normalized === presented.phoneNormalized,
  );
  if (found === null) {
    return addPerson(tx, context, origin, nowMs, presented, { othersOfPhone, isUnproven, isKept: true });
  }
  if (isUnproven) {
    // The time of the reply is that of a stranger's: the rows of a new profile are written, and taken back.
    await addPerson(tx, context, origin, nowMs, alikeStranger(context, presented), {
      ...{ othersOfPhone: [], isUnproven, isKept: false },
    });
    return { id: found.id, fullName: fullNameOf(presented.firstName, presented.lastName) };
  }
  const fill = {
    firstName: found.first_name.trim() === '' ? presented.firstName.trim() : null,
    lastName: found.last_name.trim() === '' ? presented.lastName.trim() : null,
    email: found.email === null ? email : null,
    emailNormalized: found.email_normalized === null ? presented.emailNormalized : null,
    phone: found.phone === null && othersOfPhone.length === 0 ? presented.phoneNormalized : null,
    phoneNormalized:
      found.phone_normalized === null && othersOfPhone.length === 0 ? presented.phoneNormalized : null,
    birthday: found.birthday === null ? (presented.birthday ?? null) : null,
  };
  const filled = Object.entries(fill).filter(([, value]) => value !== null);
  if (filled.length > 0) {
    tx.queue(fillBlankCustomerFields({ id: found.id, ...fill, at }));
    if (fill.phone !== null && claimsPhone(presented, isUnproven, false))
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
  return { id: found.id, fullName: fullNameOf(firstName ?? found.first_name, lastName ?? found.last_name) };
}

/** Queues a new customer, with the phone unless it stands beside an email and belongs to another customer. */
async function addPerson(
  tx: Pick<TenantTransaction, 'queue'>,
  context: Context,
  origin: Origin,
  nowMs: number,
  presented: IdentifiedCustomer,
  {
    othersOfPhone,
    isUnproven,
    isKept,
  }: {
    readonly othersOfPhone: readonly CustomerRow[];
    readonly isUnproven: boolean;
    readonly isKept: boolean;
  },
): Promise<{ id: number; fullName: string }> {
  const at = isoTimestamp(nowMs);
  // Its owner has proven it, and found no profile: it was only claimed there.
  const isOwner = presented.isProven === true && presented.emailNormalized === null;
  const freed = isOwner ? othersOfPhone.filter((row) => row.phone_is_claimed) : [];
  for (const other of freed) {
    tx.queue(dropClaimedPhone({ id: other.id, at }));
    await announce(tx, context, origin, nowMs, {
      event: 'customer.updated',
      subjectType: 'customer',
      subjectId: other.id,
      payload: { customerId: other.id },
      details: { customerId: other.id, fields: ['phone'] },
    });
  }
  const isOfAnother = othersOfPhone.length > freed.length;
  const id = await context.ids.takeOne();
  // Beside an email, another person's phone stays with its owner; alone, it is the phone of both (D85).
  const phone = isOfAnother && presented.emailNormalized !== null ? null : presented.phoneNormalized;
  const claims = phone !== null && claimsPhone(presented, isUnproven, isOfAnother);
  const phonePersonKey = claims ? null : phonePersonKeyOf(presented);
  const row = { ...newCustomer(context, id, presented, phone, at), phonePersonKey, phoneIsClaimed: claims };
  if (isUnproven) tx.queue(beginTrial);
  tx.queue(...insertCustomers([row]));
  await announce(tx, context, origin, nowMs, {
    event: 'customer.created',
    subjectType: 'customer',
    subjectId: id,
    payload: { customerId: id },
  });
  if (isUnproven) tx.queue(isKept ? keepTrial : undoTrial);
  return { id, fullName: fullNameOf(presented.firstName, presented.lastName) };
}

/** The person with contacts of the same form that no other person has. */
function alikeStranger(
  { randomBytes }: Pick<Context, 'randomBytes'>,
  presented: IdentifiedCustomer,
): IdentifiedCustomer {
  const drawn = Buffer.from(randomBytes(12)).toString('hex');
  const email = presented.emailNormalized?.replace(/^[^@]*/, drawn) ?? null;
  const phone = presented.phoneNormalized === null ? null : `~${drawn}`;
  return { ...presented, email, emailNormalized: email, phone, phoneNormalized: phone };
}

/** First and last name; one of them alone where the other is blank. */
export function fullNameOf(firstName: string, lastName: string): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim();
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
    email: presented.emailNormalized === null ? null : (presented.email?.trim() ?? null),
    emailNormalized: presented.emailNormalized,
    phone,
    phoneNormalized: phone,
    birthday: presented.birthday ?? null,
    sex: null,
    zip: null,
    licenseExpiry: null,
    medicalExpiration: null,
    residence: null,
    notes: null,
    patientState: null,
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
