import type { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { statement } from '../../platform/statements/statement.ts';
import { consentSourceOf, recordConsents } from './consents.ts';
import { type CustomerProfile, optedInAt, readProfile, type SentProfile } from './customer-profile.ts';
import { customerUniqueConstraints } from './customer-queries.ts';
import { customerErased, customerNotFound } from './find-customer.ts';
import { keptPatientNumber, type SealedNumberRow } from './patient-number.ts';
import { assertMayExempt } from './tax-exemption.ts';

interface ProfileRow extends SealedNumberRow {
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  birthday: string | null;
  sex: CustomerProfile['sex'];
  zip: string | null;
  license_expiry: string | null;
  medical_expiration: string | null;
  residence: string | null;
  notes: string | null;
  patient_state: string | null;
  marketing_opt_in: boolean;
  marketing_opt_in_at: number | null;
  marketing_opt_in_source: string | null;
  tax_exempt: boolean | null;
  erased_at: number | null;
  updated_at: number;
}

/** Locked until the commit, so that the second of two changes sees the first. */
export const lockProfile = statement<{ id: number }, ProfileRow>(
  'lock_customer_profile',
  `select first_name, last_name, email, phone, birthday::text as birthday, sex, zip,
          license_expiry::text as license_expiry, medical_expiration::text as medical_expiration,
          residence, notes, patient_state, patient_number_sealed, patient_number_key_id, marketing_opt_in, marketing_opt_in_at, marketing_opt_in_source, tax_exempt, erased_at, updated_at
     from customers where organization_id = :organizationId and id = :id for no key update`,
);

const updateProfile = statement<
  {
    id: number;
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
    residence: string | null;
    notes: string | null;
    patientState: string | null;
    marketingOptIn: boolean;
    marketingOptInAt: string | null;
    marketingOptInSource: string | null;
    taxExempt: boolean | null;
    at: string;
  },
  never
>(
  'update_customer_profile',
  `update customers
      set first_name = :firstName, last_name = :lastName, email = :email, email_normalized = :emailNormalized,
          phone = :phone, phone_normalized = :phoneNormalized, phone_person_key = null,
          phone_is_claimed = phone_is_claimed and phone_normalized is not distinct from :phoneNormalized, birthday = :birthday::date, sex = :sex, zip = :zip,
          license_expiry = :licenseExpiry::date, medical_expiration = :medicalExpiration::date,
          residence = :residence, notes = :notes, patient_state = :patientState,
          marketing_opt_in = :marketingOptIn, marketing_opt_in_at = :marketingOptInAt::timestamptz,
          marketing_opt_in_source = :marketingOptInSource,
          tax_exempt = :taxExempt, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/**
 * Changes a customer's profile; unchanged values write and announce nothing. Fails with USER_NOT_FOUND,
 * CUSTOMER_ERASED, INSUFFICIENT_PERMISSIONS when the role cannot change `taxExempt`, INVALID_PARAMS, naming the
 * field, or `lackOfProof` when the customer becomes exempt.
 */
export async function updateCustomer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  changes: Partial<SentProfile>,
  role: StaffRole,
  lackOfProof: Failure | null = null,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(
    organization,
    async (tx) => {
      const [[row]] = await tx.run(lockProfile({ id }));
      if (row === undefined) throw customerNotFound();
      if (row.erased_at !== null) throw customerErased();
      refuseStaleEdit(origin, row.updated_at);
      if (changes.taxExempt !== undefined && changes.taxExempt !== row.tax_exempt) {
        assertMayExempt(role, 'taxExempt');
        if (changes.taxExempt === true && lackOfProof !== null) throw lackOfProof;
      }
      await changeProfile(tx, context, origin, nowMs, id, row, changes);
    },
    { retryOnConstraints: customerUniqueConstraints },
  );
}

/**
 * The same as a part of a transaction, once `lockProfile` gave the row of a customer who is not erased. Resolves to whether there
 * was something to change.
 */
export async function changeProfile(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  id: number,
  row: ProfileRow,
  { patientNumber, ...changes }: Partial<SentProfile>,
): Promise<boolean> {
  refuseLookAlikes(changes);
  const before = profileOf(row);
  const { emailNormalized, phoneNormalized, ...after } = await readProfile(
    tx,
    context,
    { ...before, ...changes },
    id,
    before.phone,
  );
  const number =
    patientNumber === undefined
      ? null
      : await keptPatientNumber(context, tx.organizationId, id, patientNumber, row);
  const changed = changesOf(before, after, personalFields);
  if (changed === null && number === null) return false;
  const fields = [
    ...((changed?.fields as string[] | undefined) ?? []),
    ...(number === null ? [] : ['patientNumber']),
  ];
  const told = { ...changed, ...(fields.length > 0 && { fields }) };
  const says = after.marketingOptIn !== before.marketingOptIn;
  const source = consentSourceOf(origin);
  tx.queue(
    updateProfile({
      ...after,
      id,
      emailNormalized,
      phoneNormalized,
      marketingOptInAt: optedInAt(after.marketingOptIn, row.marketing_opt_in_at, nowMs),
      marketingOptInSource: after.marketingOptIn ? (says ? source : row.marketing_opt_in_source) : null,
      at: isoTimestamp(nowMs),
    }),
  );
  if (number !== null) tx.queue(number);
  const said = says ? [{ userId: id, isGiven: after.marketingOptIn, at: isoTimestamp(nowMs) }] : [];
  await recordConsents(tx, context, origin, source, said);
  await announce(tx, context, origin, nowMs, {
    event: 'customer.updated',
    subjectType: 'customer',
    subjectId: id,
    payload: { customerId: id },
    details: { customerId: id, ...told },
  });
  return true;
}

/** Identifying fields: the audit outlives an erasure, so it only records that they changed. */
const personalFields = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'birthday',
  'sex',
  'zip',
  'residence',
  'notes',
  'patientState',
] as const;

function profileOf(row: ProfileRow): CustomerProfile {
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    birthday: row.birthday,
    sex: row.sex,
    zip: row.zip,
    licenseExpiry: row.license_expiry,
    medicalExpiration: row.medical_expiration,
    residence: row.residence,
    notes: row.notes,
    patientState: row.patient_state,
    marketingOptIn: row.marketing_opt_in,
    taxExempt: row.tax_exempt,
  };
}
