import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { staffRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffCaller,
  type StaffEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { Flag, Id, List, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import type { OpenSessionRow } from '../sessions/session-queries.ts';
import { endSession, findStaffSession, openSessionsOf } from '../sessions/sessions.ts';
import type { StaffSessions } from '../sessions/staff-sessions.ts';
import { selectStaffMember } from '../staff/staff.ts';

const StaffSession = Named(
  'StaffSession',
  Type.Object({
    id: Id(),
    startedAt: Timestamp(),
    lastUsedAt: Timestamp({ description: 'Within a minute' }),
    networkAddress: Nullable(Text({ max: 64, description: 'Where it was started; null: not known' })),
    userAgent: Nullable(Text({ max: 300, description: 'The browser or program, as it names itself' })),
    isCurrent: Flag({ description: 'The session of this request' }),
  }),
);

const example = {
  id: 8101,
  startedAt: '2026-03-01T17:05:09.123Z',
  lastUsedAt: '2026-03-01T18:00:00.000Z',
  networkAddress: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  isCurrent: true,
};

function shownSession(row: OpenSessionRow, { sessionId }: StaffCaller) {
  return {
    id: row.id,
    startedAt: isoTimestamp(row.created_at),
    lastUsedAt: isoTimestamp(row.last_used_at),
    networkAddress: row.client_address,
    userAgent: row.user_agent,
    isCurrent: row.id === sessionId,
  };
}

/** The open sessions of staff, with device and network address; each can be ended (D72). */
export function sessionListRoutes(context: Context, sessions: StaffSessions): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listMySessions',
      method: 'GET',
      path: '/staff/v1/me/sessions',
      roles: staffRoles,
      kind: 'read',
      readsFrom: { primary: 'accounts and their sessions' },
      list: {
        staysSmall: 'of one member of staff',
        unsorted: 'the few places where one person is signed in, the newest first',
      },
      exported: { not: 'where one person is signed in now' },
      summary: 'List your sessions',
      description:
        'Where you are signed in now, the newest first: with the device and the network address of the sign-in.',
      tag: 'Session',
      success: {
        status: 200,
        data: List(StaffSession, { max: 100_000 }),
        description: 'Sessions',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const statement = openSessionsOf(staff.staffId, context.clock.now());
        const [rows] = await context.database.read(staff.organizationId, statement);
        return reply(rows.map((row) => shownSession(row, staff)));
      },
    }),
    staffEndpoint({
      id: 'listStaffSessions',
      method: 'GET',
      path: '/staff/v1/staff/{staffId}/sessions',
      roles: ['owner'],
      kind: 'read',
      readsFrom: { primary: 'accounts and their sessions' },
      list: {
        staysSmall: 'of one member of staff',
        unsorted: 'the few places where one person is signed in, the newest first',
      },
      exported: { not: 'where one person is signed in now' },
      summary: "List a member's sessions",
      description: 'Where a member of staff is signed in now, the newest first.',
      tag: 'Staff',
      params: Type.Object({ staffId: Id() }),
      resourceParams: { staffId: 'STAFF_NOT_FOUND' },
      success: {
        status: 200,
        data: List(StaffSession, { max: 100_000 }),
        description: 'Sessions',
        example: [{ ...example, isCurrent: false }],
      },
      failures: [],
      handle: async ({ staff, params: { staffId } }) => {
        const [[member], rows] = await context.database.read(
          staff.organizationId,
          selectStaffMember({ id: staffId }),
          openSessionsOf(staffId, context.clock.now()),
        );
        if (member === undefined) throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
        return reply(rows.map((row) => shownSession(row, staff)));
      },
    }),
    staffEndpoint({
      id: 'endStaffSession',
      method: 'DELETE',
      path: '/staff/v1/staff-sessions/{sessionId}',
      roles: staffRoles,
      kind: 'write',
      summary: 'End a session',
      description:
        'One of your own; an owner may end that of every member. It ends everywhere within one second.',
      tag: 'Session',
      params: Type.Object({ sessionId: Id() }),
      resourceParams: { sessionId: 'STAFF_SESSION_NOT_FOUND' },
      success: { status: 204, description: 'Ended' },
      failures: [],
      handle: async ({ staff, params: { sessionId }, requestId }) => {
        const { organizationId, staffId, role } = staff;
        const [[row]] = await context.database.read(organizationId, findStaffSession({ id: sessionId }));
        if (row === undefined || (row.staff_id !== staffId && role !== 'owner')) {
          throw failure('STAFF_SESSION_NOT_FOUND', 'There is no such session.');
        }
        const ended = { organizationId, staffId: row.staff_id, sessionId };
        await endSession(context, sessions, staffOrigin(staff, requestId), ended);
        return replyEmpty();
      },
    }),
  ];
}
