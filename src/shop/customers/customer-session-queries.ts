import { insertMany, statement } from '../../platform/statements/statement.ts';
import { isNoPlaceholder } from './find-customer.ts';

/** All SQL on codes and sessions of customers (D62). */

/** The contact is an email or a phone number. */
type OfContact = { integratorId: number; contact: string };

/** Counts of the present hour; a new hour begins with the first use after the former one. */
interface CodeRow {
  sends: number;
  tries: number;
  code_digest: Buffer | null;
  code_expires_at: number | null;
  /** The delivery with the code, if it went to a phone. */
  delivery_id: number | null;
}

/**
 * Locks what all integrators of a shop counted for a contact, in one order, and adds up what the others had in this hour: keys
 * of several integrators get no more codes and tries than one.
 */
export const countCodesOfOthers = statement<
  OfContact & { hourAgo: string },
  { sends: number; tries: number }
>(
  'count_codes_of_others',
  `with counted as (
     select integrator_id, sends, tries, hour_started_at from customer_codes
      where organization_id = :organizationId and contact = :contact order by integrator_id for update)
   select coalesce(sum(sends), 0)::int as sends, coalesce(sum(tries), 0)::int as tries from counted
    where integrator_id <> :integratorId and hour_started_at > :hourAgo`,
);

/** Creates or locks the row of a contact, and begins a new hour if the former one is over. */
export const openCustomerCode = statement<OfContact & { at: string; hourAgo: string }, CodeRow>(
  'open_customer_code',
  `insert into customer_codes as c (organization_id, integrator_id, contact, hour_started_at, sends, tries)
   values (:organizationId, :integratorId, :contact, :at, 0, 0)
   on conflict (organization_id, integrator_id, contact) do update
     set sends = case when c.hour_started_at <= :hourAgo then 0 else c.sends end,
         tries = case when c.hour_started_at <= :hourAgo then 0 else c.tries end,
         hour_started_at = case when c.hour_started_at <= :hourAgo then excluded.hour_started_at else c.hour_started_at end
   where c.organization_id = :organizationId
   returning sends, tries, code_digest, code_expires_at, delivery_id`,
);

export const setCustomerCode = statement<
  OfContact & { digest: Uint8Array; expiresAt: string; deliveryId: number | null },
  never
>(
  'set_customer_code',
  `update customer_codes set code_digest = :digest, code_expires_at = :expiresAt, delivery_id = :deliveryId,
          sends = sends + 1
    where organization_id = :organizationId and integrator_id = :integratorId and contact = :contact`,
);

export const countCodeTry = statement<OfContact & { isRight: boolean }, never>(
  'count_code_try',
  `update customer_codes
      set tries = tries + 1, code_digest = case when :isRight then null else code_digest end
    where organization_id = :organizationId and integrator_id = :integratorId and contact = :contact`,
);

/** A few with each new code, so that no job is needed. */
export const dropOldCustomerCodes = statement<{ before: string }, never>(
  'drop_old_customer_codes',
  `delete from customer_codes where organization_id = :organizationId and (integrator_id, contact) in (
     select integrator_id, contact from customer_codes
      where organization_id = :organizationId and hour_started_at < :before
      order by hour_started_at limit 20 for update skip locked)`,
);

/** Some of the codes whose hour began before that time. */
export const deleteOldCodes = statement<{ before: string; limit: number }, { contact: string }>(
  'delete_old_codes_of_customers',
  `delete from customer_codes where organization_id = :organizationId and (integrator_id, contact) in (
     select integrator_id, contact from customer_codes
      where organization_id = :organizationId and hour_started_at < :before
      order by hour_started_at limit :limit for update skip locked)
   returning contact`,
);

/** Some of the sessions that ended before that time. */
export const deleteEndedCustomerSessions = statement<{ before: string; limit: number }, { id: number }>(
  'delete_ended_customer_sessions',
  `delete from customer_sessions where organization_id = :organizationId and id in (
     select id from customer_sessions where organization_id = :organizationId and expires_at < :before
      order by expires_at limit :limit for update skip locked)
   returning id`,
);

export const insertCustomerSessions = insertMany<{
  id: number;
  integratorId: number;
  contact: string;
  digest: Uint8Array;
  createdAt: string;
  expiresAt: string;
}>('customer_sessions', {
  id: 'id',
  integratorId: 'integrator_id',
  contact: 'contact',
  digest: 'digest',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
});

/** The oldest sessions of a contact beyond the newest `kept`, and those that are over. */
export const dropOldCustomerSessions = statement<{ contact: string; kept: number; at: string }, never>(
  'drop_old_customer_sessions',
  `delete from customer_sessions where organization_id = :organizationId and contact = :contact
      and (expires_at <= :at or id in (
        select id from customer_sessions where organization_id = :organizationId and contact = :contact
         order by id desc offset :kept))`,
);

export const findCustomerSession = statement<
  { digest: Uint8Array; integratorId: number; at: string },
  { id: number; contact: string; digest: Buffer }
>(
  'find_customer_session',
  `select id, contact, digest from customer_sessions
    where organization_id = :organizationId and digest = :digest and integrator_id = :integratorId
      and expires_at > :at`,
);

export const deleteCustomerSession = statement<{ digest: Uint8Array; integratorId: number }, { id: number }>(
  'delete_customer_session',
  `delete from customer_sessions
    where organization_id = :organizationId and digest = :digest and integrator_id = :integratorId returning id`,
);

/** The profile of a proven contact `c`: a phone that was only claimed, or that several people have (D85), opens none. */
export const hasProvenContact = `(c.email_normalized = :contact
          or (c.phone_normalized = :contact and not c.phone_is_claimed
              and not exists (select from customers other
                   where other.organization_id = :organizationId and other.phone_normalized = :contact
                     and other.id <> c.id and not other.phone_is_claimed)))
      and ${isNoPlaceholder('contact')}`;

/** What the owner of a contact may see of the profile with it. */
export const selectSignedInCustomer = statement<
  { contact: string },
  { id: number; first_name: string; last_name: string; phone: string | null; birthday: string | null }
>(
  'select_signed_in_customer',
  `select c.id, c.first_name, c.last_name, c.phone, c.birthday::text as birthday from customers c
    where c.organization_id = :organizationId and ${hasProvenContact}`,
);

/** The contacts that are the customer's own: another person may have proven a phone that was only claimed. */
const ownContacts = `select unnest(array[email_normalized, case when not phone_is_claimed then phone_normalized end])
       from customers where organization_id = :organizationId and id = :id`;

/** Runs before the profile is blank: it has the contacts. */
export const eraseCustomerSessions = statement<{ id: number }, never>(
  'erase_customer_sessions',
  `delete from customer_sessions where organization_id = :organizationId and contact in (${ownContacts})`,
);

export const deleteCustomerCodes = statement<{ id: number }, { delivery_id: number | null }>(
  'delete_customer_codes',
  `delete from customer_codes where organization_id = :organizationId and contact in (${ownContacts})
   returning delivery_id`,
);

/** Present sign-ins with the customer's contacts, oldest first. */
export const selectSessionsForExport = statement<
  { id: number },
  { contact: string; created_at: number; expires_at: number }
>(
  'select_customer_sessions_for_export',
  `select contact, created_at, expires_at from customer_sessions
    where organization_id = :organizationId and contact in (${ownContacts}) order by id limit 1000`,
);
