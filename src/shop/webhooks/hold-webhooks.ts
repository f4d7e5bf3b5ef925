import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { holdEndpointsOfIntegrator } from './webhook-queries.ts';

/** Sends nothing to the endpoints of an integrator until then, for a sandbox that wants its webhooks late. */
export async function holdWebhooks(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  integratorId: number,
  untilMs: number,
): Promise<void> {
  const until = isoTimestamp(untilMs);
  await context.database.write(organization, async (tx) => {
    tx.queue(holdEndpointsOfIntegrator({ integratorId, until }));
    await announce(tx, context, origin, context.wallClock.now(), {
      event: 'sandbox.webhooks_held',
      subjectType: 'sandbox',
      subjectId: organization,
      payload: { organizationId: organization, integratorId },
      details: { until },
    });
  });
}
