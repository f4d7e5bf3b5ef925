import Type, { type Static } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type StaffRole, staffRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffEndpoint,
  signInEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import {
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { deviceCookie, readDevice } from '../sessions/sessions.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { changePassword } from './change-password.ts';
import { type Invited, inviteStaff, inviteStaffAgain } from './invite-staff.ts';
import { NewPassword } from './password-rules.ts';
import { StaffEmail } from './staff-email.ts';
import { type StaffRow, selectStaff } from './staff-queries.ts';
import { updateStaff } from './update-staff.ts';

const FirstName = NonBlankText({ max: 100 });
const LastName = NonBlankText({ max: 100 });
const Role = OneOf(staffRoles);
const InviteToken = Text({
  min: 1,
  max: 60,
  description: 'For the link; shown once, valid once, for 7 days',
});

const memberFields = {
  id: Id(),
  email: Text({ max: 254 }),
  firstName: Text({ max: 100 }),
  lastName: Text({ max: 100 }),
  role: Role,
  status: OneOf(['invited', 'active', 'disabled'], {
    description: 'invited: has not set a password yet',
  }),
  hasSecondFactor: Flag({ description: 'Signing in needs a code besides the password' }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  disabledAt: Nullable(Timestamp()),
};
export const StaffMember = Named('StaffMember', Type.Object(memberFields));
const InvitedStaffMember = Named(
  'InvitedStaffMember',
  Type.Object({
    ...memberFields,
    inviteToken: InviteToken,
    isMailed: Flag({ description: 'True: a mail server is set, and the link goes to the email address' }),
  }),
);

export const memberExample = {
  id: 2004,
  email: 'ines@harborlight.example.com',
  firstName: 'Ines',
  lastName: 'Marchetti',
  role: 'budtender',
  status: 'invited',
  hasSecondFactor: false,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  disabledAt: null,
} as const;
const invitedExample = {
  ...memberExample,
  inviteToken: 'dci_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  isMailed: true,
};

const params = Type.Object({ staffId: Id() });
const resourceParams = { staffId: 'STAFF_NOT_FOUND' } as const;
const roles = ['owner'] as const;

/** A member as replies show it. */
export function shownMember(row: StaffRow): Static<typeof StaffMember> {
  const { id, email, disabled_at: disabledAtMs } = row;
  return {
    id,
    email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role as StaffRole,
    status: disabledAtMs !== null ? 'disabled' : row.has_password ? 'active' : 'invited',
    hasSecondFactor: row.has_second_factor,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    disabledAt: disabledAtMs === null ? null : isoTimestamp(disabledAtMs),
  };
}

function shownInvited({ row, inviteToken }: Invited, { hasMailServer }: Access) {
  return { ...shownMember(row), inviteToken, isMailed: hasMailServer === true };
}

type Access = Pick<StaffAccess, 'sessions' | 'environment' | 'pageUrl' | 'hasMailServer'>;

/** The members of staff: listing, inviting and changing them, and their own password. */
export function staffMemberRoutes(context: Context, access: Access): StaffEndpoint[] {
  return [
    listStaffEndpoint(context),
    inviteStaffEndpoint(context, access),
    inviteStaffAgainEndpoint(context, access),
    updateStaffEndpoint(context, access),
    acceptStaffInviteEndpoint(context, access),
    changeMyPasswordEndpoint(context, access),
  ];
}

function listStaffEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listStaff',
    method: 'GET',
    path: '/staff/v1/staff',
    roles,
    kind: 'read',
    readsFrom: { primary: 'accounts and their sessions' },
    list: { staysSmall: 'settings of the shop' },
    summary: 'List staff',
    description: 'All members, including invited and disabled ones, in the order of creation.',
    tag: 'Staff',
    sorts: {
      createdAt: 'ascending',
      name: { own: 'ascending', key: ({ lastName, firstName }) => `${lastName}\0${firstName}` },
      email: 'ascending',
      role: 'ascending',
      status: 'ascending',
    },
    success: {
      status: 200,
      data: List(StaffMember, { max: 100_000 }),
      description: 'Staff',
      example: [memberExample],
    },
    failures: [],
    handle: async ({ staff }) => {
      const [rows] = await context.database.read(staff.organizationId, selectStaff({}));
      return reply(rows.map(shownMember));
    },
  });
}

function inviteStaffEndpoint(context: Context, access: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'inviteStaff',
    method: 'POST',
    path: '/staff/v1/staff',
    roles,
    kind: 'write',
    recentProof: 'always',
    answersSecret: true,
    summary: 'Invite a member of staff',
    description:
      'Adds the person, who sets a password with `inviteToken` and `POST /staff/v1/staff/accept-invite` within 7 days. ' +
      'The link with the token goes to the email address. The token is also in this reply, for you to hand over where no mail server ' +
      'is set (`SMTP_URL`), and not shown again.',
    tag: 'Staff',
    body: Type.Object({
      email: StaffEmail,
      firstName: FirstName,
      lastName: LastName,
      role: Role,
    }),
    requestExample: {
      email: memberExample.email,
      firstName: memberExample.firstName,
      lastName: memberExample.lastName,
      role: memberExample.role,
    },
    success: {
      status: 201,
      data: InvitedStaffMember,
      description: 'The member of staff, with the token',
      example: invitedExample,
    },
    failures: [],
    handle: async ({ staff, body, requestId }) =>
      reply(
        shownInvited(
          await inviteStaff(context, access, staffOrigin(staff, requestId), staff.organizationId, body),
          access,
        ),
      ),
  });
}

