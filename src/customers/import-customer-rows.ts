import Type, { type Static } from 'typebox';
import type { Context, Origin } from '../database/context.ts';
import { type BoundStatement, statement } from '../database/statement.ts';
import { announce } from '../events/announce.ts';
import { requestValidator } from '../http/request-validation.ts';
import { Timestamp } from '../http/schemas.ts';
import { Failure, failure } from '../kernel/failure.ts';
import { groupBy } from '../kernel/group-by.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { ImportOutcome } from '../kernel/import-outcome.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { recordConsents } from './consents.ts';
import { drawHashId } from './customer-identity.ts';
import { selectShopOfCustomers } from './customer-list-queries.ts';
import {
  blankProfile,
  type KeptProfile,
  keptProfile,
  optedInAt,
  refuseFutureBirthday,
} from './customer-profile.ts';
import { customerUniqueConstraints, insertCustomers } from './customer-queries.ts';
import { NewCustomer } from './customer-schemas.ts';
import { comparedName, namesFit } from './person-name.ts';

const Row = Type.Object({
  ...NewCustomer.properties,
  joinedAt: Type.Optional(Timestamp({ description: 'Not in the future; default: the moment of the import' })),
});

const validate = requestValidator({ body: Row, resourceParams: {} });

export interface NewCustomerRow {
  readonly profile: KeptProfile;
  readonly joinedAt: string | null;
}

/**
 * Parses one customer of an import: the body of the staff's `POST customers` with `joinedAt`; unknown names are
 * refused. Fails with MISSING_PARAMS and INVALID_PARAMS, also without email, phone and birthday, because a second run could
 * not recognize the customer. A placeholder of a contact (D84) is left out.
 */
export function readCustomerRow(body: unknown): NewCustomerRow {
  // The validator has checked it by the schema of this type.
  const { joinedAt, ...sent } = validate({}, {}, body, true).body as Static<typeof Row>;
  const profile = keptProfile({ ...blankProfile, ...sent });
  if (profile.email === null && profile.phone === null && (isBlank(sent) || profile.birthday === null)) {
    // Either of the two is enough, so `missing` names neither.
    throw failure(
      'MISSING_PARAMS',
      isBlank(sent)
        ? 'email or phone must be present.'
        : 'email and phone are placeholders: a real one, or birthday, must be present.',
    );
  }
  return { profile, joinedAt: joinedAt ?? null };
}

function isBlank({ email, phone }: Static<typeof NewCustomer>): boolean {
  return `${email ?? ''}${phone ?? ''}`.trim() === '';
}

/** The keys that distinguish a customer from all others of a file. */
export function customerRowKeys({ profile }: NewCustomerRow): readonly string[] {
  const { emailNormalized, phoneNormalized, birthday } = profile;
  const { given, last, suffix } = comparedName(profile);
  const name = `${given} ${last} ${suffix} ${birthday ?? ''}`;
  return [
    ...(emailNormalized === null ? [] : [`email ${emailNormalized}`]),
    ...(phoneNormalized === null ? [] : [`phone ${phoneNormalized} of ${name}`]),
    ...(emailNormalized === null && phoneNormalized === null ? [`name ${name}`] : []),
  ];
}

interface KnownRow {
  id: number;
  first_name: string;
  last_name: string;
  birthday: string | null;
  email_normalized: string | null;
  phone_normalized: string | null;
}

const knownColumns =
  'id, first_name, last_name, birthday::text as birthday, email_normalized, phone_normalized';

const selectCustomersOfContacts = statement<
  { emails: readonly string[]; phones: readonly string[]; birthdays: readonly string[] },
  KnownRow
>(
  'select_customers_of_contacts',
  `select ${knownColumns} from customers
    where organization_id = :organizationId and email_normalized = any(:emails)
    union
   select ${knownColumns} from customers
    where organization_id = :organizationId and phone_normalized = any(:phones)
    union
   select ${knownColumns} from customers
    where organization_id = :organizationId and birthday = any(:birthdays::date[]) and erased_at is null`,
);

/** The customers on file among whom a row of an import may be, by what it can be recognized by. */
class KnownCustomers {
  readonly #ofEmail: Map<string | null, readonly KnownRow[]>;
  readonly #ofPhone: Map<string | null, readonly KnownRow[]>;
  readonly #ofBirthday: Map<string | null, readonly KnownRow[]>;

