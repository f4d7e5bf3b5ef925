import type { Environment } from '../../kernel/api-keys.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Invited, inviteStaff, inviteStaffAgain } from './invite-staff.ts';
import { normalizedEmail } from './staff-email.ts';
import { selectStaff } from './staff-queries.ts';

/**
 * Invites an owner by a token (operator only): a new person, or an owner who cannot sign in any more. Fails with
 * INVALID_PARAMS for a member of staff with another role, and with STAFF_DISABLED.
 */
export async function inviteOwner(
  context: Context,
  environment: Environment,
  origin: Origin,
  organization: OrganizationId,
  email: string,
): Promise<Invited> {
  const [members] = await context.database.read(organization, selectStaff({}));
  const known = members.find((member) => normalizedEmail(member.email) === normalizedEmail(email));
  if (known === undefined) {
    const member = { email, firstName: 'Owner', lastName: '', role: 'owner' as const };
    return inviteStaff(context, { environment }, origin, organization, member);
  }
  if (known.role !== 'owner') {
    throw failure(
      'INVALID_PARAMS',
      `email must not be that of a member of staff with the role ${known.role}.`,
    );
  }
  return inviteStaffAgain(context, { environment }, origin, organization, known.id);
}
