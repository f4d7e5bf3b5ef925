import { readEmail, readPhone } from '../../kernel/contacts.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { recordConsents } from './consents.ts';
import { drawHashId } from './customer-identity.ts';
import { type CustomerRow, insertCustomers } from './customer-queries.ts';

/** A customer with their profile; days are YYYY-MM-DD, moments milliseconds since the epoch. */
export interface ImportedCustomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly birthday: string | null;
  readonly sex: 'male' | 'female' | 'tertiary' | null;
  readonly zip: string | null;
  readonly licenseExpiry: string | null;
  readonly medicalExpiration: string | null;
  readonly marketingOptInAtMs: number | null;
  readonly joinedAtMs: number;
}

/** Imports customers who do not exist yet: all or none. Resolves to their rows. */
export async function importCustomers(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  people: readonly ImportedCustomer[],
): Promise<CustomerRow[]> {
  const nowMs = context.clock.now();
  const ids = await context.ids.take(people.length);
  const rows = people.map((person, index): CustomerRow => {
    const phone = person.phone === null ? null : (readPhone(person.phone)?.normalized ?? null);
    return {
      id: ids[index]!,
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      email_normalized: person.email === null ? null : (readEmail(person.email)?.normalized ?? null),
      phone,
      phone_normalized: phone,
      phone_is_claimed: false,
      birthday: person.birthday,
      medical_expiration: person.medicalExpiration,
      residence: null,
      tax_exempt: null,
    };
  });
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertCustomers(
        people.map((person, index) => {
          const row = rows[index]!;
          return {
            id: row.id,
            hashId: drawHashId(context.randomBytes),
            firstName: row.first_name,
            lastName: row.last_name,
            email: row.email,
            emailNormalized: row.email_normalized,
            phone: row.phone,
            phoneNormalized: row.phone_normalized,
            ...{ phonePersonKey: null, phoneIsClaimed: false },
            birthday: row.birthday,
            sex: person.sex,
            zip: person.zip,
            licenseExpiry: person.licenseExpiry,
            medicalExpiration: row.medical_expiration,
            residence: null,
            notes: null,
            patientState: null,
            marketingOptIn: person.marketingOptInAtMs !== null,
            marketingOptInAt:
              person.marketingOptInAtMs === null ? null : isoTimestamp(person.marketingOptInAtMs),
            marketingOptInSource: person.marketingOptInAtMs === null ? null : 'import',
            taxExempt: row.tax_exempt,
            joinedAt: isoTimestamp(person.joinedAtMs),
            updatedAt: isoTimestamp(person.joinedAtMs),
          };
        }),
      ),
    );
    const said = people.flatMap(({ marketingOptInAtMs: atMs }, index) =>
      atMs === null ? [] : [{ userId: rows[index]!.id, isGiven: true, at: isoTimestamp(atMs) }],
    );
    await recordConsents(tx, context, origin, 'import', said);
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...rows.map((row) => ({
        event: 'customer.created' as const,
        subjectType: 'customer' as const,
        subjectId: row.id,
        payload: { customerId: row.id },
      })),
    );
  });
  return rows;
}
