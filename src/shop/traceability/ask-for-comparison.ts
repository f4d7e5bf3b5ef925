import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { type ComparisonRow, insertComparison, selectLastComparison } from './comparison-queries.ts';
import { lockConnections, wakeLane } from './connection-queries.ts';
import { comparedDays } from './run-comparison.ts';

/** A person asks for a comparison: a new one, or the one that is under way. Undefined: there is no such connection. */
export async function askForComparison(
  context: Context,
  organization: OrganizationId,
  connectionId: number,
  { origin, staffId }: { readonly origin: Origin; readonly staffId: number },
): Promise<ComparisonRow | undefined> {
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const [connections] = await tx.run(lockConnections({}));
    if (!connections.some((it) => it.id === connectionId)) return undefined;
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const readsFrom = isoTimestamp(nowMs - comparedDays * 24 * 3_600_000);
    const [[made]] = await tx.run(insertComparison({ id, connectionId, staffId, readsFrom, at }));
    tx.queue(wakeLane({ connectionId, at }));
    if (made !== undefined) {
      await announce(tx, context, origin, nowMs, {
        event: 'state_comparison.asked',
        subjectType: 'state_comparison',
        subjectId: id,
        payload: { stateComparisonId: id, stateConnectionId: connectionId },
      });
    }
    const [[row]] = await tx.run(selectLastComparison({ connectionId }));
    return row;
  });
}
