import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  CentsTotal,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { mappingSchemas, mappingView, type SentMapping } from '../imports/imports.ts';
import { moveFieldNames } from './file-kind.ts';
import { checkNames, checkResults } from './judge-move.ts';
import { type MoveFileRow, type MoveRow, moveFileStatuses, moveRuns, moveStatuses } from './move-queries.ts';
import { type MoveFile as LoadedFile, moveFileKinds, proposedDiscounts } from './sums-of-file.ts';

/** How moves and their files are shown. */

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

/** A move with its files, the numbers of its checks and who signed them. */
export const Move = Named(
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
export const samplesMax = 3;
export const { Mapping: MoveMapping, MappingRule: MoveMappingRule } = mappingSchemas('Move', moveFieldNames);

/** An uploaded file. */
export const MoveFile = Named(
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

/** The columns of a file. */
export const MoveFileLook = Named(
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

export const exampleMapping = {
  preset: 'flat-variants' as const,
  columns: [
    { column: 'id', rules: [{ field: 'formerId' }] },
    { column: 'dob', rules: [{ field: 'birthday', convert: 'any-date' as const }] },
  ],
  constants: [],
};

export const exampleMoveFile = {
  ...{ id: 5102, kind: 'customers' as const, name: 'members.json', status: 'done' as const },
  ...{ run: 'check' as const, hasContent: true, mapping: exampleMapping },
  ...{ progress: 100, read: 812, created: 809, known: 0, refused: 3 },
  problems: [
    {
      ...{ line: 17, column: 'dob' },
      message: 'must be a date with a year of four digits, such as 3/14/1990, not "5/4/88"',
    },
  ],
  ...{ failure: null, createdAt: '2026-02-28T17:05:09.123Z', updatedAt: '2026-02-28T17:06:09.123Z' },
};

export const exampleMove = {
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

/** A file as replies have it. */
export function shownMoveFile(row: MoveFileRow) {
  return {
    ...{ id: row.id, kind: row.kind, name: row.file_name, status: row.status, run: row.run },
    hasContent: row.byte_count !== null,
    mapping: row.mapping === null ? null : mappingView<string>(JSON.parse(row.mapping) as SentMapping),
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

/** A move as replies have it. */
export function shownMove(row: MoveRow) {
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
