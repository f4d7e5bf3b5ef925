import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  Cents,
  Id,
  List,
  LocalDate,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { sessionList, sessionsPerPage } from './drawer-session-queries.ts';
import { drawerReport, sessionPage } from './drawer-view.ts';
import { closeDrawer, moveCash, openDrawer } from './move-drawer.ts';
import {
  DrawerReport,
  DrawerSession,
  sessionExample,
  xReportExample,
  zReportExample,
} from './register-schemas.ts';

const roles = ['owner', 'manager', 'budtender'] as const;
const path = '/staff/v1/drawer-sessions';
const ofSession = {
  params: Type.Object({ drawerSessionId: Id() }),
  resourceParams: { drawerSessionId: 'DRAWER_SESSION_NOT_FOUND' },
} as const;

/** Operations on drawer sessions for staff (D74). Owners and managers see what an open drawer should hold; others count blind. */
export function drawerStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    listEndpoint(context),

    staffEndpoint({
      id: 'getDrawerSession',
      method: 'GET',
      path: `${path}/{drawerSessionId}`,
      ...ofSession,
      roles,
      kind: 'read',
      emptyInDemo: 'a shop opens its drawers',
      summary: 'Read the report of a drawer',
      description:
        'The X report of an open session, which changes nothing, or the Z report of a closed one. `payments` of an open session is null for budtenders: they count without knowing what is expected.',
      tag: 'Registers',
      success: { status: 200, data: DrawerReport, description: 'The report', example: zReportExample },
      failures: ['DRAWER_SESSION_NOT_FOUND'],
      handle: async ({ staff, params }) => report(context, staff, params.drawerSessionId),
    }),

    staffEndpoint({
      id: 'openDrawer',
      method: 'POST',
      path: '/staff/v1/registers/{registerId}/drawer-sessions',
      roles,
      kind: 'write',
      summary: 'Open a drawer',
      description:
        'Opens the drawer of a register with the cash that is in it. A drawer has one open session; payments at the register belong to it until it is closed.',
      tag: 'Registers',
      params: Type.Object({ registerId: Id() }),
      resourceParams: { registerId: 'REGISTER_NOT_FOUND' },
      body: Type.Object({ float: Cents({ description: 'Cash in the drawer' }) }),
      requestExample: { float: 20_000 },
      success: { status: 201, data: DrawerReport, description: 'The session', example: xReportExample },
      failures: ['REGISTER_NOT_FOUND', 'DRAWER_IS_OPEN'],
      handle: async ({ staff, requestId, params, body }) => {
        const { organizationId, staffId } = staff;
        const origin = staffOrigin(staff, requestId);
        const opened = { floatCents: body.float, staffId };
        return report(
          context,
          staff,
          await openDrawer(context, origin, organizationId, params.registerId, opened),
        );
      },
    }),

    moveCashEndpoint(context),
    closeEndpoint(context),
  ];
}

async function report(context: Context, staff: StaffCaller, sessionId: number) {
  return reply(await drawerReport(context, staff.organizationId, staff.role, sessionId));
}

function listEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listDrawerSessions',
    method: 'GET',
    path,
    roles,
    kind: 'read',
    readsFrom: 'standby',
    list: {
      staysSmall: 'a few a day for each register',
      notInConsole: { float: 'the table has no column of it' },
    },
    emptyInDemo: 'a shop opens its drawers',
    summary: 'List drawer sessions',
    description: `Newest first, ${sessionsPerPage} a page.`,
    tag: 'Registers',
    query: Type.Object({
      registerId: Type.Optional(Id()),
      from: Type.Optional(LocalDate({ description: 'Opened on this business day or later' })),
      to: Type.Optional(LocalDate({ description: 'Opened on this business day or earlier' })),
      ...sortFields(sessionList.sorts),
      startingAfter: Type.Optional(
        withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(DrawerSession, { max: sessionsPerPage }),
      meta: ListTotal,
      description: 'A page of sessions',
      example: [sessionExample],
      metaExample: listTotalExample,
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const { sessions, count } = await sessionPage(context, staff.organizationId, staff.role, query);
      return reply(sessions, { meta: count });
    },
  });
}

function moveCashEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'moveDrawerCash',
    method: 'POST',
    path: `${path}/{drawerSessionId}/movements`,
    ...ofSession,
    roles,
    kind: 'write',
    summary: 'Pay in, pay out, drop',
    description:
      'Moves cash by hand: into the drawer (`paid-in`), out of it (`paid-out`, owners and managers only), or to the safe (`drop`). It cannot be undone; move it back instead.',
    tag: 'Registers',
    body: Type.Object({
      kind: OneOf(['paid-in', 'paid-out', 'drop']),
      amount: Cents({ min: 1, description: 'Positive, whichever way the cash goes' }),
      reason: NonBlankText({ max: 500 }),
    }),
    requestExample: { kind: 'drop', amount: 100_000, reason: 'Safe, bag 12' },
    success: { status: 201, data: DrawerReport, description: 'The session', example: xReportExample },
    failures: ['DRAWER_SESSION_NOT_FOUND', 'DRAWER_SESSION_CLOSED'],
    handle: async ({ staff, requestId, params, body: { kind, amount, reason } }) => {
      await moveCash(
        context,
        staffOrigin(staff, requestId),
        staff.organizationId,
        params.drawerSessionId,
        { kind, amountCents: amount, reason: reason.trim() },
        staff,
      );
      return report(context, staff, params.drawerSessionId);
    },
  });
}

function closeEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'closeDrawer',
    method: 'POST',
    path: `${path}/{drawerSessionId}/close`,
    ...ofSession,
    roles,
    kind: 'write',
    summary: 'Close a drawer',
    description:
      'Closes a session with what was counted, cash included; a payment type that is not named counts as 0. The reply is the Z report with what was expected, over and short. Budtenders close only what they opened. Voids and returns after the close belong to the session in which they happen.',
    tag: 'Registers',
    body: Type.Object({
      counts: List(
        Type.Object({
          paymentTypeId: Nullable(Id({ description: 'null: the cash' })),
          counted: Cents({ max: 100_000_000_000 }),
        }),
        { min: 1, max: 200, description: 'Each payment type once; the cash is required' },
      ),
      note: Type.Optional(Nullable(Text({ max: 1000 }))),
    }),
    requestExample: { counts: [{ paymentTypeId: null, counted: 100_100 }] },
    success: { status: 200, data: DrawerReport, description: 'The Z report', example: zReportExample },
    failures: ['DRAWER_SESSION_NOT_FOUND', 'DRAWER_SESSION_CLOSED', 'PAYMENT_TYPE_NOT_FOUND'],
    handle: async ({ staff, requestId, params, body: { counts, note = null } }) => {
      const ids = counts.map(({ paymentTypeId }) => paymentTypeId);
      if (new Set(ids).size < ids.length) {
        throw failure('INVALID_PARAMS', 'counts must name each payment type once.');
      }
      if (!ids.includes(null)) {
        throw failure('INVALID_PARAMS', 'counts must have the cash: an entry whose paymentTypeId is null.');
      }
      await closeDrawer(
        context,
        staffOrigin(staff, requestId),
        staff.organizationId,
        params.drawerSessionId,
        {
          counts: counts.map(({ paymentTypeId, counted }) => ({ paymentTypeId, countedCents: counted })),
          note: note?.trim() || null,
        },
        staff,
      );
      return report(context, staff, params.drawerSessionId);
    },
  });
}
