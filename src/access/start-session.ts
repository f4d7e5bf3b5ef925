import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { digestOf, type Environment, makeKey } from './api-keys.ts';
import { deleteOldStaffSessions, insertStaffSessionDigests, insertStaffSessions } from './session-queries.ts';
import { rememberDevice } from './staff-devices.ts';
import { sessionAgeMsMax } from './staff-sessions.ts';

/**
 * Starts a session of an authenticated member of staff, and records the device, if there is one. The token is in the
 * result only.
 */
export async function startSession(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  deviceToken?: string,
): Promise<{ sessionId: number; token: string }> {
  const token = makeKey('dcs', environment, context.randomBytes);
  const sessionId = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = new Date(nowMs).toISOString();
  await context.database.write(organization, async (tx) => {
    tx.queue(
      deleteOldStaffSessions({ staffId, before: new Date(nowMs - sessionAgeMsMax).toISOString() }),
      ...insertStaffSessions([{ id: sessionId, staffId, createdAt: at, lastUsedAt: at }]),
      ...insertStaffSessionDigests([{ digest: digestOf(token), sessionId }]),
      ...(deviceToken === undefined ? [] : rememberDevice(deviceToken, staffId, at)),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'staff.signed_in',
      subjectType: 'staff',
      subjectId: staffId,
      payload: { staffId, sessionId },
    });
  });
  return { sessionId, token };
}
