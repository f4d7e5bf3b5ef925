import { digestOf, displayPrefixOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  deleteEndedClientKeyDigests,
  endClientKeyDigests,
  insertClientKeyDigests,
  lockClientKey,
  type ShownClientKeyRow,
  selectClientKey,
  setClientKeyPrefix,
} from './client-key-queries.ts';

/**
 * Replaces the text of a client key; the previous text works for `overlapHours` more (D9), an older one no longer than
 * before. Everything else stays. The new text is in the result only.
 */
export async function rotateClientKey(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  overlapHours: number,
): Promise<{ row: ShownClientKeyRow; clientKey: string }> {
  const nowMs = context.clock.now();
  const at = new Date(nowMs).toISOString();
  const previousEndsAt = new Date(nowMs + overlapHours * 3_600_000).toISOString();
  return context.database.write(organization, async (tx) => {
    const [[key]] = await tx.run(lockClientKey({ id }));
    if (key === undefined) throw failure('CLIENT_KEY_NOT_FOUND', 'There is no such client key.');
    if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= nowMs)) {
      throw failure('CLIENT_KEY_ENDED', 'The client key is revoked or has expired: create a new one.');
    }
    const clientKey = makeKey(key.origins.length === 0 ? 'dck' : 'dcp', environment, context.randomBytes);
    const [, , , [row]] = await tx.run(
      endClientKeyDigests({ id, at: previousEndsAt }),
      deleteEndedClientKeyDigests({ id, at }),
      setClientKeyPrefix({ id, keyPrefix: displayPrefixOf(clientKey) }),
      selectClientKey({ id, at }),
    );
    assert(row !== undefined, 'a locked key exists');
    tx.queue(...insertClientKeyDigests([{ digest: digestOf(clientKey), clientKeyId: id }]));
    await announce(tx, context, origin, nowMs, {
      event: 'client_key.rotated',
      subjectType: 'client_key',
      subjectId: id,
      payload: { clientKeyId: id, previousEndsAt },
    });
    return { row, clientKey };
  });
}
