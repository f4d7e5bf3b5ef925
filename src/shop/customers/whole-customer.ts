import { type BoundStatement, statement } from '../../platform/statements/statement.ts';
import { eraseCaregivers, moveCaregivers } from './caregivers.ts';
import { eraseConsents, moveConsents } from './consents.ts';
import { eraseCustomerSessions, selectSessionsForExport } from './customer-session-queries.ts';
import { eraseFormerCustomers, moveFormerCustomers, selectFormerCustomersOf } from './former-accounts.ts';
import { eraseLicenses, moveLicenses, selectLicensesForExport } from './license-queries.ts';

/* This slice's part in merging, erasing and exporting a customer. */

interface WholeCustomerRow {
  id: number;
  email: string | null;
  erased_at: number | null;
}

/**
 * Locked until the commit, in order of id: no other transaction can write these customers, or rows that refer to them.
 */
export const lockWholeCustomers = statement<{ ids: readonly number[] }, WholeCustomerRow>(
  'lock_whole_customers',
  `select id, email, erased_at from customers
    where organization_id = :organizationId and id = any(:ids) order by id for update`,
);

/** What is known of a customer beside the profile: scanned licenses, sessions, and numbers at former tills. */
export function selectPersonForExport(id: number) {
  return [
    selectLicensesForExport({ userId: id }),
    selectSessionsForExport({ id }),
    selectFormerCustomersOf({ userId: id }),
  ] as const;
}

const joinGroups = statement<{ fromId: number; intoId: number }, never>(
  'join_groups_of_merged_customer',
  `insert into customer_group_members (organization_id, user_id, customer_group_id, added_at)
   select organization_id, :intoId::bigint, customer_group_id, added_at from customer_group_members
    where organization_id = :organizationId and user_id = :fromId
   on conflict do nothing`,
);

const leaveGroups = statement<{ userId: number }, never>(
  'leave_all_groups',
  'delete from customer_group_members where organization_id = :organizationId and user_id = :userId',
);

const dropPastPlaces = statement<{ userId: number }, never>(
  'drop_past_places',
  'delete from customer_past_places where organization_id = :organizationId and user_id = :userId',
);

/** Before the customer is deleted: who was merged into that customer belongs to the target as well. */
const rememberMerge = statement<{ fromId: number; intoId: number; at: string }, never>(
  'remember_merge',
  `with moved as (
          update merged_customers set into_id = :intoId
           where organization_id = :organizationId and into_id = :fromId)
   insert into merged_customers (organization_id, id, into_id, merged_at)
   values (:organizationId, :fromId, :intoId, :at)`,
);

/** No row: the customer was not merged into another one. */
export const selectMergedCustomer = statement<{ id: number }, { into_id: number }>(
  'select_merged_customer',
  'select into_id from merged_customers where organization_id = :organizationId and id = :id',
);

/** Who was merged into a customer: copies elsewhere may name them by these ids. */
export const selectMergedInto = statement<{ id: number }, { id: number }>(
  'select_customers_merged_into',
  'select id from merged_customers where organization_id = :organizationId and into_id = :id order by id',
);

/** One statement: an email or phone number becomes free for the target when its owner is deleted. */
const takeOverProfile = statement<{ fromId: number; intoId: number; at: string }, never>(
  'take_over_profile',
  `with gone as (
          delete from customers where organization_id = :organizationId and id = :fromId returning *)
   update customers c
      set first_name = case when btrim(c.first_name) = '' then g.first_name else c.first_name end,
          last_name = case when btrim(c.last_name) = '' then g.last_name else c.last_name end,
          email = coalesce(c.email, g.email), email_normalized = coalesce(c.email_normalized, g.email_normalized),
          phone = coalesce(c.phone, g.phone), phone_normalized = coalesce(c.phone_normalized, g.phone_normalized),
          phone_is_claimed = case when c.phone_normalized is null then g.phone_is_claimed else c.phone_is_claimed end,
          birthday = coalesce(c.birthday, g.birthday), sex = coalesce(c.sex, g.sex), zip = coalesce(c.zip, g.zip),
          license_expiry = coalesce(c.license_expiry, g.license_expiry),
          medical_expiration = coalesce(c.medical_expiration, g.medical_expiration),
          residence = coalesce(c.residence, g.residence),
          notes = left(coalesce(c.notes || E'\n' || g.notes, c.notes, g.notes), 2000),
          patient_state = case when c.patient_number_sealed is null then coalesce(g.patient_state, c.patient_state) else c.patient_state end,
          patient_number_sealed = coalesce(c.patient_number_sealed, g.patient_number_sealed),
          patient_number_key_id = case when c.patient_number_sealed is null then g.patient_number_key_id else c.patient_number_key_id end,
          patient_number_last_four = coalesce(c.patient_number_last_four, g.patient_number_last_four),
          patient_number_digest = coalesce(c.patient_number_digest, g.patient_number_digest),
          tax_exempt = coalesce(c.tax_exempt, g.tax_exempt), updated_at = :at
     from gone g
    where c.organization_id = :organizationId and c.id = :intoId`,
);

/** The last step of a merge, after all other data has moved. Consent to marketing is not copied; its history is. */
export function mergeProfiles(fromId: number, intoId: number, at: string): BoundStatement<never>[] {
  return [
    joinGroups({ fromId, intoId }),
    leaveGroups({ userId: fromId }),
    dropPastPlaces({ userId: fromId }),
    moveLicenses({ fromId, intoId }),
    moveCaregivers({ fromId, intoId }),
    eraseCaregivers({ userId: fromId }),
    moveConsents({ fromId, intoId }),
    moveFormerCustomers({ fromId, intoId }),
    rememberMerge({ fromId, intoId, at }),
    takeOverProfile({ fromId, intoId, at }),
  ];
}

const blankProfile = statement<{ id: number; hashId: string; at: string }, never>(
  'erase_profile',
  `update customers
      set hash_id = :hashId, first_name = 'Erased', last_name = 'Erased', email = null, email_normalized = null,
          phone = null, phone_normalized = null, phone_person_key = null, phone_is_claimed = false, birthday = null, sex = null, zip = null, license_expiry = null,
          medical_expiration = null, residence = null, notes = null, patient_state = null, patient_number_sealed = null,
          patient_number_key_id = null, patient_number_last_four = null, patient_number_digest = null, tax_exempt = null, marketing_opt_in = false, marketing_opt_in_at = null,
          marketing_opt_in_source = null,
          erased_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** `hashId` is a new one: the old one is printed on receipts. */
export function eraseProfile(id: number, hashId: string, at: string): BoundStatement<never>[] {
  return [
    eraseCustomerSessions({ id }),
    leaveGroups({ userId: id }),
    eraseLicenses({ userId: id }),
    eraseCaregivers({ userId: id }),
    eraseConsents({ userId: id }),
    eraseFormerCustomers({ userId: id }),
    blankProfile({ id, hashId, at }),
  ];
}
