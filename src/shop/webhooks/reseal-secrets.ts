import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { selectSealedSecrets, setSealedSecrets } from './sending-queries.ts';
import { resealSecret } from './webhook-secrets.ts';

const endpointsPerTransaction = 100;

/** Encrypts signing secrets under the present master key, so that a former one can be removed after a while. */
export async function resealSecrets(
  { database, randomBytes }: Pick<Context, 'database' | 'randomBytes'>,
  keys: MasterKeys,
  organization: OrganizationId,
): Promise<void> {
  const [present] = await keys.load(randomBytes);
  const reseal = (id: number, masterKeyId: string, wrapped: Uint8Array) =>
    resealSecret(keys, randomBytes, organization, id, { masterKeyId, wrapped });
  for (;;) {
    const count = await database.write(
      organization,
      async (tx) => {
        const [rows] = await tx.run(
          selectSealedSecrets({ masterKeyId: present.id, limit: endpointsPerTransaction }),
        );
        for (const row of rows) {
          const secret = await reseal(row.id, row.secret_master_key_id, row.secret);
          const former =
            row.former_secret === null
              ? null
              : await reseal(row.id, row.former_secret_master_key_id!, row.former_secret);
          tx.queue(
            setSealedSecrets({
              id: row.id,
              masterKeyId: present.id,
              secret: secret.wrapped,
              formerSecret: former?.wrapped ?? null,
              formerMasterKeyId: former?.masterKeyId ?? null,
            }),
          );
        }
        return rows.length;
      },
      { countsAsChange: false },
    );
    if (count < endpointsPerTransaction) return;
  }
}
