import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  lockClientKey,
  revokeClientKeyRow,
  type ShownClientKeyRow,
  selectClientKey,
} from './client-key-queries.ts';

/** Ends a client key; it is refused everywhere within one second (D9). Idempotent. */
export async function revokeClientKey(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<ShownClientKeyRow> {
  const nowMs = context.clock.now();
  const at = new Date(nowMs).toISOString();
  return context.database.write(organization, async (tx) => {
    const [[key], [shown]] = await tx.run(lockClientKey({ id }), selectClientKey({ id, at }));
    if (key === undefined || shown === undefined) {
      throw failure('CLIENT_KEY_NOT_FOUND', 'There is no such client key.');
    }
    if (key.revoked_at !== null) return shown;
    const [, [revoked]] = await tx.run(revokeClientKeyRow({ id, at }), selectClientKey({ id, at }));
    assert(revoked !== undefined, 'a locked key exists');
    await announce(tx, context, origin, nowMs, {
      event: 'client_key.revoked',
      subjectType: 'client_key',
      subjectId: id,
      payload: { clientKeyId: id },
    });
    return revoked;
  });
}
