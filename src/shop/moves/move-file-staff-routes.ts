import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { mappingOfView, rulesView, usualRules } from '../imports/imports.ts';
import { fieldsOfKind } from './file-kind.ts';
import {
  exampleMapping,
  exampleMoveFile,
  MoveFile,
  MoveFileLook,
  MoveMapping,
  samplesMax,
  shownMoveFile,
} from './move-schemas.ts';
import { mapMoveFile, runMoveFile } from './run-move-file.ts';
import { moveFileKinds } from './sums-of-file.ts';
import { lookIntoMoveFile, uploadMoveFile } from './upload-move-file.ts';

const path = '/staff/v1/move/files';
const common = { tag: 'Settings', roles: ['owner'] } as const;

/** As of a menu. */
const fileBytesMax = 25 * 1_048_576;
const endings = /\.(csv|tsv|tab|txt|json|ndjson|jsonl)$/i;

const fileParams = {
  params: Type.Object({ moveFileId: Id() }),
  resourceParams: { moveFileId: 'MOVE_FILE_NOT_FOUND' },
} as const;
const fileSuccess = {
  status: 200,
  data: MoveFile,
  description: 'The file',
  example: exampleMoveFile,
} as const;

/** Operations on the files of a move: upload, look, correct, check, load. */
export function moveFileStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...common,
      id: 'uploadMoveFile',
      method: 'POST',
      path,
      kind: 'write',
      summary: 'Upload a file of a move',
      description: `The body is the file itself, at most ${fileBytesMax / 1_048_576} MB; a till's export is known by its headings, and the meaning of its columns is guessed. Nothing of it comes in yet.`,
      query: Type.Object({
        kind: OneOf(moveFileKinds),
        fileName: Text({ min: 1, max: 200, description: 'Ends in .csv, .tsv, .txt, .json or .ndjson' }),
      }),
      bodyFile: ['application/octet-stream'],
      bodyBytesMax: fileBytesMax,
      success: { status: 201, data: MoveFile, description: 'The file', example: exampleMoveFile },
      failures: ['INVALID_PARAMS', 'INVALID_MENU_FILE', 'MOVE_NOT_FOUND', 'MOVE_NOT_READY'],
      handle: async ({ staff, query: { kind, fileName }, file, requestId }) => {
        if (!endings.test(fileName)) {
          throw failure(
            'INVALID_PARAMS',
            'fileName must end in .csv, .tsv, .txt, .json or .ndjson; save the sheet of a spreadsheet as CSV.',
          );
        }
        const { staffId, organizationId } = staff;
        const sent = { staffId, kind, fileName, content: file };
        return reply(
          shownMoveFile(await uploadMoveFile(context, staffOrigin(staff, requestId), organizationId, sent)),
        );
      },
    }),
    staffEndpoint({
      ...common,
      ...fileParams,
      id: 'lookIntoMoveFile',
      method: 'GET',
      path: `${path}/{moveFileId}/look`,
      kind: 'read',
      emptyInDemo: 'a demo comes from no till',
      summary: 'Look into a file of a move',
      description:
        'Its columns with samples, what they can mean, and what is doubtful, by its first 200 rows.',
      success: {
        ...{ status: 200, data: MoveFileLook, description: 'What the file says' },
        example: {
          profile: 'members',
          meanings: [{ field: 'birthday', rules: [{ field: 'birthday', convert: 'any-date' as const }] }],
          columns: [
            { name: 'id', samples: ['4101', '4102'] },
            { name: 'dob', samples: ['573091200000'] },
          ],
          doubts: [{ column: 'startDate', message: 'is not used' }],
        },
      },
      failures: ['MOVE_NOT_READY', 'INVALID_MENU_FILE'],
      handle: async ({ staff, params: { moveFileId } }) => {
        const { row, guess } = await lookIntoMoveFile(context, staff.organizationId, moveFileId);
        return reply({
          profile: guess.profile,
          meanings: Object.keys(fieldsOfKind(row.kind)).map((field) => ({
            field,
            rules: rulesView<string>(usualRules(row.kind, field)),
          })),
          columns: guess.columns.slice(0, 500).map(({ name, samples }) => ({
            name: name.slice(0, 1000),
            samples: samples.slice(0, samplesMax).map((text) => text.slice(0, 200)),
          })),
          doubts: guess.doubts.slice(0, 500).map(({ column, message }) => ({
            column: column?.slice(0, 1000) ?? null,
            message: message.slice(0, 2000),
          })),
        });
      },
    }),
    staffEndpoint({
      ...common,
      ...fileParams,
      id: 'mapMoveFile',
      method: 'PUT',
      path: `${path}/{moveFileId}/mapping`,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Correct the columns of a file of a move',
      description:
        'Sets the meaning of all columns, as the mapping file of the command does; a column that is not listed is ignored. Null: the file has the columns of this service.',
      body: Type.Object({ mapping: Nullable(MoveMapping) }),
      requestExample: { mapping: exampleMapping },
      success: fileSuccess,
      failures: ['INVALID_PARAMS', 'MOVE_NOT_READY', 'INVALID_MENU_FILE'],
      handle: async ({ staff, params: { moveFileId }, body: { mapping }, requestId, expectedUpdatedAtMs }) =>
        reply(
          shownMoveFile(
            await mapMoveFile(
              context,
              staffOrigin(staff, requestId, expectedUpdatedAtMs),
              staff.organizationId,
              moveFileId,
              mapping === null ? null : mappingOfView(mapping),
            ),
          ),
        ),
    }),
    staffEndpoint({
      ...common,
      ...fileParams,
      id: 'runMoveFile',
      method: 'POST',
      path: `${path}/{moveFileId}/runs`,
      kind: 'write',
      summary: 'Check or load a file of a move',
      description:
        'Reads the file in the background, one at a time: rows that are here stay as they are, and refused ones stop no other. `dryRun` checks every row, and writes none.',
      body: Type.Object({ dryRun: Flag({ description: 'Whether nothing is written' }) }),
      requestExample: { dryRun: true },
      success: fileSuccess,
      failures: ['MOVE_NOT_READY'],
      handle: async ({ staff, params: { moveFileId }, body: { dryRun }, requestId }) =>
        reply(
          shownMoveFile(
            await runMoveFile(
              context,
              staffOrigin(staff, requestId),
              staff.organizationId,
              moveFileId,
              dryRun ? 'check' : 'load',
            ),
          ),
        ),
    }),
  ];
}
