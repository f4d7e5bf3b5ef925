import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt, StaffCaller } from '../../platform/http/endpoint.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { deleteStaffDevices, findStaffAccount, revokeSessionsOfStaff } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import { refuseWeakPassword } from './password-rules.ts';
import { hashPassword, isPasswordOf } from './passwords.ts';
import { deleteStaffInvitations, setStaffPassword } from './staff-queries.ts';

/**
 * Changes the password of the signed-in member, and ends all other sessions and devices of the member. Wrong passwords
 * count for the session: an open session does not allow guessing, and failed sign-ins of others do not block the
 * change. Fails with PASSWORD_REFUSED.
 */
export async function changePassword(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  staff: StaffCaller,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  device: Buffer | null,
  countAttempt: (attempt: Attempt) => Promise<{ giveBack(): void }>,
): Promise<void> {
  const { organizationId, staffId, sessionId } = staff;
  const attempt = await countAttempt({
    kind: 'session',
    name: String(sessionId),
    account: `${organizationId}/${staffId}`,
  });
  let isRight = true;
  try {
    const [[account]] = await context.database.read(organizationId, findStaffAccount({ id: staffId }));
    isRight = await isPasswordOf(account?.password_hash ?? null, passwords.currentPassword);
  } finally {
    if (isRight) attempt.giveBack();
  }
  if (!isRight) throw failure('INVALID_PARAMS', 'currentPassword must be the current password.');
  const [[organization]] = await context.database.read(organizationId, selectOrganization({}));
  const own = [staff.email, staff.firstName, staff.lastName, organization?.name ?? ''];
  await refuseWeakPassword(passwords.newPassword, own);
  const passwordHash = await hashPassword(passwords.newPassword);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const ended = await context.database.write(organizationId, async (tx) => {
    const [, ended] = await tx.run(
      setStaffPassword({ id: staffId, passwordHash, at }),
      revokeSessionsOfStaff({ staffId, except: sessionId, at }),
      // Open invitations are no longer needed.
      deleteStaffInvitations({ staffId }),
      deleteStaffDevices({ staffId, except: device }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'staff.password_changed',
      subjectType: 'staff',
      subjectId: staffId,
      payload: { staffId },
    });
    return ended;
  });
  for (const session of ended) sessions.forget(session.id);
}
