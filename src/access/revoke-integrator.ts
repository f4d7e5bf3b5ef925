import type { Context, Origin } from '../database/context.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { revokeIntegratorRow, selectClientKeysOfIntegrator } from './integrator-queries.ts';
import { revokeClientKey } from './revoke-client-key.ts';

export interface RevokedIntegrator {
  /** The first time. */
  readonly revokedAt: string;
  /** Those that this has revoked. */
  readonly clientKeys: readonly { readonly organizationId: OrganizationId; readonly id: number }[];
}

/**
 * Withdraws an integrator for ever (operator only): whatever keys of it are refused everywhere within one second (D9).
 * Client keys are good for nothing without it: each is revoked too, so that its organization finds that among its keys
 * and in its audit. Whoever was interrupted asks again; revoking twice changes nothing. Fails with INVALID_PARAMS
 * when there is no such integrator.
 */
export async function revokeIntegrator(
  context: Context,
  origin: Origin,
  organizations: readonly OrganizationId[],
  id: number,
): Promise<RevokedIntegrator> {
  const at = new Date(context.clock.now()).toISOString();
  const [revoked] = await context.database.global(revokeIntegratorRow({ id, at }));
  if (revoked === undefined) throw failure('INVALID_PARAMS', `integratorId names no integrator: ${id}`);
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
