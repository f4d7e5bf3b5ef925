import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { Attempt } from '../http/endpoint.ts';
import { assert } from '../kernel/assert.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import { organizationId } from '../kernel/ids.ts';
import { digestOf, type Environment, isWellFormedKey } from './api-keys.ts';
import { hashPassword } from './passwords.ts';
import { deleteStaffDevices } from './staff-devices.ts';
import {
  deleteStaffInvitations,
  findStaffInvitation,
  revokeSessionsOfStaff,
  type StaffRow,
  selectStaffMember,
  setStaffPassword,
} from './staff-queries.ts';
import type { StaffSessions } from './staff-sessions.ts';

/**
 * Sets the password of the invited member, once. Earlier sessions and devices end. Unknown, used and expired tokens and
 * those of disabled staff get the same 401.
 */
export async function acceptInvitation(
  context: Context,
  environment: Environment,
  sessions: StaffSessions,
  requestId: string | null,
  { token, password }: { readonly token: string; readonly password: string },
  countAttempt: (attempt: Attempt) => { giveBack(): void },
): Promise<StaffRow> {
  const digest = digestOf(token);
  const attempt = countAttempt({ kind: 'account', name: digest.toString('base64') });
  try {
    const row = await accept();
    attempt.giveBack();
    return row;
  } catch (error) {
    // An internal error does not count as an attempt.
    if ((error as Partial<Failure>).code !== 'INVALID_API_CREDENTIALS') attempt.giveBack();
    throw error;
  }

  async function accept(): Promise<StaffRow> {
    if (!isWellFormedKey(token, 'dci', environment)) throw noInvitation();
    const [found] = await context.database.global(findStaffInvitation({ digest }));
    const nowMs = context.clock.now();
    if (found === undefined || !timingSafeEqual(found.digest, digest) || found.expires_at <= nowMs) {
      throw noInvitation();
    }
    const { staff_id: id } = found;
    const passwordHash = await hashPassword(password);
    const at = new Date(nowMs).toISOString();
    const { row, ended } = await context.database.write(organizationId(found.organization_id), async (tx) => {
      const [used, [member], ended, , [row]] = await tx.run(
        deleteStaffInvitations({ staffId: id }),
        setStaffPassword({ id, passwordHash, at }),
        revokeSessionsOfStaff({ staffId: id, except: null, at }),
        deleteStaffDevices({ staffId: id, except: null }),
        selectStaffMember({ id }),
      );
      if (member === undefined || !used.some((invitation) => timingSafeEqual(invitation.digest, digest))) {
        throw noInvitation();
      }
      assert(row !== undefined, 'a member with a password exists');
      await announce(tx, context, { actor: `staff:${id}`, requestId }, nowMs, {
        event: 'staff.joined',
        subjectType: 'staff',
        subjectId: id,
        payload: { staffId: id },
      });
      return { row, ended };
    });
    for (const session of ended) sessions.forget(session.id);
    return row;
  }
}

function noInvitation(): Failure {
  return failure(
    'INVALID_API_CREDENTIALS',
    'token must be that of an open invitation: ask an owner for a new one.',
  );
}
