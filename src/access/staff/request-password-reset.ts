import { digestOf, makeKey } from '../../kernel/api-keys.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { SignInRequest } from '../../platform/http/endpoint.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import { selectOrganization } from '../organizations/organizations.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { passwordResetMail } from './password-mails.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import {
  deleteStaffResets,
  findStaffAccounts,
  insertStaffInvitations,
  selectStaffMember,
} from './staff-queries.ts';

export const resetLifeMs = 3_600_000;
/** As for signing in: accounts of one email, one in each organization. */
const accountsMax = 10;

type Requester = Pick<SignInRequest<unknown, unknown, unknown>, 'requestId' | 'log' | 'countAttempt'>;

/**
 * Mails a link that sets a new password to each active account of an email, one in each organization. For the caller the
 * same happens whether there is an account or not: one look-up. The links are made after the reply, which does not wait for
 * them: its duration would show whether the account exists. Counts by email and network address, whatever the outcome.
 */
export async function requestPasswordReset(
  context: Context,
  access: StaffAccess,
  { requestId, log, countAttempt }: Requester,
  email: string,
): Promise<void> {
  const digest = emailDigest(normalizedEmail(email));
  await countAttempt({ kind: 'reset', name: digest.toString('base64') });
  const accounts = await context.database.global(
    findStaffAccounts({ digest, only: null, limit: accountsMax }),
  );
  for (const account of accounts) {
    makeReset(context, access, requestId, organizationId(account.organization_id), account.staff_id).catch(
      (error: unknown) => log.error({ err: error }, 'a password reset could not be made'),
    );
  }
}

/** Nothing happens for a member who is disabled or has not accepted the invitation yet. */
async function makeReset(
  context: Context,
  { environment, pageUrl = (path) => path }: StaffAccess,
  requestId: string,
  organization: OrganizationId,
  staffId: number,
): Promise<void> {
  const nowMs = context.clock.now();
  const expiresAtMs = nowMs + resetLifeMs;
  const token = makeKey('dcr', environment, context.randomBytes);
  await context.database.write(
    organization,
    async (tx) => {
      const [[member], [shop]] = await tx.run(selectStaffMember({ id: staffId }), selectOrganization({}));
      if (member === undefined || shop === undefined || !member.has_password || member.disabled_at !== null) {
        return;
      }
      const expiresAt = isoTimestamp(expiresAtMs);
      tx.queue(
        deleteStaffResets({ staffId }),
        ...insertStaffInvitations([{ digest: digestOf(token), staffId, expiresAt, isReset: true }]),
      );
      const content = passwordResetMail(shop.name, pageUrl(`/console/new-password#${token}`));
      await queueMail(tx, context, nowMs, { ...content, to: member.email, expiresAtMs });
      await announce(tx, context, { actor: 'visitor:not-signed-in', requestId }, nowMs, {
        event: 'staff.password_reset_requested',
        subjectType: 'staff',
        subjectId: staffId,
        payload: { staffId },
      });
    },
    // Does not invalidate caches: a visitor must not make menus be rebuilt.
    { countsAsChange: false },
  );
}
