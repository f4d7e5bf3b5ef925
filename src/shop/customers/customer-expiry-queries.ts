import { statement } from '../../platform/statements/statement.ts';

/** The expiry days of a customer's papers, as staff read them from documents. Erased customers have none. */

export const selectCustomerIsThere = statement<{ id: number }, { id: number }>(
  'select_customer_is_there',
  'select id from customers where organization_id = :organizationId and id = :id and erased_at is null',
);

export const lockCustomerExpiry = statement<
  { id: number },
  { license_expiry: string | null; medical_expiration: string | null }
>(
  'lock_customer_expiry',
  `select license_expiry::text as license_expiry, medical_expiration::text as medical_expiration
     from customers where organization_id = :organizationId and id = :id and erased_at is null for no key update`,
);

export const updateLicenseExpiry = statement<{ id: number; expiresOn: string | null; at: string }, never>(
  'update_license_expiry',
  `update customers set license_expiry = :expiresOn, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const updateMedicalExpiration = statement<{ id: number; expiresOn: string | null; at: string }, never>(
  'update_medical_expiration',
  `update customers set medical_expiration = :expiresOn, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);
