import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { resealProviderSecret } from './identity-provider.ts';
import { selectTotpSecretsOfOtherKeys, setSealedTotpSecret } from './second-factor-queries.ts';
import { resealTotpSecret } from './totp.ts';

const secretsPerTransaction = 100;

/** Seals the secrets of authenticator apps and of the identity provider with the present master key, so that a former one can be removed after a while. */
export async function resealStaffSecrets(
  { database, randomBytes }: Pick<Context, 'database' | 'randomBytes'>,
  keys: MasterKeys,
  organization: OrganizationId,
): Promise<void> {
  const masters = await keys.load(randomBytes);
  await resealProviderSecret({ database, randomBytes }, masters, organization);
  for (;;) {
    const count = await database.write(
      organization,
      async (tx) => {
        const [rows] = await tx.run(
          selectTotpSecretsOfOtherKeys({ masterKeyId: masters[0].id, limit: secretsPerTransaction }),
        );
        for (const { staff_id: staffId, secret, secret_master_key_id: masterKeyId } of rows) {
          const sealed = { masterKeyId, wrapped: secret };
          const renewed = resealTotpSecret(masters, randomBytes, organization, staffId, sealed);
          tx.queue(
            setSealedTotpSecret({ staffId, secret: renewed.wrapped, masterKeyId: renewed.masterKeyId }),
          );
        }
        return rows.length;
      },
      { countsAsChange: false },
    );
    if (count < secretsPerTransaction) return;
  }
}
