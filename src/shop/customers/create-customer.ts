import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { consentSourceOf, recordConsents } from './consents.ts';
import { drawHashId } from './customer-identity.ts';
import { optedInAt, readProfile, type SentProfile } from './customer-profile.ts';
import { customerUniqueConstraints, insertCustomers } from './customer-queries.ts';
import { keptPatientNumber } from './patient-number.ts';

/** Creates a customer and resolves to their id. Fails with INVALID_PARAMS, naming the field. */
export async function createCustomer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  profile: SentProfile,
): Promise<number> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  await context.database.write(organization, (tx) => addCustomer(tx, context, origin, nowMs, id, profile), {
    retryOnConstraints: customerUniqueConstraints,
  });
  return id;
}

/** The same as a part of a transaction, which looks again after `customerUniqueConstraints`. */
export async function addCustomer(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  id: number,
  { patientNumber = null, ...profile }: SentProfile,
): Promise<void> {
  refuseLookAlikes(profile);
  const at = isoTimestamp(nowMs);
  const kept = await readProfile(tx, context, profile, id);
  const source = consentSourceOf(origin);
  tx.queue(
    ...insertCustomers([
      {
        ...kept,
        ...{ phonePersonKey: null, phoneIsClaimed: false },
        id,
        hashId: drawHashId(context.randomBytes),
        marketingOptInAt: optedInAt(kept.marketingOptIn, null, nowMs),
        marketingOptInSource: kept.marketingOptIn ? source : null,
        joinedAt: at,
        updatedAt: at,
      },
    ]),
  );
  const number = await keptPatientNumber(context, tx.organizationId, id, patientNumber, null);
  if (number !== null) tx.queue(number);
  const said = kept.marketingOptIn ? [{ userId: id, isGiven: true, at }] : [];
  await recordConsents(tx, context, origin, source, said);
  await announce(tx, context, origin, nowMs, {
    event: 'customer.created',
    subjectType: 'customer',
    subjectId: id,
    payload: { customerId: id },
  });
}
