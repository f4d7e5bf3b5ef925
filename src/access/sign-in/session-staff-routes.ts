import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { staffRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffCaller,
  type StaffEndpoint,
  signInEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { Described, Flag, Id, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { setSessionCookie } from '../../platform/http/session-cookie.ts';
import type { TimeZone } from '../organizations/create-organization.ts';
import { selectEnd, selectOrganization, timeZones } from '../organizations/organizations.ts';
import { endSession, setDeviceCookie } from '../sessions/sessions.ts';
import type { StaffAccess } from '../sessions/staff-sessions.ts';
import type { Signed } from './open-session.ts';
import { sessionListRoutes } from './session-list-staff-routes.ts';
import { signIn } from './sign-in.ts';

const SignedInStaff = Named(
  'SignedInStaff',
  Type.Object({
    id: Id(),
    email: Text({ max: 254 }),
    firstName: Text({ max: 100 }),
    lastName: Text({ max: 100 }),
    role: OneOf(staffRoles),
  }),
);

const staffExample = {
  id: 2003,
  email: 'theo@harborlight.example.com',
  firstName: 'Theo',
  lastName: 'Lindqvist',
  role: 'manager',
} as const;

function shown({ staffId, email, firstName, lastName, role }: Omit<StaffCaller, 'standing'>) {
  return { id: staffId, email, firstName, lastName, role };
}

/** A new session. */
export const SignedIn = Type.Object({
  token: Text({ max: 60, description: 'Shown once' }),
  staff: SignedInStaff,
});

export const signedInExample = {
  token: 'dcs_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  staff: staffExample,
};

/** The reply to a completed sign-in: the session, also as cookies of this browser. */
export function replySignedIn({ token, newDeviceToken, ...staff }: Signed, publicUrl: string | undefined) {
  const ofSession = setSessionCookie(publicUrl, token);
  const cookies =
    newDeviceToken === undefined ? ofSession : [ofSession, setDeviceCookie(publicUrl, newDeviceToken)];
  return reply({ token, staff: shown(staff) }, { headers: { 'Set-Cookie': cookies } });
}

/** Signing in and out, and the signed-in member. */
export function sessionStaffRoutes(context: Context, access: StaffAccess): StaffEndpoint[] {
  return [
    beginSessionEndpoint(context, access),
    signOutEndpoint(context, access),
    getMeEndpoint(context),
    ...sessionListRoutes(context, access.sessions),
  ];
}

function beginSessionEndpoint(context: Context, { environment, publicUrl }: StaffAccess): StaffEndpoint {
  return signInEndpoint({
    id: 'signIn',
    method: 'POST',
    path: '/staff/v1/sessions',
    kind: 'write',
    summary: 'Sign in',
    description:
      'Starts a session. Browsers keep the cookie; tools send the token as `Authorization: Bearer`, which takes ' +
      'precedence. A session ends after 12 hours without use, 30 days after signing in, and at once on ' +
      'signing out. Failed attempts are limited by email and by network address; attempts from a browser that has signed ' +
      'in with this email before, recognized by a second cookie, have a separate limit. Failed attempts are in the audit ' +
      'log. Of a member with a second factor the right password is refused with `SECOND_FACTOR_REQUIRED`, with a token for ' +
      '`POST /staff/v1/sessions/second-factor`.',
    tag: 'Session',
    body: Type.Object({
      email: Text({ min: 1, max: 254 }),
      password: Text({ min: 1, max: 200 }),
      organizationId: Type.Optional(
        Id({ description: 'Required if the same email and password match in several organizations' }),
      ),
    }),
    requestExample: { email: staffExample.email, password: 'correct horse battery staple' },
    success: {
      status: 201,
      data: SignedIn,
      description: 'The session, also as a cookie',
      example: signedInExample,
    },
    failures: ['SECOND_FACTOR_REQUIRED'],
    handle: async (request) => {
      const signed = await signIn(context, environment, request.body, request);
      return replySignedIn(signed, publicUrl);
    },
  });
}

function signOutEndpoint(context: Context, { sessions, publicUrl }: StaffAccess): StaffEndpoint {
  return staffEndpoint({
    id: 'signOut',
    method: 'DELETE',
    path: '/staff/v1/sessions/current',
    roles: staffRoles,
    kind: 'write',
    isOpenWithoutFactor: true,
    ignoresIdempotencyKey: true,
    summary: 'Sign out',
    description:
      'Ends the session of the request, everywhere within one second, and deletes the cookie. Ignores ' +
      '`Idempotency-Key`: a repeated request gets 401, because the session has ended.',
    tag: 'Session',
    success: { status: 204, description: 'Signed out' },
    failures: [],
    handle: async ({ staff, requestId }) => {
      await endSession(context, sessions, { actor: `staff:${staff.staffId}`, requestId }, staff);
      return replyEmpty({ headers: { 'Set-Cookie': setSessionCookie(publicUrl, '') } });
    },
  });
}

function getMeEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'getMe',
    method: 'GET',
    path: '/staff/v1/me',
    roles: staffRoles,
    kind: 'read',
    isOpenWithoutFactor: true,
    summary: 'Retrieve the signed-in member of staff',
    description: 'The member of staff of the session, and the organization.',
    tag: 'Session',
    success: {
      status: 200,
      data: Type.Object({
        staff: SignedInStaff,
        organization: Type.Object({
          id: Id(),
          name: Text({ max: 200 }),
          state: Text({ max: 2, description: 'US state, two letters' }),
          tz: OneOf(timeZones, { description: 'The time zone of its business days' }),
          businessDayStartsAt: Text({ max: 5, description: 'When its business day begins, as HH:MM' }),
          suspension: Described(
            'Null: it trades; otherwise it can be read, and nothing can be written',
            Nullable(
              Type.Object({
                endsAt: Nullable(Timestamp({ description: 'When it is deleted; null: no end is set' })),
              }),
            ),
          ),
        }),
        mustSetUpFactor: Flag({
          description: 'The role needs a second factor, and there is none yet: other operations are refused',
        }),
      }),
      description: 'Member of staff and organization',
      example: {
        staff: staffExample,
        organization: {
          ...{ id: 1001, name: 'Harborlight Provisions', state: 'CA', tz: 'America/Los_Angeles' },
          businessDayStartsAt: '00:00',
          suspension: null,
        },
        mustSetUpFactor: false,
      },
    },
    failures: [],
    handle: async ({ staff }) => {
      const [[row]] = await context.database.read(staff.organizationId, selectOrganization({}));
      assert(row !== undefined, 'the organization of a session exists');
      return reply({
        staff: shown(staff),
        organization: {
          ...{ id: row.id, name: row.name, state: row.state, tz: row.tz as TimeZone },
          businessDayStartsAt: row.business_day_starts_at,
          suspension: staff.isSuspended ? await suspensionOf(context, staff) : null,
        },
        mustSetUpFactor: staff.standing.mustSetUpFactor,
      });
    },
  });
}

async function suspensionOf({ database }: Context, { organizationId }: StaffCaller) {
  const [[row]] = await database.read(organizationId, selectEnd({}));
  const endsAtMs = row?.ends_at ?? null;
  return { endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs) };
}
