import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, signInEndpoint } from '../../platform/http/endpoint.ts';
import { Text, WholeNumber } from '../../platform/http/schemas.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { NewPassword } from './password-rules.ts';
import { requestPasswordReset, resetLifeMs } from './request-password-reset.ts';
import { memberExample, StaffMember, shownMember } from './staff-member-routes.ts';

/** A member of staff who forgot the password gets a link by mail. */
export function passwordResetRoutes(context: Context, access: StaffAccess): StaffEndpoint[] {
  return [
    signInEndpoint({
      id: 'requestPasswordReset',
      method: 'POST',
      path: '/staff/v1/password-resets',
      kind: 'write',
      summary: 'Ask for a new password',
      description:
        'Mails a link to the active member of staff with this email; it works once, within an hour, and ends the former one. ' +
        'With the same email in several organizations, each sends a mail. The reply is the same for every email, and takes as ' +
        'long. Where no mail server is set (`SMTP_URL`), the link reaches no one: an owner invites the person again. Limited by email and by ' +
        'network address.',
      tag: 'Session',
      body: Type.Object({ email: Text({ min: 1, max: 254 }) }),
      requestExample: { email: 'theo@harborlight.example.com' },
      success: {
        status: 202,
        data: Type.Object({
          expiresInSeconds: WholeNumber({ min: 1, max: 3_600, description: 'How long the link is valid' }),
        }),
        description: 'If there is such a member, a mail is on its way',
        example: { expiresInSeconds: resetLifeMs / 1_000 },
      },
      failures: [],
      handle: async (request) => {
        await requestPasswordReset(context, access, request, request.body.email);
        return reply({ expiresInSeconds: resetLifeMs / 1_000 });
      },
    }),
    signInEndpoint({
      id: 'resetPassword',
      method: 'POST',
      path: '/staff/v1/password-resets/redeem',
      kind: 'write',
      summary: 'Set a new password by mail',
      description:
        'Sets the password with the token of the link, once; then sign in with it. All sessions of the member end, and so do ' +
        'open invitations and the marks of known devices. Unknown, used and expired tokens get the same 401, and count like ' +
        'failed sign-ins.',
      tag: 'Session',
      body: Type.Object({
        token: Text({ min: 1, max: 60, description: 'Of the link: what follows `#`' }),
        password: NewPassword,
      }),
      requestExample: {
        token: 'dcr_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
        password: 'quiet harbor lantern 41',
      },
      success: {
        status: 200,
        data: Type.Object({ staff: StaffMember }),
        description: 'The member who can sign in now',
        example: { staff: { ...memberExample, status: 'active' } },
      },
      failures: ['PASSWORD_REFUSED'],
      handle: async ({ body, requestId, countAttempt }) => {
        const { environment, sessions } = access;
        const row = await acceptInvitation(
          context,
          environment,
          sessions,
          requestId,
          'reset',
          body,
          countAttempt,
        );
        return reply({ staff: shownMember(row) });
      },
    }),
  ];
}
