import Type, { type Static } from 'typebox';
import { Failure, failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import { comparedName, namesFit } from '../../kernel/person-name.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { Cents, Flag, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
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
import { type FormerAccount, openFormerAccounts, selectFormerCustomers } from './former-accounts.ts';
import { keptPatientNumber, readPatientNumber } from './patient-number.ts';

const Row = Type.Object({
  ...NewCustomer.properties,
  joinedAt: Type.Optional(Timestamp({ description: 'Not in the future; default: the moment of the import' })),
  marketingOptInAt: Type.Optional(
    Nullable(Timestamp({ description: 'When the consent was given; default: the moment of the import' })),
  ),
  /** What tills ask for each channel. Here one consent is for every channel: it needs each yes that was asked for, and no refusal. */
  emailOptIn: Type.Optional(Nullable(Flag())),
  smsOptIn: Type.Optional(Nullable(Flag())),
  optedOut: Type.Optional(Nullable(Flag())),
  till: Type.Optional(Text({ min: 1, max: 40 })),
  formerId: Type.Optional(Nullable(Text({ min: 1, max: 100 }))),
  points: Type.Optional(Nullable(Text({ min: 1, max: 40 }))),
  credit: Type.Optional(Nullable(Cents({ max: 100_000_000 }))),
  /** Whether it is a customer of an export. */
  exported: Type.Optional(Flag()),
});

const validate = requestValidator({ body: Row, resourceParams: {} });

export interface NewCustomerRow {
  readonly profile: KeptProfile;
  readonly patientNumber: string | null;
  readonly joinedAt: string | null;
  /** Null: now, if there is a consent. */
  readonly marketingOptInAt: string | null;
  /** What the customer brings along from another till; null: nothing. */
  readonly former: FormerAccount | null;
}

/** The fields that an export has in the form of a request. */
const sameFields = [
  ...[
    'firstName',
    'lastName',
    'email',
    'phone',
    'birthday',
    'sex',
    'zip',
    'licenseExpiry',
    'medicalExpiration',
    'residence',
    'notes',
    'patientState',
  ],
  ...['marketingOptIn', 'marketingOptInAt', 'taxExempt', 'joinedAt'],
] as const;

/** The row of a customer as the staff's list and an export have one. Null: it is none; a text: why it is left out. */
export function exportedCustomer(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | string | null {
  if (!('hashId' in values) || !('marketingOptIn' in values)) return null;
  if (typeof values.erasedAt === 'string') return 'is a customer whose data were erased, and was left out';
  const fields = sameFields.flatMap((field) => (field in values ? [[field, values[field]]] : []));
  return { ...Object.fromEntries(fields), exported: true };
}

/**
 * Parses one customer of an import: the body of the staff's `POST customers` with `joinedAt`; unknown names are
 * refused. Fails with MISSING_PARAMS and INVALID_PARAMS, also without email, phone and birthday, because a second run could
 * not recognize the customer. A placeholder of a contact (D84) is left out.
 */
export function readCustomerRow(body: unknown): NewCustomerRow {
  // The validator has checked it by the schema of this type.
  const {
    joinedAt,
    marketingOptInAt = null,
    exported,
    patientNumber,
    emailOptIn,
    smsOptIn,
    optedOut,
    till,
    formerId,
    points,
    credit,
    ...sent
  } = validate({}, {}, body, true).body as Static<typeof Row>;
  // A cell may have several lines, a name has none.
  const [firstName, lastName] = [sent.firstName, sent.lastName].map((name) =>
    name.replace(/\s+/g, ' ').trim(),
  );
  const consents = [sent.marketingOptIn, emailOptIn, smsOptIn].filter((said) => typeof said === 'boolean');
  const profile = keptProfile({
    ...{ ...blankProfile, ...sent, firstName: firstName!, lastName: lastName! },
    marketingOptIn: consents.length > 0 && consents.every(Boolean) && optedOut !== true,
  });
  refuseLookAlikes(profile);
  // One of an export is recognized by name and the moment of joining, one of another till by its number there.
  const isKnowable = (exported === true && joinedAt !== undefined) || typeof formerId === 'string';
  const isAlone = profile.email === null && profile.phone === null;
  if (isAlone && !isKnowable && (isBlank(sent) || profile.birthday === null)) {
    // Either of the two is enough, so `missing` names neither.
    throw failure(
      'MISSING_PARAMS',
      isBlank(sent)
        ? 'email or phone must be present.'
        : 'email and phone are placeholders: a real one, or birthday, must be present.',
    );
  }
  const former = readFormer({ till, formerId, points, credit });
  return {
    ...{ profile, marketingOptInAt, joinedAt: joinedAt ?? null, former },
    patientNumber: readPatientNumber(patientNumber ?? null),
  };
}

/** A shop that moves from several tills names them in its mappings. */
const unnamedTill = 'the former till';

/** More than any shop owes a customer; fewer digits than a number loses. */
const pointsMax = 100_000_000;

function readFormer({
  till = unnamedTill,
  formerId = null,
  points = null,
  credit = null,
}: {
  readonly till: string | undefined;
  readonly formerId: string | null | undefined;
  readonly points: string | null | undefined;
  readonly credit: number | null | undefined;
}): FormerAccount | null {
  if (points !== null && !(/^\d+(\.\d{1,4})?$/.test(points) && Number(points) <= pointsMax)) {
    throw failure(
      'INVALID_PARAMS',
      'points must be a number from 0 to 100,000,000, with at most 4 decimals.',
    );
  }
  if (formerId === null && points === null && credit === null) return null;
  return { till, formerId, points: points ?? '0', creditCents: credit ?? 0 };
}

function isBlank({ email, phone }: Pick<Static<typeof NewCustomer>, 'email' | 'phone'>): boolean {
  return `${email ?? ''}${phone ?? ''}`.trim() === '';
}

/** The keys that distinguish a customer from all others of a file. */
export function customerRowKeys({ profile, joinedAt, former }: NewCustomerRow): readonly string[] {
  const { emailNormalized, phoneNormalized, birthday } = profile;
  const { given, last, suffix } = comparedName(profile);
  const name = `${given} ${last} ${suffix} ${birthday ?? ''}`;
  return [
    ...(former === null || former.formerId === null ? [] : [`formerId ${former.till} ${former.formerId}`]),
    ...(emailNormalized === null ? [] : [`email ${emailNormalized}`]),
    ...(phoneNormalized === null ? [] : [`phone ${phoneNormalized} of ${name}`]),
    ...(emailNormalized === null && phoneNormalized === null && former?.formerId == null
      ? [`name ${name} ${birthday ?? joinedAt}`]
      : []),
  ];
}

/** What names a customer of an export without email, phone and birthday. */
function joinedKey(firstName: string, lastName: string, joinedMs: number): string {
  return JSON.stringify([firstName, lastName, joinedMs]);
}

interface KnownRow {
  id: number;
  first_name: string;
  last_name: string;
  birthday: string | null;
  joined_at: number;
  email_normalized: string | null;
  phone_normalized: string | null;
}

const knownColumns =
  'id, first_name, last_name, birthday::text as birthday, joined_at, email_normalized, phone_normalized';

const selectCustomersOfContacts = statement<
  {
    emails: readonly string[];
    phones: readonly string[];
    birthdays: readonly string[];
    moments: readonly string[];
  },
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
    where organization_id = :organizationId and birthday = any(:birthdays::date[]) and erased_at is null
    union
   select ${knownColumns} from customers
    where organization_id = :organizationId and joined_at = any(:moments::timestamptz[]) and erased_at is null`,
);

/** The customers on file among whom a row of an import may be, by what it can be recognized by. */
class KnownCustomers {
  readonly #ofEmail: Map<string | null, readonly KnownRow[]>;
  readonly #ofPhone: Map<string | null, readonly KnownRow[]>;
  readonly #ofBirthday: Map<string | null, readonly KnownRow[]>;
  readonly #ofJoining: Map<string, readonly KnownRow[]>;

  constructor(rows: readonly KnownRow[]) {
    this.#ofEmail = groupBy(rows, (row) => row.email_normalized);
    this.#ofPhone = groupBy(rows, (row) => row.phone_normalized);
    this.#ofBirthday = groupBy(rows, (row) => row.birthday);
    this.#ofJoining = groupBy(rows, (row) => joinedKey(row.first_name, row.last_name, row.joined_at));
  }

  /** The customer of an email, else of a phone with a name that fits; of a row without both, by name and birthday, else joining. */
  find(profile: KeptProfile, joinedAt: string | null): KnownRow | undefined {
    const { emailNormalized, phoneNormalized, birthday } = profile;
    const ofEmail = emailNormalized === null ? undefined : this.#ofEmail.get(emailNormalized)?.[0];
    if (ofEmail !== undefined) return ofEmail;
    const fits = (row: KnownRow) =>
      namesFit(profile, { firstName: row.first_name, lastName: row.last_name }) &&
      (birthday === null || row.birthday === null || row.birthday === birthday);
    if (phoneNormalized !== null) return this.#ofPhone.get(phoneNormalized)?.find(fits);
    if (emailNormalized !== null) return undefined;
    if (birthday !== null) return this.#ofBirthday.get(birthday)?.find(fits);
    if (joinedAt === null) return undefined;
    return this.#ofJoining.get(joinedKey(profile.firstName, profile.lastName, Date.parse(joinedAt)))?.[0];
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
      const [known, [shop], former] = await tx.run(
        selectCustomersOfContacts({
          emails: rows.flatMap(({ profile }) => profile.emailNormalized ?? []),
          phones: rows.flatMap(({ profile }) => profile.phoneNormalized ?? []),
          birthdays: rows.flatMap(({ profile }) => profile.birthday ?? []),
          // Only of those who have nothing else: an index of joining is for pages of a list.
          moments: rows.flatMap(({ profile, joinedAt }) => (isNameless(profile) ? (joinedAt ?? []) : [])),
        }),
        selectShopOfCustomers({}),
        selectFormerCustomers(numbersOf(rows)),
      );
      const formerOnFile = new Map(former.map((row) => [formerKey(row.till, row.former_id), row]));
      const ofNumber = (row: NewCustomerRow) =>
        formerOnFile.get(formerKey(row.former?.till ?? '', row.former?.formerId ?? ''));
      const onFile = new KnownCustomers(known);
      const ids = await context.ids.take(rows.length);
      const kept = rows.map((row) => ({
        ...row,
        profile: keptProfile(row.profile, shop!.placeholder_contacts),
      }));
      const outcomes = kept.map((row, index): ImportOutcome => {
        const came = ofNumber(row);
        if (came !== undefined) return cameBefore(came, row);
        const found = onFile.find(row.profile, row.joinedAt);
        if (found !== undefined) return knownOutcome(found, row.profile);
        const problem = problemOf(row, nowMs, shop!.tz);
        return problem === null
          ? { kind: 'created', id: isTrial ? 0 : ids[index]! }
          : { kind: 'refused', problem };
      });
      const fresh = outcomes.flatMap((it, index) =>
        it.kind === 'created' ? [{ id: it.id, row: kept[index]! }] : [],
      );
      if (isTrial) return outcomes;
      if (fresh.length > 0) tx.queue(...newCustomers(context, nowMs, fresh));
      await openFormerAccounts(tx, context, origin, nowMs, accountsToOpen(kept, outcomes, ofNumber));
      if (fresh.length === 0) return outcomes;
      for (const { id, row } of fresh) {
        const number = await keptPatientNumber(context, organization, id, row.patientNumber, null);
        if (number !== null) tx.queue(number);
      }
      const said = fresh
        .filter(({ row }) => row.profile.marketingOptIn)
        .map(({ id, row }) => ({
          userId: id,
          isGiven: true,
          at: row.marketingOptInAt ?? isoTimestamp(nowMs),
        }));
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
    // Another import of the same people at the same time: the second try finds them.
    { retryOnConstraints: [...customerUniqueConstraints, 'former_customers_pkey'] },
  );
}

function numbersOf(rows: readonly NewCustomerRow[]) {
  const numbered = rows.flatMap(({ former }) =>
    former === null || former.formerId === null ? [] : [{ till: former.till, formerId: former.formerId }],
  );
  return {
    tills: numbered.map(({ till }) => till),
    formerIds: numbered.map(({ formerId }) => formerId),
  };
}

/** A customer who came in an earlier import, with what came then. */
interface CameBefore {
  readonly user_id: number;
  readonly points: string;
  readonly credit_cents: number;
}

function cameBefore(came: CameBefore, { former }: NewCustomerRow): ImportOutcome {
  const isSame = Number(came.points) === Number(former!.points);
  if (isSame && came.credit_cents === former!.creditCents) return { kind: 'known', id: came.user_id };
  const message = 'is not what it was when the customer came; the account here was not changed';
  return { kind: 'known', id: came.user_id, warnings: [{ path: isSame ? 'credit' : 'points', message }] };
}

/** One who was here already brings along what is owed elsewhere, once: the number at the former till tells. */
function accountsToOpen(
  rows: readonly NewCustomerRow[],
  outcomes: readonly ImportOutcome[],
  ofNumber: (row: NewCustomerRow) => CameBefore | undefined,
) {
  return outcomes.flatMap((it, index) => {
    const { former } = rows[index]!;
    if (former === null || it.kind === 'refused' || ofNumber(rows[index]!) !== undefined) return [];
    return it.kind === 'known' && former.formerId === null ? [] : [{ ...former, userId: it.id }];
  });
}

function formerKey(till: string, formerId: string): string {
  return JSON.stringify([till, formerId]);
}

/** Whether nothing but name and moment of joining tells who it is. */
function isNameless({ emailNormalized, phoneNormalized, birthday }: KeptProfile): boolean {
  return emailNormalized === null && phoneNormalized === null && birthday === null;
}

/** A row that is taken for a known customer is told when the names do not fit (D84); names are not repeated. */
function knownOutcome(
  { id, first_name: firstName, last_name: lastName }: KnownRow,
  profile: KeptProfile,
): ImportOutcome {
  if (namesFit(profile, { firstName, lastName })) return { kind: 'known', id };
  const message = `belongs to customer ${id}, so the row was taken for that one: check it, as the names differ`;
  return { kind: 'known', id, warnings: [{ path: 'email', message }] };
}

function problemOf(
  { profile, joinedAt, marketingOptInAt }: NewCustomerRow,
  nowMs: number,
  tz: string,
): Failure | null {
  try {
    refuseFutureBirthday(profile.birthday, nowMs, tz);
    if (joinedAt !== null && Date.parse(joinedAt) > nowMs) {
      throw failure('INVALID_PARAMS', 'joinedAt must not be in the future.');
    }
    if (marketingOptInAt !== null && Date.parse(marketingOptInAt) > nowMs) {
      throw failure('INVALID_PARAMS', 'marketingOptInAt must not be in the future.');
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
    fresh.map(({ id, row: { profile, joinedAt, marketingOptInAt } }) => ({
      ...profile,
      ...{ phonePersonKey: null, phoneIsClaimed: false },
      id,
      hashId: drawHashId(context.randomBytes),
      marketingOptInAt: optedInAt(
        profile.marketingOptIn,
        marketingOptInAt === null ? null : Date.parse(marketingOptInAt),
        nowMs,
      ),
      marketingOptInSource: profile.marketingOptIn ? 'import' : null,
      joinedAt: joinedAt ?? at,
      updatedAt: at,
    })),
  );
}
