import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, LocalDate, NonBlankText, OneOf, Text } from '../../platform/http/schemas.ts';
import {
  faultsMax,
  filingExample,
  replyExample,
  StateFiling,
  StateReply,
  shownFiling,
} from './filing-schemas.ts';
import { filingFileTypes, makeFiling } from './make-filing.ts';
import { noteUpload, takeReply } from './settle-filing.ts';

const path = '/staff/v1/state-connections/{stateConnectionId}/filing';
const shared = {
  tag: 'Traceability',
  roles: ['owner', 'manager', 'inventory'],
  resourceParams: { stateConnectionId: 'STATE_CONNECTION_NOT_FOUND' },
  failures: ['STATE_CONNECTION_NOT_FOUND'],
} as const;
const params = Type.Object({ stateConnectionId: Id() });
const until = LocalDate({ description: 'The last day in it; absent, or a day to come: today' });
const query = Type.Object({ until: Type.Optional(until) });
const success = {
  status: 200,
  data: StateFiling,
  description: 'The filing',
  example: filingExample,
} as const;

/** Operations on licenses of states without an interface: their files, or the book of what is entered by hand. */
export function filingStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...{ ...shared, params, query, success },
      id: 'getStateFiling',
      method: 'GET',
      path,
      kind: 'read',
      emptyInDemo: 'a demo shop reports by an interface',
      summary: 'Retrieve what is to be filed',
      description:
        'What a license has to file with its state: all that waits up to a day. Washington: the files of a week, checked by the rules of the state, fault by fault; only what is new or changed since the last upload. Other states without an interface: the book of what is entered by hand.',
      handle: async ({ staff, params: { stateConnectionId }, query: { until: day } }) =>
        reply(shownFiling(await makeFiling(context, staff.organizationId, stateConnectionId, day))),
    }),
    staffEndpoint({
      ...{ ...shared, query },
      id: 'downloadStateFile',
      method: 'GET',
      path: `${path}/{fileType}`,
      params: Type.Object({
        stateConnectionId: Id(),
        fileType: OneOf(filingFileTypes, { description: 'The kind of file' }),
      }),
      kind: 'read',
      emptyInDemo: 'a demo shop reports by an interface',
      summary: 'Download a file for the state',
      description: 'The file as the state takes it. A file with faults is refused: the filing names them.',
      success: { status: 200, file: ['text/csv; charset=utf-8'], description: 'The file' },
      handle: async ({ staff, params: { stateConnectionId, fileType }, query: { until: day } }) => {
        const { files } = await makeFiling(context, staff.organizationId, stateConnectionId, day);
        const file = files.find(({ type }) => type === fileType);
        if (file === undefined)
          throw failure('INVALID_PARAMS', 'fileType must be one of the files of the filing.');
        const [fault] = file.faults;
        if (fault !== undefined) {
          const where = `row ${fault.row}, ${fault.field}`;
          throw failure('INVALID_PARAMS', `fileType must be a file without faults: ${where} ${fault.words}`);
        }
        return replyFile(Buffer.from(file.text), 'text/csv; charset=utf-8', {
          headers: { 'content-disposition': `attachment; filename="${file.name}"` },
        });
      },
    }),
    staffEndpoint({
      ...{ ...shared, params, success },
      id: 'noteStateUpload',
      method: 'POST',
      path: `${path}/uploaded`,
      kind: 'write',
      summary: 'Say that files were uploaded',
      description:
        'Says that a person uploaded the files, or entered the book. Reports in files then wait for the answer of the state; those of a book are done. `digest` tells that these are the files that were downloaded.',
      body: Type.Object({ until, digest: Text({ max: 64, description: 'Of the filing' }) }),
      requestExample: { until: filingExample.until, digest: filingExample.digest },
      handle: async ({ staff, requestId, params: { stateConnectionId: id }, body }) => {
        const { organizationId, staffId } = staff;
        await noteUpload(context, staffOrigin(staff, requestId), organizationId, id, { ...body, staffId });
        return reply(shownFiling(await makeFiling(context, organizationId, id, body.until)));
      },
    }),
    staffEndpoint({
      ...{ ...shared, params },
      id: 'takeStateReply',
      method: 'POST',
      path: `${path}/replies`,
      kind: 'write',
      summary: 'Take over an answer of the state',
      description:
        'Takes a mail of the state about a file, or the file with its errors. What it accepts is settled; what it refuses is made again with the next files.',
      body: Type.Object({
        text: NonBlankText({ max: 5_000_000, description: 'The mail, or the content of the file' }),
        fileName: Text({ max: 300, description: 'The name of the file, which says what it is about' }),
      }),
      requestExample: {
        text: 'CCRS Processing Successful',
        fileName: 'Sale_412345_20261122091500_2026112T91512ms.csv',
      },
      success: { status: 200, data: StateReply, description: 'What the state said', example: replyExample },
      handle: async ({ staff, requestId, params: { stateConnectionId: id }, body }) => {
        const taken = await takeReply(context, staffOrigin(staff, requestId), staff.organizationId, id, body);
        const problems = taken.problems
          .slice(0, faultsMax)
          .map((it) => ({ ...it, words: it.words.slice(0, 50) }));
        return reply({ ...taken, problems });
      },
    }),
  ];
}
