import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { putLoyaltyProgram } from './promotion-queries.ts';

/** Sets how many points a dollar of merchandise earns, for orders that are fulfilled from now on. Decimal text. */
export async function setLoyaltyProgram(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  pointsPerDollar: string,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    tx.queue(putLoyaltyProgram({ pointsPerDollar, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_program.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization, pointsPerDollar },
    });
  });
}
