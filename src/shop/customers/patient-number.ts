import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { SealedText, Sealer } from '../../platform/database/sealing.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/*
 * The number of a patient in the state's register (D94): sealed by the master keys, and never in an event, an audit entry or a log. Staff see its
 * last four characters, and find the patient by the whole number, which is kept as a digest as well. Only what reports to the state opens it.
 */

/** The sealed columns of a row; null: no number is on file. */
export interface SealedNumberRow {
  patient_number_sealed: Uint8Array | null;
  patient_number_key_id: string | null;
}

/** One label for a shop: a merge hands the number to another customer. */
const labelOf = (organization: OrganizationId) => `patient number ${organization}`;

const sealedOf = (row: SealedNumberRow): SealedText | null =>
  row.patient_number_sealed === null || row.patient_number_key_id === null
    ? null
    : { sealed: row.patient_number_sealed, masterKeyId: row.patient_number_key_id };

const setPatientNumber = statement<
  {
    id: number;
    sealed: Uint8Array | null;
    keyId: string | null;
    lastFour: string | null;
    digest: string | null;
  },
  never
>(
  'set_patient_number',
  `update customers
      set patient_number_sealed = :sealed::bytea, patient_number_key_id = :keyId, patient_number_last_four = :lastFour,
          patient_number_digest = :digest
    where organization_id = :organizationId and id = :id`,
);

/** More than its last four. */
const charactersMin = 5;

/** The number as it is kept: upper case, without outer spaces; blank is none. Fails with INVALID_PARAMS when it is shorter than its last four. */
export function readPatientNumber(sent: string | null): string | null {
  const number = sent?.trim().toUpperCase() ?? '';
  if (number === '') return null;
  if (number.length < charactersMin) {
    throw failure('INVALID_PARAMS', `patientNumber must have at least ${charactersMin} characters.`);
  }
  return number;
}

/** The statement that keeps a number for a customer; null: it is on file as it is. */
export async function keptPatientNumber(
  { sealing }: Pick<Context, 'sealing'>,
  organization: OrganizationId,
  id: number,
  sent: string | null,
  before: SealedNumberRow | null,
): Promise<BoundStatement<never> | null> {
  const number = readPatientNumber(sent);
  const former = before === null ? null : sealedOf(before);
  if (number === null) {
    return former === null
      ? null
      : setPatientNumber({ id, sealed: null, keyId: null, lastFour: null, digest: null });
  }
  const sealer = await sealing.load();
  const label = labelOf(organization);
  if (former !== null && sealer.open(former, label) === number) return null;
  const { sealed, masterKeyId } = sealer.seal(number, label);
  const [digest] = digestsOf(sealer, organization, number);
  return setPatientNumber({ id, sealed, keyId: masterKeyId, lastFour: number.slice(-4), digest });
}

/** Case, hyphens and spaces say nothing. */
const significant = (text: string) => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');

const digestsOf = (sealer: Sealer, organization: OrganizationId, number: string) =>
  sealer.digests(significant(number), labelOf(organization));

/** What finds the patients of a number that was typed, under every known key; nothing is found by a part of it. */
export async function patientNumberDigests(
  { sealing }: Pick<Context, 'sealing'>,
  organization: OrganizationId,
  typed: string,
): Promise<readonly string[]> {
  if (significant(typed).length < charactersMin) return [];
  return digestsOf(await sealing.load(), organization, typed);
}

const selectPatientNumber = statement<{ id: number }, SealedNumberRow>(
  'select_patient_number',
  `select patient_number_sealed, patient_number_key_id from customers
    where organization_id = :organizationId and id = :id`,
);

/** The whole number, for a report to the state and for the person themselves; null: none is on file, or its key is gone. */
export async function openPatientNumber(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
  id: number,
): Promise<string | null> {
  const [[row]] = await database.read(organization, selectPatientNumber({ id }));
  const sealed = row === undefined ? null : sealedOf(row);
  return sealed === null ? null : (await sealing.load()).open(sealed, labelOf(organization));
}

const selectNumbersOfOtherKeys = statement<
  { keyId: string; after: number; limit: number },
  SealedNumberRow & { id: number }
>(
  'select_patient_numbers_of_other_keys',
  `select id, patient_number_sealed, patient_number_key_id from customers
    where organization_id = :organizationId and patient_number_key_id <> :keyId and id > :after
    order by id limit :limit for no key update`,
);

const setSealOfNumber = statement<{ id: number; sealed: Uint8Array; keyId: string; digest: string }, never>(
  'set_seal_of_patient_number',
  `update customers set patient_number_sealed = :sealed, patient_number_key_id = :keyId, patient_number_digest = :digest
    where organization_id = :organizationId and id = :id`,
);

const numbersPerTransaction = 100;

/** Seals patient numbers with the present master key, so that a former one can be removed after a while. */
export async function resealPatientNumbers(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
): Promise<void> {
  const sealer = await sealing.load();
  const label = labelOf(organization);
  for (let after = 0; ; ) {
    const rows = await database.write(
      organization,
      async (tx) => {
        const [found] = await tx.run(
          selectNumbersOfOtherKeys({ keyId: sealer.masterKeyId, after, limit: numbersPerTransaction }),
        );
        for (const row of found) {
          // Its key is gone: it stays as it is, and is shown by its last four.
          const number = sealer.open(sealedOf(row)!, label);
          if (number === null) continue;
          const { sealed, masterKeyId } = sealer.seal(number, label);
          const [digest] = digestsOf(sealer, organization, number);
          tx.queue(setSealOfNumber({ id: row.id, sealed, keyId: masterKeyId, digest }));
        }
        return found;
      },
      { countsAsChange: false },
    );
    if (rows.length < numbersPerTransaction) return;
    after = rows.at(-1)!.id;
  }
}
