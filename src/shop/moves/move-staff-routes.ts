import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  CentsTotal,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { mappingOfView, mappingSchemas, mappingView, rulesView, usualRules } from '../imports/imports.ts';
import { shadowStaffRoutes } from '../shadow/shadow.ts';
import { checkMove } from './check-move.ts';
import { fieldsOfKind, moveFieldNames } from './file-kind.ts';
import { checkNames, checkResults } from './judge-move.ts';
import {
  type MoveFileRow,
  type MoveRow,
  moveFileStatuses,
  moveFilesShown,
  moveRuns,
  moveStatuses,
  selectMoveFiles,
  selectMoves,
} from './move-queries.ts';
import { mapMoveFile, runMoveFile } from './run-move-file.ts';
import { beginMove, moveSteps, openMove, signCheck, stepMove } from './step-move.ts';
import { type MoveFile as LoadedFile, moveFileKinds, proposedDiscounts } from './sums-of-file.ts';
import { tryMove } from './try-move.ts';
import { lookIntoMoveFile, uploadMoveFile } from './upload-move-file.ts';

const rowsMax = 10_000_000;
const Count = () => WholeNumber({ min: 0, max: rowsMax });

const Files = () =>
  List(
    Type.Object({
      kind: OneOf(moveFileKinds),
      name: Text({ max: 200 }),
      loadedAt: Timestamp(),
      ...{ read: Count(), created: Count(), known: Count(), refused: Count() },
      points: Text({ max: 40, description: 'A decimal' }),
      credit: CentsTotal({ description: 'Cents' }),
      days: WholeNumber({ min: 0, max: 100_000, description: 'Days with sales' }),
      tags: WholeNumber({ min: 0, max: 1_000_000, description: "Tags of the state's list" }),
    }),
    { max: 100 },
  );

const checkProperties = () => ({
  check: OneOf(checkNames),
  result: OneOf(checkResults, { description: '`missing`: no file says it' }),
  expected: Text({ max: 200 }),
  found: Text({ max: 200 }),
  differences: List(Text({ max: 500 }), { max: 20, description: 'The first of them' }),
});

const Move = Named(
  'Move',
  Type.Object({
    id: Id(),
    till: Text({ max: 40, description: 'The former till' }),
    status: OneOf(moveStatuses, {
      description:
        '`frozen`: the former till sells no more; `live`: this shop sells; `returned`: it went back to the former till',
    }),
    files: Files(),
    trial: Nullable(
      Type.Object(
        {
          startedAt: Timestamp(),
          checkedAt: Nullable(Timestamp({ description: 'Null: its files are still loading' })),
          files: Files(),
          checks: List(Type.Object(checkProperties()), { max: checkNames.length }),
        },
        {
          description: 'The files in a sandbox of the shop, with the checks there; null: they were not tried',
        },
      ),
    ),
    checks: List(
      Type.Object({
        ...checkProperties(),
        signedBy: Nullable(Text({ max: 200 })),
        signedAt: Nullable(Timestamp()),
        note: Nullable(Text({ max: 1000 })),
      }),
      { max: checkNames.length },
    ),
    discounts: List(
      Type.Object({
        name: Text({ max: 200 }),
        codes: List(Text({ max: 50 }), { max: 20 }),
        uses: WholeNumber({ min: 0, max: 1_000_000_000 }),
        amount: CentsTotal({ description: 'What it took off in all, in cents' }),
      }),
      {
        max: 1000,
        description:
          'Proposals: what the discounts of the former till did, the dearest first; none is set up by this',
      },
    ),
    checkedAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
    frozenAt: Nullable(Timestamp()),
    liveAt: Nullable(Timestamp()),
    endedAt: Nullable(Timestamp()),
    updatedAt: Timestamp(),
  }),
);

const problemsShownMax = 500;
const samplesMax = 3;
const { Mapping: MoveMapping, MappingRule: MoveMappingRule } = mappingSchemas('Move', moveFieldNames);

