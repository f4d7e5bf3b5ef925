import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { assert } from '../kernel/assert.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import { insertStaffMembers } from './access-queries.ts';
import { digestOf, type Environment, makeKey } from './api-keys.ts';
import { insertStaffEmailDigests } from './session-queries.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import {
  deleteStaffInvitations,
  findStaffByEmail,
  insertStaffInvitations,
  type StaffRow,
  selectStaffMember,
} from './staff-queries.ts';

const invitationLifeMs = 7 * 86_400_000;

export interface NewInvitation {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: StaffRole;
}

export interface Invited {
  readonly row: StaffRow;
  readonly inviteToken: string;
}

/** Adds a member of staff, who sets a password with the token. The token is in the result only. */
export async function inviteStaff(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  member: NewInvitation,
): Promise<Invited> {
  const id = await context.ids.takeOne();
  const email = member.email.trim();
  const emailNormalized = normalizedEmail(email);
  return context.database.write(
    organization,
    async (tx) => {
      const [known] = await tx.run(findStaffByEmail({ emailNormalized }));
      if (known.length > 0) {
        throw failure('INVALID_PARAMS', 'email must not be that of an existing member of staff.');
      }
      const nowMs = context.clock.now();
      tx.queue(
        ...insertStaffMembers([
          {
            ...member,
            id,
            email,
            emailNormalized,
            passwordHash: null,
            createdAt: new Date(nowMs).toISOString(),
          },
        ]),
        ...insertStaffEmailDigests([{ digest: emailDigest(emailNormalized), staffId: id }]),
      );
      const inviteToken = await addInvitation(tx, context, environment, origin, nowMs, id, member.role);
      const row: StaffRow = {
        id,
        email,
        first_name: member.firstName,
        last_name: member.lastName,
        role: member.role,
        has_password: false,
        created_at: nowMs,
        updated_at: nowMs,
        disabled_at: null,
      };
      return { row, inviteToken };
    },
    { retryOnConstraints: ['staff_members_organization_id_email_normalized_key'] },
  );
}

/** Replaces the open tokens with a new one, for a member who lost the link or the password. */
export async function inviteStaffAgain(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<Invited> {
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(selectStaffMember({ id }));
    if (row === undefined) throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
    if (row.disabled_at !== null) {
      throw failure('STAFF_DISABLED', 'The member of staff is disabled: set disabled to false first.');
    }
    tx.queue(deleteStaffInvitations({ staffId: id }));
    const nowMs = context.clock.now();
    const role = row.role as StaffRole;
    return { row, inviteToken: await addInvitation(tx, context, environment, origin, nowMs, id, role) };
  });
}

async function addInvitation(
  tx: TenantTransaction,
  context: Context,
  environment: Environment,
  origin: Origin,
  nowMs: number,
  staffId: number,
  role: StaffRole,
): Promise<string> {
  const token = makeKey('dci', environment, context.randomBytes);
  const expiresAt = new Date(nowMs + invitationLifeMs).toISOString();
  const [insert] = insertStaffInvitations([{ digest: digestOf(token), staffId, expiresAt }]);
  assert(insert !== undefined, 'one row is one statement');
  tx.queue(insert);
  await announce(tx, context, origin, nowMs, {
    event: 'staff.invited',
    subjectType: 'staff',
    subjectId: staffId,
    payload: { staffId, role, expiresAt },
  });
  return token;
}
