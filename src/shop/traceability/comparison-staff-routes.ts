import Type from 'typebox';
import { csvText } from '../../kernel/csv-text.ts';
import { failure } from '../../kernel/failure.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List } from '../../platform/http/schemas.ts';
import { answerDifference } from './answer-difference.ts';
import { askForComparison } from './ask-for-comparison.ts';
import { selectComparisons } from './comparison-queries.ts';
import {
  AnswerBody,
  comparisonExample,
  differenceCells,
  differenceExample,
  differencesMax,
  StateAnswer,
  StateComparison,
  StateDifference,
  shownComparison,
} from './comparison-schemas.ts';
import { listDifferences } from './list-differences.ts';

const path = '/staff/v1/state-differences';
const readers = ['owner', 'manager', 'budtender', 'inventory'] as const;
const deciders = ['owner', 'manager'] as const;
const shared = { tag: 'Traceability' } as const;
const comparisonsMax = 50;
const primary = { primary: 'staff act on what has just been told to the state' } as const;

/** Operations on where the state differs from the books. */
export function comparisonStaffRoutes(context: Context): StaffEndpoint[] {
  return [...differenceEndpoints(context), ...comparisonEndpoints(context)];
}

function differenceEndpoints(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...shared,
      id: 'listStateDifferences',
      method: 'GET',
      path,
      roles: readers,
      kind: 'read',
      readsFrom: primary,
      list: {
        staysSmall: 'receipts and packages that people changed on the website of the state',
        unsorted: 'each is settled by itself',
      },
      exported: { not: 'it is made of reports and of what the state was read to have' },
      summary: 'List differences to the state',
      description:
        'Receipts of the state that are not what was sold, and packages whose stock there is not the stock here with the reports that are under way, as they were read last. Nothing is changed at the state by itself: a person answers each.',
      success: {
        status: 200,
        data: List(StateDifference, { max: differencesMax }),
        description: 'The differences',
        example: [differenceExample],
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const found = await listDifferences(context, organizationId);
        return reply(
          found.slice(0, differencesMax).map((it) => ({
            ...it,
            ...{ answers: [...it.answers], history: [...it.history] },
          })),
        );
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'exportStateDifferences',
      method: 'GET',
      path: `${path}/export`,
      roles: readers,
      kind: 'read',
      readsFrom: primary,
      summary: 'Export differences to the state',
      description:
        'All of them as CSV, with their history: for an inspector, or for work on the state’s website.',
      success: { status: 200, file: ['text/csv'], description: 'The file' },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const cells = (await listDifferences(context, organizationId)).map(differenceCells);
        const heads = Object.keys(differenceCells({ ...differenceExample, answers: [], history: [] }));
        const headings = heads as (keyof (typeof cells)[number])[];
        return replyFile(Buffer.from(csvText(headings, cells)), 'text/csv', {
          headers: { 'content-disposition': 'attachment; filename="state-differences.csv"' },
        });
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'answerStateDifference',
      method: 'POST',
      path: `${path}/answers`,
      roles: deciders,
      kind: 'write',
      summary: 'Answer a difference to the state',
      description:
        'Send it as it was listed, with one of its `answers`. The state is right: the stock here is moved to what it has, without a report. We are right: an adjustment by the difference, or the report of the receipt again, is reported.',
      body: AnswerBody,
      requestExample: {
        ...{ stateConnectionId: 9101, kind: 'adjusted-at-state' as const, answer: 'state-is-right' as const },
        ...{ subject: '1A4FF01000000B2000000417', ours: '98.5', theirs: '96.5', note: 'Counted: 96.5' },
      },
      success: {
        status: 201,
        data: StateAnswer,
        description: 'The answer',
        example: {
          ...{ id: 9401, stateConnectionId: 9101, kind: 'adjusted-at-state' as const },
          ...{ subject: '1A4FF01000000B2000000417', answer: 'state-is-right' as const },
          note: 'Counted: 96.5',
        },
      },
      failures: ['STATE_DIFFERENCE_NOT_FOUND', 'INVALID_DIFFERENCE_ANSWER', 'STALE_EDIT'],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId, staffId } = staff;
        const { ours = null, note: sentNote, ...told } = body;
        const note = sentNote.trim();
        const origin = staffOrigin(staff, requestId);
        const answer = { ...told, ours, note };
        const id = await answerDifference(context, origin, organizationId, staffId, answer);
        const { stateConnectionId, kind, subject, answer: given } = body;
        return reply({ id, stateConnectionId, kind, subject, answer: given, note });
      },
    }),
  ];
}

function comparisonEndpoints(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...shared,
      id: 'listStateComparisons',
      method: 'GET',
      path: '/staff/v1/state-comparisons',
      roles: readers,
      kind: 'read',
      readsFrom: primary,
      list: { staysSmall: 'the last comparisons', unsorted: 'the latest first' },
      exported: { not: 'what they found is in the differences' },
      summary: 'List comparisons with the state',
      description: `Every night, and when a person asks, all that the state has is read and compared: the last ${comparisonsMax}, the latest first.`,
      success: {
        status: 200,
        data: List(StateComparison, { max: comparisonsMax }),
        description: 'The comparisons',
        example: [comparisonExample],
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const [rows] = await context.database.read(
          organizationId,
          selectComparisons({ limit: comparisonsMax }),
        );
        return reply(rows.map(shownComparison));
      },
    }),
    staffEndpoint({
      ...shared,
      id: 'compareWithState',
      method: 'POST',
      path: '/staff/v1/state-connections/{stateConnectionId}/compare',
      roles: deciders,
      kind: 'write',
      params: Type.Object({ stateConnectionId: Id() }),
      resourceParams: { stateConnectionId: 'STATE_CONNECTION_NOT_FOUND' },
      summary: 'Compare all with the state',
      description:
        'Begins a comparison of all that the state has, as the night does. One that is under way is answered instead.',
      success: {
        status: 201,
        data: StateComparison,
        description: 'The comparison',
        example: {
          ...comparisonExample,
          ...{ state: 'waiting' as const, isNightly: false, differences: null, finishedAt: null },
          ...{ packages: 0, receipts: 0, calls: 0, workMs: 0, readUntil: comparisonExample.readsFrom },
        },
      },
      failures: ['STATE_CONNECTION_NOT_FOUND'],
      handle: async ({ staff, requestId, params: { stateConnectionId: connectionId } }) => {
        const { organizationId, staffId } = staff;
        const asker = { origin: staffOrigin(staff, requestId), staffId };
        const row = await askForComparison(context, organizationId, connectionId, asker);
        if (row === undefined) {
          throw failure('STATE_CONNECTION_NOT_FOUND', 'There is no such connection.');
        }
        return reply(shownComparison(row));
      },
    }),
  ];
}
