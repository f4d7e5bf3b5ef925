import { digestOf, displayPrefixOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  deleteEndedConsumerKeyDigests,
  endConsumerKeyDigests,
  insertConsumerKeyDigest,
  lockIntegrator,
  setConsumerKeyPrefix,
} from './integrator-queries.ts';

/**
 * Replaces the consumer key of an integrator (operator only); the previous key works for `overlapHours` more, an older
 * one no longer than before, as for client keys (D9). The new key is in the result only. Client keys of organizations
 * stay; the command notes it in their audit logs. Fails with INVALID_PARAMS for an unknown or revoked integrator.
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
  if (found.length === 0) throw failure('INVALID_PARAMS', `integratorId is unknown: ${id}`);
  return { consumerKey, previousEndsAt };
}
