import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on the customers table. */

export interface CustomerRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  email_normalized: string | null;
  phone: string | null;
  phone_normalized: string | null;
  /** The phone was only claimed, so its owner may be another person (D62). */
  phone_is_claimed: boolean;
  birthday: string | null;
  medical_expiration: string | null;
  residence: string | null;
  /** D35; null: decided by the card and the organization's settings. */
  tax_exempt: boolean | null;
}

/** Columns of `CustomerRow`, of a table or alias `c`. */
export const customerColumns = `c.id, c.first_name, c.last_name, c.email, c.email_normalized, c.phone,
          c.phone_normalized, c.phone_is_claimed, c.birthday::text as birthday, c.medical_expiration::text as medical_expiration,
          c.residence, c.tax_exempt`;

/** The customers matched by an email and a phone (D33); several people may have the phone (D85). Null parameters match nothing. */
export const selectMatchingCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null },
  CustomerRow
>(
  'select_matching_customers',
  `select ${customerColumns} from customers c
    where c.organization_id = :organizationId and c.email_normalized = :emailNormalized
    union
   select ${customerColumns} from customers c
    where c.organization_id = :organizationId and c.phone_normalized = :phoneNormalized`,
);

/**
 * Locks the customers matched by an email and a phone, in order of id. A transaction that decides on a customer's data
 * (uses, credits, points, purchases) reads it after this. A new customer has no row to lock; concurrent requests that
 * create the same one race for a unique key.
 */
export const lockMatchingCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null },
  { id: number }
>(
  'lock_matching_customers',
  `select id from customers
    where organization_id = :organizationId and id = any(array[
      (select id from customers
        where organization_id = :organizationId and email_normalized = :emailNormalized)]
      || array(select id from customers
        where organization_id = :organizationId and phone_normalized = :phoneNormalized))
    order by id
      for no key update`,
);

/** The same lock for the customers of several orders. */
export const lockCustomersOfContacts = statement<
  { emails: readonly string[]; phones: readonly string[] },
  { id: number }
>(
  'lock_customers_of_contacts',
  `select id from customers
    where organization_id = :organizationId and id in (
      select e.id from customers e
       where e.organization_id = :organizationId and e.email_normalized = any(:emails)
       union all
      select p.id from customers p
       where p.organization_id = :organizationId and p.phone_normalized = any(:phones))
    order by id
      for no key update`,
);

/** The same lock for a known customer; the row stays valid while it is held. */
export const lockCustomer = statement<
  { id: number },
  {
    birthday: string | null;
    medical_expiration: string | null;
    residence: string | null;
    erased_at: number | null;
  }
>(
  'lock_customer',
  `select birthday::text as birthday, medical_expiration::text as medical_expiration, residence, erased_at
     from customers where organization_id = :organizationId and id = :id for no key update`,
);

export const insertCustomers = insertMany<{
  id: number;
  hashId: string;
  firstName: string;
  lastName: string;
  email: string | null;
  emailNormalized: string | null;
  phone: string | null;
  phoneNormalized: string | null;
  /** What orders that arrive together race for; null: nothing. */
  phonePersonKey: string | null;
  /** The phone was only claimed (D62). */
  phoneIsClaimed: boolean;
  birthday: string | null;
  sex: string | null;
  zip: string | null;
  licenseExpiry: string | null;
  medicalExpiration: string | null;
  residence: string | null;
  notes: string | null;
  patientState: string | null;
  marketingOptIn: boolean;
  marketingOptInAt: string | null;
  marketingOptInSource: string | null;
  taxExempt: boolean | null;
  joinedAt: string;
  updatedAt: string;
}>('customers', {
  id: 'id',
  hashId: 'hash_id',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  emailNormalized: 'email_normalized',
  phone: 'phone',
  phoneNormalized: 'phone_normalized',
  phonePersonKey: 'phone_person_key',
  phoneIsClaimed: 'phone_is_claimed',
  birthday: 'birthday',
  sex: 'sex',
  zip: 'zip',
  licenseExpiry: 'license_expiry',
  medicalExpiration: 'medical_expiration',
  residence: 'residence',
  notes: 'notes',
  patientState: 'patient_state',
  marketingOptIn: 'marketing_opt_in',
  marketingOptInAt: 'marketing_opt_in_at',
  marketingOptInSource: 'marketing_opt_in_source',
  taxExempt: 'tax_exempt',
  joinedAt: 'joined_at',
  updatedAt: 'updated_at',
});

/** D33: fills in blank fields only. A name is never null, but can be a placeholder. */
export const fillBlankCustomerFields = statement<
  {
    id: number;
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    emailNormalized: string | null;
    phone: string | null;
    phoneNormalized: string | null;
    birthday: string | null;
    at: string;
  },
  never
>(
  'fill_blank_customer_fields',
  `update customers
      set first_name = coalesce(:firstName, first_name), last_name = coalesce(:lastName, last_name),
          email = coalesce(email, :email), email_normalized = coalesce(email_normalized, :emailNormalized),
          phone = coalesce(phone, :phone), phone_normalized = coalesce(phone_normalized, :phoneNormalized),
          birthday = coalesce(birthday, :birthday::date), updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** What a visitor says is a phone to call, and no way in: its owner may be another person (D62). */
export const markPhoneClaimed = statement<{ id: number }, never>(
  'mark_phone_claimed',
  'update customers set phone_is_claimed = true where organization_id = :organizationId and id = :id',
);

/** The owner of the phone has come: it goes from the profile that it was only claimed for. */
export const dropClaimedPhone = statement<{ id: number; at: string }, never>(
  'drop_claimed_phone',
  `update customers set phone = null, phone_normalized = null, phone_person_key = null, phone_is_claimed = false, updated_at = :at
    where organization_id = :organizationId and id = :id and phone_is_claimed`,
);

/** Names of the unique constraints that concurrent requests with the same new customer race for. */
export const customerUniqueConstraints = [
  'customers_organization_id_email_normalized_key',
  'customers_one_of_phone_person',
  'customers_organization_id_hash_id_key',
] as const;

/** Why a page of points is empty: there is no such customer, or the customer has no such entry. */
export const selectCustomerOfPoints = statement<
  { userId: number; startingAfter: number | null },
  { has_entry: boolean }
>(
  'select_customer_of_points',
  `select exists (select from loyalty_events e
                   where e.organization_id = :organizationId and e.user_id = c.id
                     and e.id = :startingAfter::bigint) as has_entry
     from customers c where c.organization_id = :organizationId and c.id = :userId`,
);
