import type { Context } from '../database/context.ts';
import { failure } from '../kernel/failure.ts';
import { digestOf, displayPrefixOf, type Environment, makeKey } from './api-keys.ts';
import {
  deleteEndedConsumerKeyDigests,
  endConsumerKeyDigests,
  insertConsumerKeyDigest,
  lockIntegrator,
  setConsumerKeyPrefix,
} from './integrator-queries.ts';

/**
 * Gives an integrator a new consumer key (operator only); the one from before works for `overlapHours` more, and one from
 * before that no longer than it would have: as client keys (D9). The new key is in the result and nowhere else. The keys
 * of organizations stay as they are, so none of them has an entry in its audit. Fails with INVALID_PARAMS when
 * there is no such integrator, or it is revoked.
 */
export async function rotateConsumerKey(
  context: Context,
  environment: Environment,
  id: number,
  overlapHours: number,
): Promise<{ consumerKey: string; previousEndsAt: string }> {
  const consumerKey = makeKey('dcc', environment, context.randomBytes);
  const nowMs = context.clock.now();
  const at = new Date(nowMs).toISOString();
  const previousEndsAt = new Date(nowMs + overlapHours * 3_600_000).toISOString();
  const [found] = await context.database.globalWrite(
    lockIntegrator({ id }),
    endConsumerKeyDigests({ id, at: previousEndsAt }),
    deleteEndedConsumerKeyDigests({ id, at }),
    setConsumerKeyPrefix({ id, prefix: displayPrefixOf(consumerKey) }),
    insertConsumerKeyDigest({ id, digest: digestOf(consumerKey), at }),
  );
  if (found.length === 0) throw failure('INVALID_PARAMS', `integratorId names no integrator: ${id}`);
  return { consumerKey, previousEndsAt };
}
