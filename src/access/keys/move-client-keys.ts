import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertClientKeys, pointClientKeysHere, selectOpenKeysOfOrganization } from './client-key-queries.ts';

/**
 * Lets the keys of an organization open another one, for a sandbox that is reset: the texts stay, and the ids. The former
 * organization keeps the rows, which no text opens any more. Without an open key nothing is made.
 */
export async function moveClientKeys(
  context: Context,
  origin: Origin,
  from: OrganizationId,
  make: () => Promise<OrganizationId>,
): Promise<void> {
  const [keys] = await context.database.read(from, selectOpenKeysOfOrganization({}));
  if (keys.length === 0) return;
  const to = await make();
  const nowMs = context.wallClock.now();
  await context.database.write(to, async (tx) => {
    tx.queue(
      ...insertClientKeys(
        keys.map((key) => ({
          id: key.id,
          integratorId: key.integrator_id,
          name: key.name,
          keyPrefix: key.key_prefix,
          permissions: key.permissions,
          strict: key.strict,
          menuRequestsPerSecond: key.menu_requests_per_second,
          otherRequestsPerSecond: key.other_requests_per_second,
          allowedAddresses: key.allowed_addresses,
          origins: key.origins,
          vouches: key.vouches,
          expiresAt: key.expires_at === null ? null : isoTimestamp(key.expires_at),
          createdAt: isoTimestamp(key.created_at),
        })),
      ),
      pointClientKeysHere({ from, ids: keys.map(({ id }) => id) }),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...keys.map(({ id, integrator_id: integratorId, permissions }) => ({
        event: 'client_key.created' as const,
        subjectType: 'client_key' as const,
        subjectId: id,
        payload: { clientKeyId: id, integratorId, permissions },
      })),
    );
  });
}
