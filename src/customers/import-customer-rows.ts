import Type, { type Static } from 'typebox';
import type { Context, Origin } from '../database/context.ts';
import { type BoundStatement, statement } from '../database/statement.ts';
import { announce } from '../events/announce.ts';
import { requestValidator } from '../http/request-validation.ts';
import { Timestamp } from '../http/schemas.ts';
import { Failure, failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { ImportOutcome } from '../kernel/import-outcome.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { recordConsents } from './consents.ts';
import { drawHashId } from './customer-identity.ts';
import { selectTimeZone } from './customer-list-queries.ts';
import {
  blankProfile,
  type KeptProfile,
  keptProfile,
  optedInAt,
  refuseFutureBirthday,
} from './customer-profile.ts';
import { customerUniqueConstraints, insertCustomers } from './customer-queries.ts';
import { NewCustomer } from './customer-schemas.ts';

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
 * refused. Fails with MISSING_PARAMS and INVALID_PARAMS, also without email and phone, because a second run could not
 * recognize the customer.
 */
export function readCustomerRow(body: unknown): NewCustomerRow {
  // The validator has checked it by the schema of this type.
  const { joinedAt, ...sent } = validate({}, {}, body, true).body as Static<typeof Row>;
  const profile = keptProfile({ ...blankProfile, ...sent });
  if (profile.email === null && profile.phone === null) {
    // Either of the two is enough, so `missing` names neither.
    throw failure('MISSING_PARAMS', 'email or phone must be present.');
  }
  return { profile, joinedAt: joinedAt ?? null };
}

/** The keys that distinguish a customer from all others of a file. */
export function customerRowKeys({ profile }: NewCustomerRow): readonly string[] {
  const { emailNormalized, phoneNormalized } = profile;
  return [
    ...(emailNormalized === null ? [] : [`email ${emailNormalized}`]),
    ...(phoneNormalized === null ? [] : [`phone ${phoneNormalized}`]),
  ];
}

const selectCustomersOfContacts = statement<
  { emails: readonly string[]; phones: readonly string[] },
  { id: number; email_normalized: string | null; phone_normalized: string | null }
>(
  'select_customers_of_contacts',
  `select id, email_normalized, phone_normalized from customers
    where organization_id = :organizationId and email_normalized = any(:emails)
    union
   select id, email_normalized, phone_normalized from customers
    where organization_id = :organizationId and phone_normalized = any(:phones)`,
);

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
        }),
        selectTimeZone({}),
      );
      const ofEmail = new Map(known.map((row) => [row.email_normalized, row.id]));
      const ofPhone = new Map(known.map((row) => [row.phone_normalized, row.id]));
      const ids = await context.ids.take(rows.length);
      const outcomes = rows.map(({ profile, joinedAt }, index): ImportOutcome => {
        const { emailNormalized, phoneNormalized } = profile;
        const id =
          (emailNormalized === null ? undefined : ofEmail.get(emailNormalized)) ??
          (phoneNormalized === null ? undefined : ofPhone.get(phoneNormalized));
        if (id !== undefined) return { kind: 'known', id };
        const problem = problemOf({ profile, joinedAt }, nowMs, shop!.tz);
        return problem === null
          ? { kind: 'created', id: isTrial ? 0 : ids[index]! }
          : { kind: 'refused', problem };
      });
      const fresh = outcomes.flatMap((it, index) =>
        it.kind === 'created' ? [{ id: it.id, row: rows[index]! }] : [],
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
      id,
      hashId: drawHashId(context.randomBytes),
      marketingOptInAt: optedInAt(profile.marketingOptIn, null, nowMs),
      marketingOptInSource: profile.marketingOptIn ? 'import' : null,
      joinedAt: joinedAt ?? at,
      updatedAt: at,
    })),
  );
}