  constructor(rows: readonly KnownRow[]) {
    this.#ofEmail = groupBy(rows, (row) => row.email_normalized);
    this.#ofPhone = groupBy(rows, (row) => row.phone_normalized);
    this.#ofBirthday = groupBy(rows, (row) => row.birthday);
  }

  /** The customer of an email, else of a phone with a name that fits; of a row without both, by name and birthday. */
  find(profile: KeptProfile): KnownRow | undefined {
    const { emailNormalized, phoneNormalized, birthday } = profile;
    const ofEmail = emailNormalized === null ? undefined : this.#ofEmail.get(emailNormalized)?.[0];
    if (ofEmail !== undefined) return ofEmail;
    const fits = (row: KnownRow) =>
      namesFit(profile, { firstName: row.first_name, lastName: row.last_name }) &&
      (birthday === null || row.birthday === null || row.birthday === birthday);
    if (phoneNormalized !== null) return this.#ofPhone.get(phoneNormalized)?.find(fits);
    return emailNormalized === null ? this.#ofBirthday.get(birthday)?.find(fits) : undefined;
  }
}

/**
 * Creates many customers in one transaction, by the same rules as one, each with an audit entry and an event. An
 * existing customer, by email, else by phone (D33), stays unchanged. Resolves to the result of each, in order.
 * `isTrial` writes nothing; ids are then 0. The keys of the rows must be distinct.
 */
export async function importCustomerRows(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  rows: readonly NewCustomerRow[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<ImportOutcome[]> {
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [known, [shop]] = await tx.run(
        selectCustomersOfContacts({
          emails: rows.flatMap(({ profile }) => profile.emailNormalized ?? []),
          phones: rows.flatMap(({ profile }) => profile.phoneNormalized ?? []),
          birthdays: rows.flatMap(({ profile }) => profile.birthday ?? []),
        }),
        selectShopOfCustomers({}),
      );
      const onFile = new KnownCustomers(known);
      const ids = await context.ids.take(rows.length);
      const kept = rows.map(({ profile, joinedAt }) => ({
        profile: keptProfile(profile, shop!.placeholder_contacts),
        joinedAt,
      }));
      const outcomes = kept.map(({ profile, joinedAt }, index): ImportOutcome => {
        const id = onFile.find(profile)?.id;
        if (id !== undefined) return { kind: 'known', id };
        const problem = problemOf({ profile, joinedAt }, nowMs, shop!.tz);
        return problem === null
          ? { kind: 'created', id: isTrial ? 0 : ids[index]! }
          : { kind: 'refused', problem };
      });
      const fresh = outcomes.flatMap((it, index) =>
        it.kind === 'created' ? [{ id: it.id, row: kept[index]! }] : [],
      );
      if (isTrial || fresh.length === 0) return outcomes;
      tx.queue(...newCustomers(context, nowMs, fresh));
      const said = fresh
        .filter(({ row }) => row.profile.marketingOptIn)
        .map(({ id }) => ({ userId: id, isGiven: true, at: isoTimestamp(nowMs) }));
      await recordConsents(tx, context, origin, 'import', said);
      await announce(
        tx,
        context,
        origin,
        nowMs,
        ...fresh.map(({ id }) => ({
          event: 'customer.created' as const,
          subjectType: 'customer' as const,
          subjectId: id,
          payload: { customerId: id },
        })),
      );
      return outcomes;
    },
    { retryOnConstraints: customerUniqueConstraints },
  );
}

function problemOf({ profile, joinedAt }: NewCustomerRow, nowMs: number, tz: string): Failure | null {
  try {
    refuseFutureBirthday(profile.birthday, nowMs, tz);
    if (joinedAt !== null && Date.parse(joinedAt) > nowMs) {
      throw failure('INVALID_PARAMS', 'joinedAt must not be in the future.');
    }
    return null;
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  }
}

function newCustomers(
  context: Pick<Context, 'randomBytes'>,
  nowMs: number,
  fresh: readonly { readonly id: number; readonly row: NewCustomerRow }[],
): BoundStatement<never>[] {
  const at = isoTimestamp(nowMs);
  return insertCustomers(
    fresh.map(({ id, row: { profile, joinedAt } }) => ({
      ...profile,
      phonePersonKey: null,
      id,
      hashId: drawHashId(context.randomBytes),
      marketingOptInAt: optedInAt(profile.marketingOptIn, null, nowMs),
      marketingOptInSource: profile.marketingOptIn ? 'import' : null,
      joinedAt: joinedAt ?? at,
      updatedAt: at,
    })),
  );
}
