import { digestOf, displayPrefixOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import { refuseLookAlikeName } from '../../kernel/look-alikes.ts';
import type { Context } from '../../platform/database/context.ts';
import { NonBlankText } from '../../platform/http/schemas.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { insertConsumerKeyDigest, insertIntegrator } from './integrator-queries.ts';

export const IntegratorName = NonBlankText({ max: 200 });

/**
 * Registers an integrator's company and creates its consumer key (operator only). The key is in the result only.
 * Integrators belong to no organization, so there is no audit entry. `write` puts it into a transaction that is open; by default it
 * has one of its own.
 */
export async function createIntegrator(
  context: Context,
  environment: Environment,
  name: string,
  write: (...statements: readonly BoundStatement<unknown>[]) => Promise<unknown> = (...statements) =>
    context.database.globalWrite(...statements),
): Promise<{ id: number; consumerKey: string }> {
  refuseLookAlikeName(name);
  const consumerKey = makeKey('dcc', environment, context.randomBytes);
  const id = await context.ids.takeOne();
  const at = new Date(context.clock.now()).toISOString();
  await write(
    insertIntegrator({ id, name, prefix: displayPrefixOf(consumerKey), at }),
    insertConsumerKeyDigest({ id, digest: digestOf(consumerKey), at }),
  );
  return { id, consumerKey };
}