const MoveFile = Named(
  'MoveFile',
  Type.Object({
    id: Id(),
    kind: OneOf(moveFileKinds),
    name: Text({ max: 200 }),
    status: OneOf(moveFileStatuses, {
      description: '`ready`: nothing was done with it; `failed`: it could not be read on',
    }),
    run: Nullable(
      OneOf(moveRuns, {
        description:
          'What was done last: `check` writes nothing, `trial` goes into the sandbox, `load` into the shop',
      }),
    ),
    hasContent: Flag({ description: 'Whether it is still there: it goes when the move is over' }),
    mapping: Nullable(MoveMapping),
    progress: WholeNumber({ min: 0, max: 100, description: 'Percent of the file' }),
    ...{ read: Count(), created: Count(), known: Count(), refused: Count() },
    problems: List(
      Type.Object({
        line: WholeNumber({ min: 0, max: rowsMax }),
        column: Nullable(Text({ max: 200 })),
        message: Text({ max: 1000, description: 'The text that is there, and what is expected' }),
      }),
      { max: problemsShownMax, description: 'The first refused rows' },
    ),
    failure: Nullable(Text({ max: 1000 })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const MoveFileLook = Named(
  'MoveFileLook',
  Type.Object({
    profile: Nullable(Text({ max: 100, description: 'The export that it is; null: none that is known' })),
    meanings: List(
      Type.Object({ field: OneOf(moveFieldNames), rules: List(MoveMappingRule, { min: 1, max: 10 }) }),
      { max: 100, description: 'What its columns can mean, with the rules that such a column usually has' },
    ),
    columns: List(
      Type.Object({
        name: Text({ max: 1000 }),
        samples: List(Text({ max: 200 }), { max: samplesMax, description: 'The first different texts' }),
      }),
      { max: 500 },
    ),
    doubts: List(Type.Object({ column: Nullable(Text({ max: 1000 })), message: Text({ max: 2000 }) }), {
      max: 500,
    }),
  }),
);

const mappingExample = {
  preset: 'flat-variants' as const,
  columns: [
    { column: 'id', rules: [{ field: 'formerId' }] },
    { column: 'dob', rules: [{ field: 'birthday', convert: 'any-date' as const }] },
  ],
  constants: [],
};

const fileExample = {
  ...{ id: 5102, kind: 'customers' as const, name: 'members.json', status: 'done' as const },
  ...{ run: 'check' as const, hasContent: true, mapping: mappingExample },
  ...{ progress: 100, read: 812, created: 809, known: 0, refused: 3 },
  problems: [
    {
      ...{ line: 17, column: 'dob' },
      message: 'must be a date with a year of four digits, such as 3/14/1990, not "5/4/88"',
    },
  ],
  ...{ failure: null, createdAt: '2026-02-28T17:05:09.123Z', updatedAt: '2026-02-28T17:06:09.123Z' },
};

/** As of a menu. */
const fileBytesMax = 25 * 1_048_576;
const endings = /\.(csv|tsv|tab|txt|json|ndjson|jsonl)$/i;

const example = {
  ...{ id: 5101, till: 'Corner till', status: 'frozen' as const },
  files: [
    {
      ...{ kind: 'customers' as const, name: 'members.json', loadedAt: '2026-03-01T17:05:09.123Z' },
      ...{
        read: 812,
        created: 809,
        known: 0,
        refused: 3,
        points: '40112.5',
        credit: 31_200,
        days: 0,
        tags: 0,
      },
    },
  ],
  trial: null,
  checks: [
    {
      ...{ check: 'rows' as const, result: 'failed' as const, expected: '812 read' },
      ...{ found: '812 loaded, known or refused', differences: ['members.json: 3 refused'] },
      ...{ signedBy: 'Robin Castellan', signedAt: '2026-03-01T18:05:09.123Z', note: 'Three test profiles' },
    },
  ],
  discounts: [{ name: 'Veterans 10%', codes: [], uses: 214, amount: 96_310 }],
  ...{ checkedAt: '2026-03-01T18:00:00.000Z', createdAt: '2026-02-20T17:05:09.123Z' },
  ...{ frozenAt: '2026-03-01T17:00:00.000Z', liveAt: null, endedAt: null },
  updatedAt: '2026-03-01T18:05:09.123Z',
};

const path = '/staff/v1/move';
const common = { tag: 'Settings', roles: ['owner'] } as const;
const success = { status: 200, data: Move, description: 'The move', example } as const;

/** Operations on the move of a shop from another till, and on the carts that it sold. */
export function moveStaffRoutes(context: Context): StaffEndpoint[] {
  const shownFor = ({ organizationId }: StaffCaller) =>
    openMove(context, organizationId).then((row) => reply(shown(row)));
  return [
    ...shadowStaffRoutes(context),
    staffEndpoint({
      ...common,
      id: 'getMove',
      method: 'GET',
      path,
      kind: 'read',
      readsFrom: { primary: 'a step has just been taken' },
      emptyInDemo: 'a demo comes from no till',
      summary: 'Retrieve the move from another till',
      description:
        'The move that is not over, or the last one: its files, the numbers of its checks and who signed them.',
      success: {
        status: 200,
        data: Type.Object({ move: Nullable(Move), uploads: List(MoveFile, { max: moveFilesShown }) }),
        description: 'The move, null: there was none; with the latest uploaded files',
        example: { move: example, uploads: [fileExample] },
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const [rows] = await context.database.read(organizationId, selectMoves({}));
        const row = rows.find(({ status }) => status === 'open' || status === 'frozen') ?? rows[0];
        if (row === undefined) return reply({ move: null, uploads: [] });
        const [files] = await context.database.read(organizationId, selectMoveFiles({ moveId: row.id }));
        return reply({ move: shown(row), uploads: files.map(shownFile) });
      },
    }),
    staffEndpoint({
      ...common,
      id: 'beginMove',
      method: 'POST',
      path,
      kind: 'write',
      summary: 'Begin a move from another till',
      description:
        'Begins a move, or answers with the one from that till that is not over. There is one at a time.',
      body: Type.Object({ till: NonBlankText({ max: 40 }) }),
      requestExample: { till: 'Corner till' },
      success: { ...success, status: 201 },
      failures: ['MOVE_NOT_READY'],
      handle: async ({ staff, requestId, body }) => {
        await beginMove(context, staffOrigin(staff, requestId), staff.organizationId, body.till);
        return shownFor(staff);
      },
    }),
    staffEndpoint({
      ...common,
      id: 'uploadMoveFile',
      method: 'POST',
      path: `${path}/files`,
      kind: 'write',
      summary: 'Upload a file of a move',
      description: `The body is the file itself, at most ${fileBytesMax / 1_048_576} MB; a till's export is known by its headings, and the meaning of its columns is guessed. Nothing of it comes in yet.`,
      query: Type.Object({
        kind: OneOf(moveFileKinds),
        fileName: Text({ min: 1, max: 200, description: 'Ends in .csv, .tsv, .txt, .json or .ndjson' }),
      }),
      bodyFile: ['application/octet-stream'],
      bodyBytesMax: fileBytesMax,
      success: { status: 201, data: MoveFile, description: 'The file', example: fileExample },
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
          shownFile(await uploadMoveFile(context, staffOrigin(staff, requestId), organizationId, sent)),
        );
      },
    }),
    ...fileRoutes(context),
    staffEndpoint({
      ...common,
      id: 'tryMove',
      method: 'POST',
      path: `${path}/trial`,
      kind: 'write',
      summary: 'Try a move in a sandbox',
      description:
        'Makes a sandbox of the shop, loads every uploaded file into it in the background, one after the other, and makes the checks there. Nothing of the shop changes. The sandbox is deleted when the next one is made, with the move, and after 14 days.',
      success: { ...success, status: 202 },
      failures: ['MOVE_NOT_FOUND', 'MOVE_NOT_READY'],
      handle: async ({ staff, requestId }) =>
        reply(shown(await tryMove(context, staffOrigin(staff, requestId), staff.organizationId))),
    }),
    staffEndpoint({
      ...common,
      id: 'checkMove',
      method: 'POST',
      path: `${path}/checks`,
      kind: 'write',
      summary: 'Make the checks of a move',
      description:
        'Compares the files with what the shop has now: rows, tags and quantities against the list of the state, products, prices, customers, consent, points, credit, the totals of each day, and that one system only reports to the state.',
      success,
      failures: ['MOVE_NOT_FOUND'],
      handle: async ({ staff, requestId }) => {
        const { organizationId } = staff;
        const { id } = await openMove(context, organizationId);
        return reply(shown(await checkMove(context, staffOrigin(staff, requestId), organizationId, id)));
      },
    }),
    staffEndpoint({
      ...common,
      id: 'signMoveCheck',
      method: 'POST',
      path: `${path}/signatures`,
      kind: 'write',
      summary: 'Sign a check of a move',
      description: 'The signed-in person answers for a check that did not pass, in their own words.',
      body: Type.Object({ check: OneOf(checkNames), note: NonBlankText({ max: 1000 }) }),
      requestExample: { check: 'rows', note: 'Three test profiles' },
      success,
      failures: ['MOVE_NOT_FOUND'],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId, firstName, lastName } = staff;
        const { id } = await openMove(context, organizationId);
        const signed = { ...body, by: `${firstName} ${lastName}`.trim() };
        return reply(
          shown(await signCheck(context, staffOrigin(staff, requestId), organizationId, id, signed)),
        );
      },
    }),
    staffEndpoint({
      ...common,
      id: 'stepMove',
      method: 'POST',
      path: `${path}/steps`,
      kind: 'write',
      summary: 'Take a step of a move',
      description:
        '`freeze`: the former till sells no more; `thaw`: it does again; `go`: this shop sells from now on, which needs each check passed or signed since the freeze; `back`: to the former till, until this shop has reported to the state; `cancel`.',
      body: Type.Object({ step: OneOf(moveSteps) }),
      requestExample: { step: 'freeze' },
      success,
      failures: ['MOVE_NOT_FOUND', 'MOVE_NOT_READY'],
      handle: async ({ staff, requestId, body: { step } }) => {
        const { organizationId } = staff;
        const { id } = await openMove(context, organizationId);
        return reply(shown(await stepMove(context, staffOrigin(staff, requestId), organizationId, id, step)));
      },
    }),
  ];
}

