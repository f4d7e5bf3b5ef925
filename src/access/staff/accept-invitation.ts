import { timingSafeEqual } from 'node:crypto';
import { digestOf, type Environment, isWellFormedKey } from '../../kernel/api-keys.ts';
import { assert } from '../../kernel/assert.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { organizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { Attempt } from '../../platform/http/endpoint.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { deleteStaffDevices, revokeSessionsOfStaff } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import { refuseWeakPassword } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import {
  deleteStaffInvitations,
  findStaffInvitation,
  type StaffRow,
  selectStaffMember,
  setStaffPassword,
} from './staff-queries.ts';

/** What a link that sets a password is for. */
type LinkPurpose = 'invitation' | 'reset';

const linkOf = {
  invitation: {
    prefix: 'dci',
    event: 'staff.joined',
    refusal: 'token must be that of an open invitation: ask an owner for a new one.',
  },
  reset: {
    prefix: 'dcr',
    event: 'staff.password_reset',
    refusal: 'token must be that of the newest link, unused and in time: ask for a new one.',
  },
} as const;

/**
 * Sets the password of the member whose link it is, once. Earlier sessions, devices and links end. Unknown, used and
 * expired tokens and those of disabled staff get the same 401. A weak password is refused with PASSWORD_REFUSED, and the link
 * stays open.
 */
export async function acceptInvitation(
  context: Context,
  environment: Environment,
  sessions: StaffSessions,
  requestId: string | null,
  purpose: LinkPurpose,
  { token, password }: { readonly token: string; readonly password: string },
  countAttempt: (attempt: Attempt) => Promise<{ giveBack(): void }>,
): Promise<StaffRow> {
  const { prefix, event, refusal } = linkOf[purpose];
  const digest = digestOf(token);
  const attempt = await countAttempt({ kind: 'account', name: digest.toString('base64') });
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
    if (!isWellFormedKey(token, prefix, environment)) throw noLink(refusal);
    const [found] = await context.database.global(findStaffInvitation({ digest }));
    const nowMs = context.clock.now();
    const isOpen = found !== undefined && timingSafeEqual(found.digest, digest) && found.expires_at > nowMs;
    if (!isOpen || found.is_reset !== (purpose === 'reset')) throw noLink(refusal);
    const { staff_id: id } = found;
    const organization = organizationId(found.organization_id);
    const [[member], [shop]] = await context.database.read(
      organization,
      selectStaffMember({ id }),
      selectOrganization({}),
    );
    if (member === undefined) throw noLink(refusal);
    const own = [member.email, member.first_name, member.last_name, shop?.name ?? ''];
    // Only for a good link: the refusal tells of the person's words.
    await refuseWeakPassword(password, own);
    const passwordHash = await hashPassword(password);
    const at = new Date(nowMs).toISOString();
    const { row, ended } = await context.database.write(organization, async (tx) => {
      const [used, [member], ended, , [row]] = await tx.run(
        deleteStaffInvitations({ staffId: id }),
        setStaffPassword({ id, passwordHash, at }),
        revokeSessionsOfStaff({ staffId: id, except: null, at }),
        deleteStaffDevices({ staffId: id, except: null }),
        selectStaffMember({ id }),
      );
      if (member === undefined || !used.some((invitation) => timingSafeEqual(invitation.digest, digest))) {
        throw noLink(refusal);
      }
      assert(row !== undefined, 'a member with a password exists');
      await announce(tx, context, { actor: `staff:${id}`, requestId }, nowMs, {
        event,
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

function noLink(refusal: string): Failure {
  return failure('INVALID_API_CREDENTIALS', refusal);
}
