import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Sealer } from '../../platform/database/sealing.ts';
import {
  type ConnectionRow,
  selectConnectionsOfOtherKeys,
  setSealOfConnection,
} from './connection-queries.ts';

/* The keys of licenses' users lie sealed in the database. They are opened for calls, and never shown. */

/** A key is valid for its connection only. */
const labelOf = (organization: OrganizationId, connectionId: number): string =>
  `state connection ${organization}/${connectionId}`;

/** The sealed form of a key. */
export function sealKey(sealer: Sealer, organization: OrganizationId, connectionId: number, key: string) {
  return sealer.seal(key, labelOf(organization, connectionId));
}

/** The key; null: the key that sealed it is gone. */
export function openKey(
  sealer: Sealer,
  organization: OrganizationId,
  row: Pick<ConnectionRow, 'id' | 'sealed_key' | 'sealed_key_master_key_id'>,
): string | null {
  if (row.sealed_key === null || row.sealed_key_master_key_id === null) return null;
  const sealed = { sealed: row.sealed_key, masterKeyId: row.sealed_key_master_key_id };
  return sealer.open(sealed, labelOf(organization, row.id));
}

/** Seals the keys with the present master key, so that a former one can be removed after a while. */
export async function resealStateKeys(
  { database, sealing }: Pick<Context, 'database' | 'sealing'>,
  organization: OrganizationId,
): Promise<void> {
  const sealer = await sealing.load();
  await database.write(
    organization,
    async (tx) => {
      const [rows] = await tx.run(selectConnectionsOfOtherKeys({ masterKeyId: sealer.masterKeyId }));
      for (const row of rows) {
        const key = openKey(sealer, organization, row);
        // Its key is gone: the owner enters it again.
        if (key !== null)
          tx.queue(setSealOfConnection({ id: row.id, ...sealKey(sealer, organization, row.id, key) }));
      }
    },
    { countsAsChange: false },
  );
}
