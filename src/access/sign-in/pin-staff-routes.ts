import Type from 'typebox';
import { approvalKinds } from '../../kernel/approval-kinds.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { orderRoles, type StaffRole, staffRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import { reply, replyEmpty, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { endSession, findStaffAccount, findStaffSession, startSession } from '../sessions/sessions.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { findByPin, setPin } from '../staff/staff.ts';
import { giveApproval } from './approvals.ts';
import { requireAllowedAddress } from './open-session.ts';
import { replySignedIn, SignedIn, signedInExample } from './session-staff-routes.ts';

const Pin = Type.String({ pattern: '^[0-9]{4,8}$', maxLength: 8, 'x-expected': '4 to 8 digits' });

/** PINs: the own one, who is at a shared register, and a manager's word there. */
export function pinStaffRoutes(context: Context, access: StaffAccess): StaffEndpoint[] {
  return [setMyPinEndpoint(context), signInByPinEndpoint(context, access), giveApprovalEndpoint(context)];
}

function setMyPinEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'setMyPin',
    method: 'PUT',
    path: '/staff/v1/me/pin',
    roles: staffRoles,
    kind: 'write',
    recentProof: 'always',
    summary: 'Set the own PIN',
    description:
      'The PIN of the signed-in member, for shared registers; null removes it. Owners and managers need 6 digits. No two members have the same ' +
      'one: a PIN that is taken is refused, and counts as a wrong guess. It is kept as a slow hash only.',
    tag: 'Session',
    body: Type.Object({ pin: Nullable(Pin) }),
    requestExample: { pin: '480213' },
    success: { status: 204, description: 'Set' },
    failures: [],
    handle: async ({ staff, body, requestId, countAttempt }) => {
      await setPin(context, staffOrigin(staff, requestId), staff, body.pin, countAttempt);
      return replyEmpty();
    },
  });
}

function signInByPinEndpoint(context: Context, access: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'signInByPin',
    method: 'POST',
    path: '/staff/v1/sessions/pin',
    roles: staffRoles,
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Change who is at a shared register',
    description:
      'Ends the session of the request and starts one of the member whose PIN it is, on this device. It ends 30 days after a person signed in ' +
      'there in full, and has no recent proof of who it is: what needs one asks for the password. Refused for roles that need a second ' +
      'factor. Wrong PINs are limited by session and shop, and are in the audit log. Ignores `Idempotency-Key`.',
    tag: 'Session',
    body: Type.Object({ pin: Pin }),
    requestExample: { pin: '4802' },
    success: {
      status: 201,
      data: SignedIn,
      description: 'The session, also as a cookie',
      example: signedInExample,
    },
    failures: [],
    handle: async (request) => {
      const { staff, body, requestId, countAttempt } = request;
      const { organizationId, sessionId } = staff;
      const origin = staffOrigin(staff, requestId);
      const id = await findByPin(context, origin, staff, body.pin, countAttempt);
      const [[member], [session]] = await context.database.read(
        organizationId,
        findStaffAccount({ id }),
        findStaffSession({ id: sessionId }),
      );
      assert(member !== undefined && session !== undefined, 'a session has a member');
      if (member.must_have_second_factor) {
        const words = `The role ${member.role} needs a second factor: sign in with the password.`;
        throw failure('INSUFFICIENT_PERMISSIONS', words);
      }
      requireAllowedAddress(context, organizationId, member, request);
      const started = await writeTogether(context.database, organizationId, async () => {
        const begun = await startSession(context, access.environment, origin, organizationId, id, {
          ...{ place: request, beganAtMs: session.created_at },
          proof: { atMs: 0, hasProviderFactor: false },
        });
        await endSession(context, access.sessions, origin, staff);
        return begun;
      });
      const signed = {
        ...{ ...started, newDeviceToken: undefined, organizationId, staffId: id },
        ...{ role: member.role as StaffRole, email: member.email },
        ...{ firstName: member.first_name, lastName: member.last_name },
      };
      return replySignedIn(signed, access.publicUrl);
    },
  });
}

function giveApprovalEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'giveApproval',
    method: 'POST',
    path: '/staff/v1/approvals',
    roles: orderRoles,
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Approve an act of another member',
    description:
      "An owner's or a manager's word on the spot, by PIN: for 10 minutes, requests of this session with `X-Approval: <token>` may do what the " +
      "approver's role may: `amounts` for discounts and prices of carts and edits of orders, `void` for sales, `payment` to take another tender while a payment is unknown. " +
      'Neither signs in or out; the audit log names both. Wrong PINs are limited by session and shop. Ignores `Idempotency-Key`.',
    tag: 'Session',
    body: Type.Object({ pin: Pin, kind: OneOf(approvalKinds) }),
    requestExample: { pin: '480213', kind: 'void' },
    success: {
      status: 201,
      data: Type.Object({
        token: Text({ max: 1000, description: 'For `X-Approval`; shown once' }),
        expiresAt: Timestamp(),
        approvedBy: Type.Object({
          id: Id(),
          firstName: Text({ max: 100 }),
          lastName: Text({ max: 100 }),
        }),
      }),
      description: 'The approval',
      example: {
        token: 'mk1.q83vEjRWeJASNFZ4',
        expiresAt: '2026-03-01T17:15:09.123Z',
        approvedBy: { id: 2003, firstName: 'Theo', lastName: 'Lindqvist' },
      },
    },
    failures: [],
    handle: async ({ staff, body, requestId, countAttempt }) =>
      reply(await giveApproval(context, staffOrigin(staff, requestId), staff, body, countAttempt)),
  });
}
