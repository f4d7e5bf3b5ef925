import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { revokeIntegratorRow, selectClientKeysOfIntegrator } from './integrator-queries.ts';
import { revokeClientKey } from './revoke-client-key.ts';

interface RevokedIntegrator {
  /** The time of the first revocation. */
  readonly revokedAt: string;
  /** The client keys revoked by this call. */
  readonly clientKeys: readonly { readonly organizationId: OrganizationId; readonly id: number }[];
}

/**
 * Revokes an integrator forever (operator only): all its keys are refused everywhere within one second (D9). Its
 * client keys are useless then: each is revoked too, so that its organization sees it in the list of keys and in the
 * audit log. Idempotent; after an interruption call it again. Fails with INVALID_PARAMS for an unknown integrator.
 */
export async function revokeIntegrator(
  context: Context,
  origin: Origin,
  organizations: readonly OrganizationId[],
  id: number,
): Promise<RevokedIntegrator> {
  const at = new Date(context.clock.now()).toISOString();
  const [revoked] = await context.database.global(revokeIntegratorRow({ id, at }));
  if (revoked === undefined) throw failure('INVALID_PARAMS', `integratorId is unknown: ${id}`);
  const clientKeys: { organizationId: OrganizationId; id: number }[] = [];
  for (const organizationId of organizations) {
    const [keys] = await context.database.read(
      organizationId,
      selectClientKeysOfIntegrator({ integratorId: id }),
    );
    for (const key of keys) {
      await revokeClientKey(context, origin, organizationId, key.id);
      clientKeys.push({ organizationId, id: key.id });
    }
  }
  return { revokedAt: isoTimestamp(revoked.revoked_at), clientKeys };
}
