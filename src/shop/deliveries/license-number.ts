import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { statement } from '../../platform/statements/statement.ts';
import { lockDriver } from './driver-setting.ts';

/* The number of a driver's license: sealed by the master keys, never in an event, an audit entry or a list. A manifest opens it. */

interface SealedLicenseRow {
  license_sealed: Uint8Array | null;
  license_key_id: string | null;
}

const labelOf = (organization: OrganizationId, driverId: number) =>
  `driver license ${organization} ${driverId}`;

const setLicense = statement<
  {
    id: number;
    sealed: Uint8Array | null;
    keyId: string | null;
    lastFour: string | null;
    at: string;
  },
  never
>(
  'set_driver_license',
  `update drivers set license_sealed = :sealed::bytea, license_key_id = :keyId, license_last_four = :lastFour, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

const selectLicense = statement<{ id: number }, SealedLicenseRow>(
  'select_driver_license',
  `select license_sealed, license_key_id from drivers where organization_id = :organizationId and id = :id`,
);

/** Keeps the number of a driver's license; null removes it. Fails with DRIVER_NOT_FOUND. */
export async function setDriverLicense(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  driverId: number,
  sent: string | null,
): Promise<void> {
  const number = sent?.trim().toUpperCase() || null;
  const sealer = await context.sealing.load();
  await context.database.write(organization, async (tx) => {
    const [[driver]] = await tx.run(lockDriver({ id: driverId }));
    if (driver === undefined) throw failure('DRIVER_NOT_FOUND', 'There is no such driver.');
    const nowMs = context.clock.now();
    const kept = number === null ? null : sealer.seal(number, labelOf(organization, driverId));
    tx.queue(
      setLicense({
        ...{ id: driverId, sealed: kept?.sealed ?? null, keyId: kept?.masterKeyId ?? null },
        ...{ lastFour: number?.slice(-4) ?? null, at: isoTimestamp(nowMs) },
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'driver.updated',
      subjectType: 'driver',
      subjectId: driverId,
      payload: { driverId },
      details: { driverId, personalChanged: ['licenseNumber'] },
    });
  });
}

/** The number, for a manifest and the state; null: none is kept, or its key is gone. */
export async function openDriverLicense(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
  driverId: number,
): Promise<string | null> {
  const [[row]] = await database.read(organization, selectLicense({ id: driverId }));
  if (row?.license_sealed == null || row.license_key_id === null) return null;
  const sealed = { sealed: row.license_sealed, masterKeyId: row.license_key_id };
  return (await sealing.load()).open(sealed, labelOf(organization, driverId));
}

const selectLicensesOfOtherKeys = statement<
  { keyId: string },
  SealedLicenseRow & { id: number; updated_at: string; license_last_four: string }
>(
  'select_driver_licenses_of_other_keys',
  `select id, license_sealed, license_key_id from drivers
    where organization_id = :organizationId and license_key_id <> :keyId order by id for no key update`,
);

const setSeal = statement<{ id: number; sealed: Uint8Array; keyId: string }, never>(
  'set_seal_of_driver_license',
  `update drivers set license_sealed = :sealed, license_key_id = :keyId where organization_id = :organizationId and id = :id`,
);

/** Seals the numbers of licenses with the present master key, so that a former one can be removed after a while. */
export async function resealDriverLicenses(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
): Promise<void> {
  const sealer = await sealing.load();
  await database.write(
    organization,
    async (tx) => {
      const [rows] = await tx.run(selectLicensesOfOtherKeys({ keyId: sealer.masterKeyId }));
      for (const { id, license_sealed, license_key_id } of rows) {
        const label = labelOf(organization, id);
        const number = sealer.open({ sealed: license_sealed!, masterKeyId: license_key_id! }, label);
        if (number === null) continue;
        const { sealed, masterKeyId: keyId } = sealer.seal(number, label);
        tx.queue(setSeal({ id, sealed, keyId }));
      }
    },
    { countsAsChange: false },
  );
}
