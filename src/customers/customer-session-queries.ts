import { insertMany, statement } from '../database/statement.ts';

/** All SQL on codes and sessions of customers (D62). */

type OfEmail = { integratorId: number; email: string };

/** Counts of the present hour; a new hour begins with the first use after the former one. */
export interface CodeRow {
  sends: number;
  tries: number;
  code_digest: Buffer | null;
  code_expires_at: number | null;
}

/** Creates or locks the row of an email, and begins a new hour if the former one is over. */
export const openCustomerCode = statement<OfEmail & { at: string; hourAgo: string }, CodeRow>(
  'open_customer_code',
  `insert into customer_codes as c (organization_id, integrator_id, email_normalized, hour_started_at, sends, tries)
   values (:organizationId, :integratorId, :email, :at, 0, 0)
   on conflict (organization_id, integrator_id, email_normalized) do update
     set sends = case when c.hour_started_at <= :hourAgo then 0 else c.sends end,
         tries = case when c.hour_started_at <= :hourAgo then 0 else c.tries end,
         hour_started_at = case when c.hour_started_at <= :hourAgo then excluded.hour_started_at else c.hour_started_at end
   where c.organization_id = :organizationId
   returning sends, tries, code_digest, code_expires_at`,
);

export const setCustomerCode = statement<OfEmail & { digest: Uint8Array; expiresAt: string }, never>(
  'set_customer_code',
  `update customer_codes set code_digest = :digest, code_expires_at = :expiresAt, sends = sends + 1
    where organization_id = :organizationId and integrator_id = :integratorId and email_normalized = :email`,
);

export const countCodeTry = statement<OfEmail & { isRight: boolean }, never>(
  'count_code_try',
  `update customer_codes
      set tries = tries + 1, code_digest = case when :isRight then null else code_digest end
    where organization_id = :organizationId and integrator_id = :integratorId and email_normalized = :email`,
);

/** A few with each new code, so that no job is needed. */
export const dropOldCustomerCodes = statement<{ before: string }, never>(
  'drop_old_customer_codes',
  `delete from customer_codes where organization_id = :organizationId and (integrator_id, email_normalized) in (
     select integrator_id, email_normalized from customer_codes
      where organization_id = :organizationId and hour_started_at < :before
      order by hour_started_at limit 20 for update skip locked)`,
);

export const insertCustomerSessions = insertMany<{
  id: number;
  integratorId: number;
  email: string;
  digest: Uint8Array;
  createdAt: string;
  expiresAt: string;
}>('customer_sessions', {
  id: 'id',
  integratorId: 'integrator_id',
  email: 'email_normalized',
  digest: 'digest',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
});

/** The oldest sessions of an email beyond the newest `kept`, and those that are over. */
export const dropOldCustomerSessions = statement<{ email: string; kept: number; at: string }, never>(
  'drop_old_customer_sessions',
  `delete from customer_sessions where organization_id = :organizationId and email_normalized = :email
      and (expires_at <= :at or id in (
        select id from customer_sessions where organization_id = :organizationId and email_normalized = :email
         order by id desc offset :kept))`,
);

export const findCustomerSession = statement<
  { digest: Uint8Array; integratorId: number; at: string },
  { id: number; email_normalized: string; digest: Buffer }
>(
  'find_customer_session',
  `select id, email_normalized, digest from customer_sessions
    where organization_id = :organizationId and digest = :digest and integrator_id = :integratorId
      and expires_at > :at`,
);

export const deleteCustomerSession = statement<{ digest: Uint8Array; integratorId: number }, { id: number }>(
  'delete_customer_session',
  `delete from customer_sessions
    where organization_id = :organizationId and digest = :digest and integrator_id = :integratorId returning id`,
);

/** What the owner of an email may see of the profile with it. */
export const selectSignedInCustomer = statement<
  { email: string },
  { id: number; first_name: string; last_name: string; phone: string | null; birthday: string | null }
>(
  'select_signed_in_customer',
  `select id, first_name, last_name, phone, birthday::text as birthday from customers
    where organization_id = :organizationId and email_normalized = :email`,
);

/** Runs before the profile is blank: it has the email. */
export const eraseCustomerSessions = statement<{ id: number }, never>(
  'erase_customer_sessions',
  `delete from customer_sessions where organization_id = :organizationId and email_normalized =
     (select email_normalized from customers where organization_id = :organizationId and id = :id)`,
);

export const eraseCustomerCodes = statement<{ id: number }, never>(
  'erase_customer_codes',
  `delete from customer_codes where organization_id = :organizationId and email_normalized =
     (select email_normalized from customers where organization_id = :organizationId and id = :id)`,
);
