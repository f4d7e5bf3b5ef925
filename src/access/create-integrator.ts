import type { Context } from '../database/context.ts';
import { insertIntegrator } from './access-queries.ts';
import { digestOf, displayPrefixOf, type Environment, makeKey } from './api-keys.ts';

/**
 * Registers an integrator's company and issues its consumer key (operator only). The key is in the result
 * and nowhere else: it cannot be shown again. Integrators belong to no organization, so this leaves no
 * organization's audit entry.
 */
export async function createIntegrator(
  context: Context,
  environment: Environment,
  name: string,
): Promise<{ id: number; consumerKey: string }> {
  const consumerKey = makeKey('dcc', environment, context.randomBytes);
  const id = await context.ids.takeOne();
  await context.database.global(
    insertIntegrator({
      id,
      name,
      digest: digestOf(consumerKey),
      prefix: displayPrefixOf(consumerKey),
      at: new Date(context.clock.now()).toISOString(),
    }),
  );
  return { id, consumerKey };
}