const fileParams = {
  params: Type.Object({ moveFileId: Id() }),
  resourceParams: { moveFileId: 'MOVE_FILE_NOT_FOUND' },
} as const;
const fileSuccess = { status: 200, data: MoveFile, description: 'The file', example: fileExample } as const;

/** What is done with an uploaded file. */
function fileRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...common,
      ...fileParams,
      id: 'lookIntoMoveFile',
      method: 'GET',
      path: `${path}/files/{moveFileId}/look`,
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
      path: `${path}/files/{moveFileId}/mapping`,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Correct the columns of a file of a move',
      description:
        'Sets the meaning of all columns, as the mapping file of the command does; a column that is not listed is ignored. Null: the file has the columns of this service.',
      body: Type.Object({ mapping: Nullable(MoveMapping) }),
      requestExample: { mapping: mappingExample },
      success: fileSuccess,
      failures: ['INVALID_PARAMS', 'MOVE_NOT_READY', 'INVALID_MENU_FILE'],
      handle: async ({ staff, params: { moveFileId }, body: { mapping }, requestId, expectedUpdatedAtMs }) =>
        reply(
          shownFile(
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
      path: `${path}/files/{moveFileId}/runs`,
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
          shownFile(
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

function shownFile(row: MoveFileRow) {
  return {
    ...{ id: row.id, kind: row.kind, name: row.file_name, status: row.status, run: row.run },
    hasContent: row.has_content,
    mapping: row.mapping === null ? null : mappingView<string>(row.mapping),
    progress: row.status === 'done' ? 100 : Math.floor(row.done_share / 10),
    ...{
      read: row.done_count,
      created: row.created_count,
      known: row.known_count,
      refused: row.refused_count,
    },
    problems: row.problems.map(({ line, column, message }) => ({ line, column, message })),
    ...{
      failure: row.failure,
      createdAt: isoTimestamp(row.created_at),
      updatedAt: isoTimestamp(row.updated_at),
    },
  };
}

function shownSums({ sums, sha256: _, ...file }: LoadedFile) {
  return {
    ...file,
    ...{ points: sums.points, credit: sums.creditCents },
    ...{ days: Object.keys(sums.days).length, tags: Object.keys(sums.tags).length },
  };
}

function shown(row: MoveRow) {
  const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
  const signatures = new Map(row.signatures.map((it) => [it.check, it]));
  return {
    ...{ id: row.id, till: row.till, status: row.status },
    files: row.files.map(shownSums),
    trial: row.trial && {
      ...{ startedAt: row.trial.startedAt, checkedAt: row.trial.checkedAt, checks: row.trial.checks },
      files: row.trial.files.map(shownSums),
    },
    checks: row.checks.map((check) => {
      const signature = signatures.get(check.check);
      return {
        ...check,
        ...{
          signedBy: signature?.by ?? null,
          signedAt: signature?.at ?? null,
          note: signature?.note ?? null,
        },
      };
    }),
    discounts: proposedDiscounts(row.files),
    ...{ checkedAt: at(row.checked_at), createdAt: at(row.created_at)!, frozenAt: at(row.frozen_at) },
    ...{ liveAt: at(row.live_at), endedAt: at(row.ended_at), updatedAt: at(row.updated_at)! },
  };
}
