import { digestOf, type Environment, makeKey } from '../../kernel/api-keys.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { refuseLookAlikes } from '../../kernel/look-alikes.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import { invitationMail } from './password-mails.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import {
  deleteStaffInvitations,
  findStaffByEmail,
  insertStaffEmailDigests,
  insertStaffInvitations,
  insertStaffMembers,
  type StaffRow,
  selectStaffMember,
} from './staff-queries.ts';

const invitationLifeMs = 7 * 86_400_000;

/** The address of a page of this service. */
type PageUrl = (path: string) => string;

/** Where invitations are made. */
interface Inviting {
  readonly environment: Environment;
  /** Undefined: the link is passed on by hand, and no mail is written. */
  readonly pageUrl?: PageUrl | undefined;
}

interface NewInvitation {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: StaffRole;
}

export interface Invited {
  readonly row: StaffRow;
  readonly inviteToken: string;
}

/** Adds a member of staff, who sets a password with the token. The token is in the result and in the mail to the member. */
export async function inviteStaff(
  context: Context,
  inviting: Inviting,
  origin: Origin,
  organization: OrganizationId,
  member: NewInvitation,
): Promise<Invited> {
  refuseLookAlikes(member);
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
      const invited = { id, role: member.role, email };
      const inviteToken = await addInvitation(tx, context, inviting, origin, nowMs, invited);
      const row: StaffRow = {
        id,
        email,
        first_name: member.firstName,
        last_name: member.lastName,
        role: member.role,
        has_password: false,
        has_second_factor: false,
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
  inviting: Inviting,
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
    const invited = { id, role: row.role as StaffRole, email: row.email };
    return { row, inviteToken: await addInvitation(tx, context, inviting, origin, nowMs, invited) };
  });
}

async function addInvitation(
  tx: TenantTransaction,
  context: Context,
  { environment, pageUrl }: Inviting,
  origin: Origin,
  nowMs: number,
  { id: staffId, role, email }: { readonly id: number; readonly role: StaffRole; readonly email: string },
): Promise<string> {
  const token = makeKey('dci', environment, context.randomBytes);
  const expiresAtMs = nowMs + invitationLifeMs;
  const expiresAt = new Date(expiresAtMs).toISOString();
  tx.queue(...insertStaffInvitations([{ digest: digestOf(token), staffId, expiresAt, isReset: false }]));
  if (pageUrl !== undefined) {
    const [[organization]] = await tx.run(selectOrganization({}));
    assert(organization !== undefined, 'the organization of a member exists');
    const content = invitationMail(organization.name, pageUrl(`/console/invitation#${token}`));
    await queueMail(tx, context, nowMs, { ...content, to: email, expiresAtMs });
  }
  await announce(tx, context, origin, nowMs, {
    event: 'staff.invited',
    subjectType: 'staff',
    subjectId: staffId,
    payload: { staffId, role, expiresAt },
  });
  return token;
}
