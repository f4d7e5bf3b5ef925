import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { StaffCaller } from '../../platform/http/endpoint.ts';
import { revokeStaffSession } from './session-queries.ts';
import type { StaffSessions } from './staff-sessions.ts';

/** Ends the session: at once in this process, within a second in others. Idempotent. */
export async function endSession(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  { organizationId, staffId, sessionId }: Pick<StaffCaller, 'organizationId' | 'staffId' | 'sessionId'>,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organizationId, async (tx) => {
    const [ended] = await tx.run(revokeStaffSession({ id: sessionId, at: new Date(nowMs).toISOString() }));
    if (ended.length === 0) return;
    await announce(tx, context, origin, nowMs, {
      event: 'staff.signed_out',
      subjectType: 'staff',
      subjectId: staffId,
      payload: { staffId, sessionId },
    });
  });
  sessions.forget(sessionId);
}
