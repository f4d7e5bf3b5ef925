import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { StaffCaller } from '../http/endpoint.ts';
import { failure } from '../kernel/failure.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { hashPassword, isPasswordOf } from './passwords.ts';
import { findStaffAccount } from './session-queries.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import { deleteStaffInvitations, revokeSessionsOfStaff, setStaffPassword } from './staff-queries.ts';
import type { StaffSessions } from './staff-sessions.ts';

/**
 * Gives who is signed in another password, and ends every session but theirs. Wrong present passwords count like failed
 * sign-ins with the email: a session left open is no place to guess from.
 */
export async function changePassword(
  context: Context,
  sessions: StaffSessions,
  origin: Origin,
  { organizationId, staffId, sessionId, email }: StaffCaller,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  countAttempt: (account: string) => { giveBack(): void },
): Promise<void> {
  const attempt = countAttempt(emailDigest(normalizedEmail(email)).toString('base64'));
  let isRight = true;
  try {
    const [[account]] = await context.database.read(organizationId, findStaffAccount({ id: staffId }));
    isRight = await isPasswordOf(account?.password_hash ?? null, passwords.currentPassword);
  } finally {
    if (isRight) attempt.giveBack();
  }
  if (!isRight) throw failure('INVALID_PARAMS', 'currentPassword must be the present password.');
  const passwordHash = await hashPassword(passwords.newPassword);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const ended = await context.database.write(organizationId, async (tx) => {
    const [, ended] = await tx.run(
      setStaffPassword({ id: staffId, passwordHash, at }),
      revokeSessionsOfStaff({ staffId, except: sessionId, at }),
      // A link to set a password, which nobody needs any more.
      deleteStaffInvitations({ staffId }),
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
