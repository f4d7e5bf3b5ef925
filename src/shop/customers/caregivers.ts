import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { statement } from '../../platform/statements/statement.ts';
import { customerErased, customerNotFound } from './find-customer.ts';
import { lockProfile } from './update-customer.ts';

/* Who may buy for which patients (D94): what the state has registered, as staff keep it. */

/** More patients than any state lets a caregiver have. */
export const patientsMax = 50;

/** A patient of a caregiver; days are YYYY-MM-DD. */
export interface CaredPatient {
  readonly customerId: number;
  /** The last valid day; null: none is known. */
  readonly expiresOn: string | null;
}

interface PatientRow {
  patient_id: number;
  expires_on: string | null;
}

const selectPatients = statement<{ caregiverId: number }, PatientRow>(
  'select_patients_of_caregiver',
  `select patient_id, expires_on::text as expires_on from customer_caregivers
    where organization_id = :organizationId and caregiver_id = :caregiverId order by patient_id`,
);

/** The customers on file among these, without erased ones. */
const selectLivingCustomers = statement<{ ids: readonly number[] }, { id: number }>(
  'select_living_customers',
  `select id from customers where organization_id = :organizationId and id = any(:ids) and erased_at is null
    order by id for key share`,
);

const deletePatients = statement<{ caregiverId: number }, never>(
  'delete_patients_of_caregiver',
  'delete from customer_caregivers where organization_id = :organizationId and caregiver_id = :caregiverId',
);

const insertPatient = statement<
  { caregiverId: number; patientId: number; expiresOn: string | null; at: string },
  never
>(
  'insert_patient_of_caregiver',
  `insert into customer_caregivers (organization_id, caregiver_id, patient_id, expires_on, added_at)
   values (:organizationId, :caregiverId, :patientId, :expiresOn::date, :at)`,
);

const touchCustomer = statement<{ id: number; at: string }, never>(
  'touch_caregiver',
  'update customers set updated_at = :at where organization_id = :organizationId and id = :id',
);

/** A customer, and whether the shop knows them as the caregiver of a patient; days are YYYY-MM-DD. */
export interface CaregiverRow {
  caregiver_birthday: string | null;
  caregiver_is_erased: boolean;
  is_registered: boolean;
  expires_on: string | null;
}

export const selectCaregiver = statement<{ caregiverId: number; patientId: number }, CaregiverRow>(
  'select_caregiver',
  `select c.birthday::text as caregiver_birthday, c.erased_at is not null as caregiver_is_erased,
          l.patient_id is not null as is_registered, l.expires_on::text as expires_on
     from customers c
     left join customer_caregivers l
       on l.organization_id = :organizationId and l.caregiver_id = c.id and l.patient_id = :patientId
    where c.organization_id = :organizationId and c.id = :caregiverId`,
);

/** The pairs of a merged customer go to the target, where the target has none of the pair already. */
export const moveCaregivers = statement<{ fromId: number; intoId: number }, never>(
  'move_caregivers',
  `insert into customer_caregivers (organization_id, caregiver_id, patient_id, expires_on, added_at)
   select organization_id, case when caregiver_id = :fromId then :intoId else caregiver_id end,
          case when patient_id = :fromId then :intoId else patient_id end, expires_on, added_at
     from customer_caregivers
    where organization_id = :organizationId and :fromId in (caregiver_id, patient_id)
      and :intoId not in (caregiver_id, patient_id)
   on conflict do nothing`,
);

export const eraseCaregivers = statement<{ userId: number }, never>(
  'erase_caregivers',
  `delete from customer_caregivers
    where organization_id = :organizationId and :userId in (caregiver_id, patient_id)`,
);

/**
 * Sets whom a customer may buy for; the list replaces the former one. Unchanged lists write nothing. Fails with USER_NOT_FOUND,
 * CUSTOMER_ERASED, and INVALID_PARAMS for a patient who is not on file, named twice, or the caregiver.
 */
export async function setPatients(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  caregiverId: number,
  patients: readonly CaredPatient[],
): Promise<void> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const ids = patients.map(({ customerId }) => customerId);
  await context.database.write(organization, async (tx) => {
    const [[caregiver]] = await tx.run(lockProfile({ id: caregiverId }));
    if (caregiver === undefined) throw customerNotFound();
    if (caregiver.erased_at !== null) throw customerErased();
    refuseStaleEdit(origin, caregiver.updated_at);
    const [before, living] = await tx.run(selectPatients({ caregiverId }), selectLivingCustomers({ ids }));
    for (const [index, id] of ids.entries()) {
      const field = `patients[${index}].customerId`;
      if (id === caregiverId) throw failure('INVALID_PARAMS', `${field} must be another customer.`);
      if (ids.indexOf(id) !== index) throw failure('INVALID_PARAMS', `${field} must name each patient once.`);
      if (!living.some((row) => row.id === id)) {
        throw failure('USER_NOT_FOUND', `${field} must be a customer on file.`);
      }
    }
    const keyed = (list: readonly CaredPatient[]) =>
      JSON.stringify(
        list
          .map(({ customerId, expiresOn }) => [customerId, expiresOn])
          .toSorted(([a], [b]) => Number(a) - Number(b)),
      );
    const former = before.map((row) => ({ customerId: row.patient_id, expiresOn: row.expires_on }));
    if (keyed(former) === keyed(patients)) return;
    tx.queue(
      deletePatients({ caregiverId }),
      ...patients.map(({ customerId, expiresOn }) =>
        insertPatient({ caregiverId, patientId: customerId, expiresOn, at }),
      ),
      touchCustomer({ id: caregiverId, at }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'customer.updated',
      subjectType: 'customer',
      subjectId: caregiverId,
      payload: { customerId: caregiverId },
      details: { customerId: caregiverId, fields: ['patients'] },
    });
  });
}