function inviteStaffAgainEndpoint(context: Context, access: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'inviteStaffAgain',
    method: 'POST',
    path: '/staff/v1/staff/{staffId}/invite',
    roles,
    kind: 'write',
    recentProof: 'always',
    answersSecret: true,
    summary: 'Invite a member of staff again',
    description:
      'Replaces the token, for a member who lost the link or forgot the password, and mails the new link. The old password ' +
      'stays valid until the invitation is accepted.',
    tag: 'Staff',
    params,
    success: {
      status: 200,
      data: InvitedStaffMember,
      description: 'The member of staff, with the token',
      example: invitedExample,
    },
    failures: ['STAFF_DISABLED'],
    resourceParams,
    handle: async ({ staff, params: { staffId }, requestId }) =>
      reply(
        shownInvited(
          await inviteStaffAgain(
            context,
            access,
            staffOrigin(staff, requestId),
            staff.organizationId,
            staffId,
          ),
          access,
        ),
      ),
  });
}

function updateStaffEndpoint(context: Context, { sessions }: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'updateStaff',
    method: 'PATCH',
    path: '/staff/v1/staff/{staffId}',
    roles,
    kind: 'write',
    recentProof: 'always',
    takesIfMatch: true,
    summary: 'Change a member of staff',
    description:
      'Changes the sent fields. `disabled: true` ends the sessions and prevents signing in, everywhere within one second. ' +
      'The last owner who can sign in cannot be demoted or disabled. Who becomes an owner or a manager and was none sets a new PIN, of 6 digits.',
    tag: 'Staff',
    params,
    body: Type.Partial(
      Type.Object({ role: Role, firstName: FirstName, lastName: LastName, disabled: Flag() }),
    ),
    requestExample: { role: 'manager', firstName: 'Ines', lastName: 'Okonkwo', disabled: false },
    success: {
      status: 200,
      data: StaffMember,
      description: 'The member of staff',
      example: { ...memberExample, role: 'manager', lastName: 'Okonkwo', status: 'active' },
    },
    failures: ['LAST_OWNER'],
    resourceParams,
    handle: async ({ staff, params: { staffId }, body, requestId, expectedUpdatedAtMs }) =>
      reply(
        shownMember(
          await updateStaff(
            context,
            sessions,
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            staffId,
            body,
          ),
        ),
      ),
  });
}

function acceptStaffInviteEndpoint(context: Context, { sessions, environment }: Access): StaffEndpoint {
  return signInEndpoint({
    id: 'acceptStaffInvite',
    method: 'POST',
    path: '/staff/v1/staff/accept-invite',
    kind: 'write',
    summary: 'Accept an invitation',
    description:
      'Sets the password of the invited member, once; then sign in with it. Earlier sessions end. Unknown, used and ' +
      'expired tokens get the same 401, and count like failed sign-ins.',
    tag: 'Staff',
    body: Type.Object({ token: InviteToken, password: NewPassword }),
    requestExample: { token: invitedExample.inviteToken, password: 'correct horse battery staple' },
    success: {
      status: 200,
      data: Type.Object({ staff: StaffMember }),
      description: 'The member who can sign in now',
      example: { staff: { ...memberExample, status: 'active' } },
    },
    failures: ['PASSWORD_REFUSED'],
    handle: async ({ body, requestId, countAttempt }) =>
      reply({
        staff: shownMember(
          await acceptInvitation(context, environment, sessions, requestId, 'invitation', body, countAttempt),
        ),
      }),
  });
}

function changeMyPasswordEndpoint(context: Context, { sessions, environment }: Access): StaffEndpoint {
  return staffEndpoint({
    id: 'changeMyPassword',
    method: 'POST',
    path: '/staff/v1/me/password',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    ignoresIdempotencyKey: true,
    summary: 'Change your own password',
    description:
      'Ends all your other sessions. Attempts with a wrong current password are limited per session. Ignores ' +
      '`Idempotency-Key`: only the hash of a password is stored.',
    tag: 'Session',
    body: Type.Object({ currentPassword: Text({ min: 1, max: 200 }), newPassword: NewPassword }),
    requestExample: {
      currentPassword: 'correct horse battery staple',
      newPassword: 'quiet harbor lantern 41',
    },
    success: { status: 204, description: 'The password is changed' },
    failures: ['PASSWORD_REFUSED'],
    handle: async ({ staff, body, requestId, countAttempt, cookie }) => {
      const origin = staffOrigin(staff, requestId);
      const device = readDevice(cookie(deviceCookie), environment);
      await changePassword(context, sessions, origin, staff, body, device, countAttempt);
      return replyEmpty();
    },
  });
}
