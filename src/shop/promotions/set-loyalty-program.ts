import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import {
  type LoyaltyProgramRow,
  lockProgramSetup,
  putLoyaltyProgram,
  selectProgramSetup,
} from './promotion-queries.ts';

/**
 * Sets the points per dollar of merchandise, for orders that are fulfilled from now on; writes nothing if the
 * rule is unchanged. Decimal text. Fails with STALE_EDIT.
 */
export async function setLoyaltyProgram(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  pointsPerDollar: string,
): Promise<LoyaltyProgramRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    // Read after the lock is taken: a concurrent change is then committed.
    await tx.run(lockProgramSetup({}));
    const [[former]] = await tx.run(selectProgramSetup({}));
    assert(former !== undefined, 'the organization does not exist');
    refuseStaleEdit(origin, former.updated_at);
    const changes = changesOf(
      { pointsPerDollar: Number(former.points_per_dollar) },
      { pointsPerDollar: Number(pointsPerDollar) },
    );
    if (changes === null) return former;
    tx.queue(putLoyaltyProgram({ pointsPerDollar, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_program.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization, pointsPerDollar },
      details: { organizationId: organization, ...changes },
    });
    return { points_per_dollar: pointsPerDollar, updated_at: nowMs };
  });
}
