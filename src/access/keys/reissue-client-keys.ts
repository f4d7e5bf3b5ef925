import type { Environment } from '../../kernel/api-keys.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { selectClientKeysToReissue } from './client-key-queries.ts';
import { rotateClientKey } from './rotate-client-key.ts';

/** A key with its new text, which is shown once. */
interface ReissuedKey {
  readonly id: number;
  readonly name: string;
  readonly integrator: string;
  readonly clientKey: string;
}

/**
 * Gives every open client key of an organization a new text (operator only); no former text works any more. Permissions, limits and
 * ids stay.
 */
export async function reissueClientKeys(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
): Promise<readonly ReissuedKey[]> {
  const at = new Date(context.clock.now()).toISOString();
  const [rows] = await context.database.read(organization, selectClientKeysToReissue({ at }));
  const reissued: ReissuedKey[] = [];
  for (const { id, name, integrator } of rows) {
    const { clientKey } = await rotateClientKey(context, environment, origin, organization, id, 0);
    reissued.push({ id, name, integrator, clientKey });
  }
  return reissued;
}
