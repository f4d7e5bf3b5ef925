import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Flag, Id, List, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { comparisonStaffRoutes } from './comparison-staff-routes.ts';
import { enterByHand, sendAgain } from './settle-report.ts';
import { filedReportsMax, reportsFile } from './state-report-file.ts';
import {
  countOpenStateReports,
  countStateReports,
  reportsPerPage,
  selectOpenReportsForFile,
  stateReportList,
} from './state-report-list.ts';
import { type ReportRow, selectReport, selectSteps, selectWhatHoldsBack } from './state-report-queries.ts';
import {
  StateReport,
  StateReportDetail,
  shownReport,
  shownReportDetail,
  stateReportDetailExample,
  stateReportExample,
} from './state-report-schemas.ts';

const path = '/staff/v1/state-reports';
const readers = ['owner', 'manager', 'budtender', 'inventory'] as const;
const deciders = ['owner', 'manager'] as const;
const shared = { tag: 'Traceability' } as const;
const one = {
  params: Type.Object({ stateReportId: Id() }),
  resourceParams: { stateReportId: 'STATE_REPORT_NOT_FOUND' },
} as const;
const success = {
  data: StateReportDetail,
  description: 'The report',
  example: stateReportDetailExample,
} as const;

/** Operations on what the state is told: to see it, and to settle what waits for a person. */
export function stateReportStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    listEndpoint(context),
    fileEndpoint(context),
    ...oneEndpoints(context),
    ...comparisonStaffRoutes(context),
  ];
}

async function shownDetail({ database, clock }: Context, organization: OrganizationId, id: number) {
  const [[row], steps] = await database.read(
    organization,
    selectReport({ id }),
    selectSteps({ reportId: id }),
  );
  if (row === undefined) throw failure('STATE_REPORT_NOT_FOUND', 'There is no such report.');
  const [told] = await withReasons(database, organization, [row]);
  return shownReportDetail(told!, steps, clock.now());
}

/** The rows; one that waits for another one says so as its problem. */
async function withReasons(
  database: Context['database'],
  organization: OrganizationId,
  rows: readonly ReportRow[],
): Promise<ReportRow[]> {
  const ids = rows.flatMap(({ id, state, problem }) => (state === 'waiting' && problem === null ? [id] : []));
  if (ids.length === 0) return [...rows];
  const [holders] = await database.read(organization, selectWhatHoldsBack({ ids }));
  const numbers = new Map(holders.map(({ id, number }) => [id, number]));
  return rows.map((row) => {
    const number = numbers.get(row.id);
    const problem = `Waits for the report ${number}, which is about the same package or order.`;
    return number === undefined ? row : { ...row, problem };
  });
}

function listEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    ...shared,
    id: 'listStateReports',
    method: 'GET',
    path,
    roles: readers,
    kind: 'read',
    readsFrom: { primary: 'staff act on what has just been told to the state' },
    list: {
      staysSmall: 'a page of what the state is told',
      notInConsole: { occurredAt: 'what waits is shown oldest first, with its deadline' },
    },
    summary: 'List reports to the state',
    description: `What the state was told and is to be told, the latest first, ${reportsPerPage} a page. \`isOpen=true\`: what the state is not known to have.`,
    query: Type.Object({
      isOpen: Type.Optional(
        Flag({ description: 'Those that the state is not known to have, or all others' }),
      ),
      ...sortFields(stateReportList.sorts),
      startingAfter: Type.Optional(
        withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(StateReport, { max: reportsPerPage }),
      meta: ListTotal,
      description: 'A page of reports',
      example: [stateReportExample],
      metaExample: listTotalExample,
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query: { isOpen, startingAfter, ...order } }) => {
      const [[counted], rows, cursor] = await context.database.read(
        staff.organizationId,
        isOpen === undefined ? countStateReports({}) : countOpenStateReports({ isOpen }),
        stateReportList.page(
          { ...order, startingAfter },
          isOpen === undefined ? {} : { isOpen },
          isOpen === undefined ? [] : ['open'],
        ),
        startingAfter === undefined ? null : selectReport({ id: startingAfter }),
      );
      if (startingAfter !== undefined && cursor.length === 0) {
        throw failure('INVALID_CURSOR', 'startingAfter must be the id of a report.');
      }
      const told = await withReasons(context.database, staff.organizationId, rows);
      const nowMs = context.clock.now();
      return reply(
        told.map((row) => shownReport(row, nowMs)),
        { meta: totalOf(counted!.count) },
      );
    },
  });
}

function fileEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    ...shared,
    id: 'downloadOpenStateReports',
    method: 'GET',
    path: '/staff/v1/state-report-file',
    roles: readers,
    kind: 'read',
    summary: 'Download what the state does not know',
    description: `For a day on which the state's system is down: every report that the state is not known to have, oldest first, a row for each package as a person types it there; at most ${filedReportsMax.toLocaleString('en-US')} reports.`,
    success: { status: 200, file: ['text/csv; charset=utf-8'], description: 'The file' },
    failures: [],
    handle: async ({ staff }) => {
      const open = selectOpenReportsForFile({ limit: filedReportsMax });
      const [found] = await context.database.read(staff.organizationId, open);
      return replyFile(Buffer.from(reportsFile(found)), 'text/csv; charset=utf-8', {
        headers: { 'content-disposition': 'attachment; filename="state-reports.csv"' },
      });
    },
  });
}

function oneEndpoints(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...{ ...shared, ...one },
      id: 'getStateReport',
      method: 'GET',
      path: `${path}/{stateReportId}`,
      roles: readers,
      kind: 'read',
      summary: 'Retrieve a report to the state',
      description: 'What it says, and its whole life.',
      success: { ...success, status: 200 },
      failures: ['STATE_REPORT_NOT_FOUND'],
      handle: async ({ staff, params }) =>
        reply(await shownDetail(context, staff.organizationId, params.stateReportId)),
    }),
    staffEndpoint({
      ...{ ...shared, ...one },
      id: 'enterStateReportByHand',
      method: 'POST',
      path: `${path}/{stateReportId}/enter-by-hand`,
      roles: deciders,
      kind: 'write',
      summary: 'Mark a report as entered by hand',
      description:
        "Says that a person entered it on the state's website: it is no longer sent. Who did so and when is kept. A report that is being sent right now cannot be marked.",
      body: Type.Object({
        note: Text({ max: 500, description: 'What was entered, such as the number of the state' }),
      }),
      requestExample: { note: 'Receipt 0000088120' },
      success: { ...success, status: 200 },
      failures: ['STATE_REPORT_NOT_FOUND', 'INVALID_REPORT_TURN'],
      handle: async ({ staff, requestId, params: { stateReportId: id }, body }) => {
        const { organizationId, staffId } = staff;
        const note = body.note.trim();
        await enterByHand(context, staffOrigin(staff, requestId), organizationId, id, { staffId, note });
        return reply(await shownDetail(context, organizationId, id));
      },
    }),
    staffEndpoint({
      ...{ ...shared, ...one },
      id: 'sendStateReportAgain',
      method: 'POST',
      path: `${path}/{stateReportId}/send-again`,
      roles: deciders,
      kind: 'write',
      summary: 'Send a report again',
      description:
        'Sends what it says as a new report under a new number: after a refusal, or when the receipt of the state is no longer as it was sent. Only the last report of a sale can be sent again.',
      success: { ...success, status: 201 },
      failures: ['STATE_REPORT_NOT_FOUND', 'INVALID_REPORT_TURN'],
      handle: async ({ staff, requestId, params }) => {
        const origin = staffOrigin(staff, requestId);
        const { organizationId } = staff;
        const id = await sendAgain(context, origin, organizationId, params.stateReportId);
        return reply(await shownDetail(context, organizationId, id));
      },
    }),
  ];
}
