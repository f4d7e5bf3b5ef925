import Type from 'typebox';
import { ccrsFileTypes } from '../../engines/state-reports/ccrs-columns.ts';
import {
  Flag,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { type Filing, filingFileTypes } from './make-filing.ts';

/** The contract of files that people upload to a state, and of books that they enter. */

/** Faults of one file that are shown: more are not looked at before these are mended. */
export const faultsMax = 200;

const count = (description: string) => WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, description });

export const StateFiling = Named(
  'StateFiling',
  Type.Object({
    until: LocalDate({ description: 'The last day in it' }),
    digest: Text({ max: 64, description: 'Tells these files from later ones; `uploaded` sends it back' }),
    files: List(
      Type.Object({
        type: OneOf(filingFileTypes, { description: 'The kind of file; `Book`: what is entered by hand' }),
        name: Text({ max: 200, description: 'As the state wants it' }),
        step: WholeNumber({
          ...{ min: 1, max: 3 },
          description:
            'Files of a step go together; upload those of the next step after the answers to these',
        }),
        rows: count('Its rows, without the head'),
        faultCount: count('What would make the state refuse it'),
        faults: List(
          Type.Object({
            row: WholeNumber({
              min: 1,
              max: Number.MAX_SAFE_INTEGER,
              description: 'From 1, without the head',
            }),
            field: Text({ max: 100 }),
            words: Text({ max: 2_000, description: 'What the field has to be' }),
          }),
          { max: faultsMax, description: `The first ${faultsMax} faults` },
        ),
      }),
      { max: 10, description: 'Files without rows are left out' },
    ),
    waiting: count('Reports that these files tell'),
    uploaded: count('Reports that were uploaded, and the state has not answered'),
  }),
);

export const StateReply = Named(
  'StateReply',
  Type.Object({
    file: OneOf(ccrsFileTypes, { description: 'The file that the state speaks of' }),
    isAccepted: Flag({ description: 'Whether the state has it; otherwise the next files have it again' }),
    problems: List(
      Type.Object({
        id: Nullable(Text({ max: 200, description: 'The identifier of the row; null: the whole file' })),
        words: List(Text({ max: 1_000 }), { max: 50, description: 'What the state says' }),
      }),
      { max: faultsMax, description: `The first ${faultsMax} rows that were refused` },
    ),
  }),
);

export const filingExample = {
  ...{ until: '2026-11-21', digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  files: [
    {
      ...{ type: 'Sale' as const, name: 'Sale_412345_20261122091500.csv', step: 3, rows: 214, faultCount: 1 },
      faults: [{ row: 7, field: 'CannabisExciseTax', words: 'must not be 0.' }],
    },
  ],
  ...{ waiting: 188, uploaded: 0 },
};

export const replyExample = {
  ...{ file: 'Sale' as const, isAccepted: false },
  problems: [{ id: '1042-inv-0001', words: ['Invalid InventoryExternalIdentifier'] }],
};

/** A filing as staff see it. */
export function shownFiling({ until, digest, files, waiting, uploaded }: Filing) {
  return {
    ...{ until, digest },
    files: files.map(({ type, name, step, rowCount, faults }) => ({
      ...{ type, name, step, rows: rowCount, faultCount: faults.length },
      faults: faults.slice(0, faultsMax).map(({ row, field, words }) => ({ row, field, words })),
    })),
    ...{ waiting: waiting.length, uploaded: uploaded.length },
  };
}
