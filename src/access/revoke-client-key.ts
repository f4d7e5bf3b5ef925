import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { revokeClientKeyRow } from './access-queries.ts';

/** Ends a client key; it is refused everywhere within one second (D9). Revoking twice changes nothing. */
export async function revokeClientKey(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [revoked] = await tx.run(revokeClientKeyRow({ id, at: new Date(nowMs).toISOString() }));
    if (revoked.length === 0)
      throw failure('INVALID_PARAMS', `id names no client key of the organization: ${id}`);
    await announce(tx, context, origin, nowMs, {
      event: 'client_key.revoked',
      subjectType: 'client-key',
      subjectId: id,
      payload: { clientKeyId: id },
    });
  });
}
