import { isoTimestamp } from '../../kernel/local-time.ts';
import type { CustomerDetailRow, ShownCustomerRow, StaffCustomerRow } from './customer-list-queries.ts';

/** A customer as every response shows one. */
export function shownCustomer(row: ShownCustomerRow) {
  const { street1, city, address_state: state, postal_code: postalCode } = row;
  const hasAddress = street1 !== null && city !== null && state !== null && postalCode !== null;
  return {
    id: row.id,
    hashId: row.hash_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    joinedAt: isoTimestamp(row.joined_at),
    updatedAt: isoTimestamp(row.updated_at),
    birthday: row.birthday,
    sex: row.sex,
    zip: row.zip,
    licenseExpiry: row.license_expiry,
    marketingOptIn: row.marketing_opt_in,
    marketingOptInAt: row.marketing_opt_in_at === null ? null : isoTimestamp(row.marketing_opt_in_at),
    marketingOptInSource: row.marketing_opt_in_source,
    customerGroups: row.customer_groups,
    // An exact decimal until here.
    loyalty: { pointsAmount: Number(row.points ?? 0) },
    mostRecentAddress: hasAddress ? { street1, street2: row.street2, city, state, postalCode } : null,
    medicalExpiration: row.medical_expiration,
    erasedAt: timestampOrNull(row.erased_at),
  };
}

/** The same with the fields for staff only, and with sums over the customer's orders. */
export function staffCustomer(row: StaffCustomerRow) {
  return {
    ...shownCustomer(row),
    residence: row.residence,
    notes: row.notes,
    patientState: row.patient_state,
    patientNumberLastFour: row.patient_number_last_four,
    taxExempt: row.tax_exempt,
    orderCount: row.order_count,
    spent: row.spent_cents,
    lastOrderAt: timestampOrNull(row.last_order_at),
  };
}

/** One customer for staff, with the history of consent, newest first. */
export function staffCustomerDetail(row: CustomerDetailRow) {
  return {
    ...staffCustomer(row),
    patients: [...row.patients],
    caregivers: [...row.caregivers],
    consents: row.consents.map(({ recordedAt, actor, ...consent }) => ({
      ...consent,
      recordedAt: isoTimestamp(recordedAt),
      staffId: actor.startsWith('staff:') ? Number(actor.slice('staff:'.length)) : null,
    })),
  };
}

function timestampOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}
