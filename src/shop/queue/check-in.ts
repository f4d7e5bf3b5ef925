import { assertBorn, assertOldEnough } from '../../engines/jurisdictions/minimum-age.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  chooseCustomer,
  customerErased,
  customerNotFound,
  customerUniqueConstraints,
  identifyPerson,
  lockCustomer,
  lockMatchingCustomers,
  rememberCustomer,
  selectMatchingCustomers,
  withoutPlaceholders,
} from '../customers/customers.ts';
import type { PresentedCustomer } from '../customers/match-customer.ts';
import {
  insertQueueEntries,
  onePlaceConstraint,
  type QueueEntryRow,
  selectPlaceOfShop,
  selectQueueEntry,
  selectWaitingEntry,
} from './queue-queries.ts';

/** Whom to check in: an existing customer, or a person's own details. */
export type Visitor = { readonly customerId: number } | { readonly person: PresentedCustomer };

/** Needs the age; days are YYYY-MM-DD. */
type AgeCheck = (birthday: string | null, medicalExpiration: string | null) => void;

/**
 * Adds a customer to the end of the front desk line (D55) and resolves to their entry; a customer who already waits
 * keeps their entry, in either line. A person is matched as an order's customer is (D33), and created if unknown;
 * email and phone can be absent. Fails with USER_NOT_FOUND, CUSTOMER_ERASED, CUSTOMER_UNDERAGE.
 */
export async function checkIn(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  visitor: Visitor,
): Promise<QueueEntryRow> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const id = await context.database.write(
    organization,
    async (tx) => {
      const [[shop]] = await tx.run(selectPlaceOfShop({}));
      assert(shop !== undefined, 'an authenticated organization exists');
      const { state, tz, placeholder_contacts: listed } = shop;
      const today = localDateAt(nowMs, tz);
      const jurisdiction = context.law.find(state);
      const checkAge: AgeCheck = (birthday, medicalExpiration) => {
        const isMedical = medicalExpiration !== null && medicalExpiration >= today;
        assertBorn({ birthday, today }, 'birthday');
        assertOldEnough({ jurisdiction, today, birthday, isMedical });
      };
      const userId =
        'person' in visitor
          ? await rememberVisitor(tx, context, origin, nowMs, { ...visitor, listed }, checkAge)
          : await visitorOnFile(tx, visitor.customerId, checkAge);
      const [[waiting]] = await tx.run(selectWaitingEntry({ userId }));
      if (waiting !== undefined) return waiting.id;
      const entryId = await context.ids.takeOne();
      tx.queue(...insertQueueEntries([{ id: entryId, userId, line: 'intake', checkedInAt: at, since: at }]));
      await announce(tx, context, origin, nowMs, {
        event: 'queue.checked_in',
        subjectType: 'queue_entry',
        subjectId: entryId,
        payload: { entryId, customerId: userId },
      });
      return entryId;
    },
    { retryOnConstraints: [...customerUniqueConstraints, onePlaceConstraint] },
  );
  const [[entry]] = await context.database.read(organization, selectQueueEntry({ id }));
  if (entry === undefined) throw customerNotFound();
  return entry;
}

async function visitorOnFile(tx: TenantTransaction, id: number, checkAge: AgeCheck): Promise<number> {
  // The lock prevents merging and erasing the customer meanwhile.
  const [[customer]] = await tx.run(lockCustomer({ id }));
  if (customer === undefined) throw customerNotFound();
  if (customer.erased_at !== null) throw customerErased();
  checkAge(customer.birthday, customer.medical_expiration);
  return id;
}

async function rememberVisitor(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { person, listed }: { readonly person: PresentedCustomer; readonly listed: readonly string[] },
  checkAge: AgeCheck,
): Promise<number> {
  const identified = withoutPlaceholders(identifyPerson(person, 'person'), listed);
  const [, candidates] = await tx.run(lockMatchingCustomers(identified), selectMatchingCustomers(identified));
  const known = chooseCustomer(identified, candidates);
  checkAge(known?.birthday ?? person.birthday ?? null, known?.medical_expiration ?? null);
  const { id } = await rememberCustomer(tx, context, origin, nowMs, identified, candidates);
  return id;
}
