import { insertMany, statement } from '../database/statement.ts';

/** All SQL on the table of customers. */

export interface CustomerRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  email_normalized: string | null;
  phone: string | null;
  phone_normalized: string | null;
  birthday: string | null;
  medical_expiration: string | null;
}

const matchingCustomer = `select id, first_name, last_name, email, email_normalized, phone, phone_normalized,
          birthday::text as birthday, medical_expiration::text as medical_expiration
     from customers where organization_id = :organizationId`;

/**
 * The people that an email and a phone point at (D33): none, one or two. Two look-ups by key and no OR, which
 * PostgreSQL may answer by reading all customers; parameters that are null match nothing.
 */
export const selectMatchingCustomers = statement<
  { emailNormalized: string | null; phoneNormalized: string | null },
  CustomerRow
>(
  'select_matching_customers',
  `${matchingCustomer} and email_normalized = :emailNormalized
    union
   ${matchingCustomer} and phone_normalized = :phoneNormalized`,
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
  birthday: string | null;
  sex: string | null;
  zip: string | null;
  licenseExpiry: string | null;
  medicalExpiration: string | null;
  marketingOptIn: boolean;
  marketingOptInAt: string | null;
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
  birthday: 'birthday',
  sex: 'sex',
  zip: 'zip',
  licenseExpiry: 'license_expiry',
  medicalExpiration: 'medical_expiration',
  marketingOptIn: 'marketing_opt_in',
  marketingOptInAt: 'marketing_opt_in_at',
  joinedAt: 'joined_at',
  updatedAt: 'updated_at',
});

/** D33: only blank fields are filled in; what is there stays. */
export const fillBlankCustomerFields = statement<
  {
    id: number;
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
      set email = coalesce(email, :email), email_normalized = coalesce(email_normalized, :emailNormalized),
          phone = coalesce(phone, :phone), phone_normalized = coalesce(phone_normalized, :phoneNormalized),
          birthday = coalesce(birthday, :birthday::date), updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** Names of the unique constraints that two requests bringing the same new person can race for. */
export const customerUniqueConstraints = [
  'customers_organization_id_email_normalized_key',
  'customers_organization_id_phone_normalized_key',
  'customers_organization_id_hash_id_key',
] as const;
