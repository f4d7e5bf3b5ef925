import { digestOf, makeKey } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { findIntegrator, insertSandboxKeyDigest } from './integrator-queries.ts';

/**
 * Gives an integrator a consumer key for its sandboxes alone (operator only), beside the usual one. The key is in the
 * result only. Fails with INVALID_PARAMS for an unknown or revoked integrator.
 */
export async function addSandboxConsumerKey(context: Context, integratorId: number): Promise<string> {
  const [known] = await context.database.global(findIntegrator({ id: integratorId }));
  if (known === undefined) throw failure('INVALID_PARAMS', `integratorId is unknown: ${integratorId}`);
  const consumerKey = makeKey('dcc', 'staging', context.randomBytes);
  const at = new Date(context.wallClock.now()).toISOString();
  await context.database.globalWrite(
    insertSandboxKeyDigest({ id: integratorId, digest: digestOf(consumerKey), at }),
  );
  return consumerKey;
}
