import Type, { type Static } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  DecimalText,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  UuidV4,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import type { ComparisonRow } from './comparison-queries.ts';
import { type Difference, differenceKinds, historyKinds } from './list-differences.ts';

/** The contract of comparisons with the state, and of differences. */

const big = { min: 0, max: Number.MAX_SAFE_INTEGER };
const answers = ['state-is-right', 'we-are-right'] as const;
export const differencesMax = 10_000;

export const StateDifference = Named(
  'StateDifference',
  Type.Object({
    kind: OneOf(differenceKinds, {
      description:
        'Of a receipt: `voided-at-state`: a person voided it on the state’s website; `changed-at-state`: it says something else than the sale; `not-at-state`: it was accepted and is not found; `not-ours`: this shop did not report it, or the state has it twice. Of a trip: `trip-voided-at-state`, `trip-changed-at-state`: a person voided it on the state’s website, or changed what was handed over or whether it is over. Of a package: `receipt-differs`: by receipts or trips that differ; `adjusted-at-state`: by what people adjusted there; `more-at-state`, `less-at-state`: nothing known explains it; `ended-at-state`: it is finished there; `absent-at-state`: the license has no such package; `not-accepted`: it has stock here, and its transfer is not accepted there; `not-received`: it is accepted there, and not received here; `not-here`: it is unknown here; `unit-differs`',
    }),
    stateConnectionId: Id(),
    stateReportId: Nullable(Id()),
    orderId: Nullable(UuidV4()),
    orderNumber: Nullable(WholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    tripId: Nullable(Id({ description: 'Of a trip that differs' })),
    stateRecordId: Nullable(
      WholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'The id at the state' }),
    ),
    number: Nullable(Text({ max: 300, description: 'The number of the receipt that the state shows' })),
    packageId: Nullable(Id({ description: 'The package here' })),
    label: Nullable(Text({ max: 200, description: 'Of the package' })),
    item: Nullable(Text({ max: 500, description: 'As the state names it' })),
    unit: Nullable(Text({ max: 100, description: 'Of the quantities' })),
    ours: Nullable(
      DecimalText({
        sign: 'any',
        description: 'What the state would have by the stock here, before the reports that are under way',
      }),
    ),
    theirs: Nullable(Text({ max: 100, description: 'What it has; of a receipt a digest of what it says' })),
    underWay: Nullable(
      DecimalText({ sign: 'any', description: 'What reports under way will still change of it' }),
    ),
    answers: List(OneOf(answers), {
      max: answers.length,
      description: 'What a person can answer. The rest is done on the state’s website',
    }),
    history: List(
      Type.Object({
        what: OneOf(historyKinds, {
          description:
            'Movements here, adjustments there, open reports, and what the state was told of a trip',
        }),
        at: Text({ max: 40, description: 'An instant; of the state a day' }),
        quantity: Nullable(DecimalText({ sign: 'any', description: 'What it changed' })),
        words: Nullable(Text({ max: 3_000, description: 'Reason and note' })),
      }),
      { max: 100, description: 'What happened to the package or the trip, the latest first' },
    ),
  }),
);

export const differenceExample: Static<typeof StateDifference> = {
  ...{ kind: 'adjusted-at-state', stateConnectionId: 9101, stateReportId: null, orderId: null },
  ...{ orderNumber: null, tripId: null, stateRecordId: 5_501, number: null, packageId: 2601, unit: 'Grams' },
  ...{ label: '1A4FF01000000B2000000417', item: 'Fern Valley Flower', ours: '98.5', theirs: '96.5' },
  ...{ underWay: '0', answers: ['state-is-right', 'we-are-right'] },
  history: [{ what: 'adjusted-at-state', at: '2026-03-08', quantity: '-2', words: 'Entry Error: recount' }],
};

export const AnswerBody = Type.Object({
  stateConnectionId: Id(),
  kind: OneOf(differenceKinds, { description: 'Of the difference' }),
  subject: Text({
    min: 1,
    max: 200,
    description: 'The label of the package, or the id of the receipt or trip',
  }),
  ours: Type.Optional(Nullable(Text({ max: 100, description: 'As the difference says' }))),
  theirs: Nullable(Text({ max: 100, description: 'As the difference says' })),
  answer: OneOf(answers, {
    description:
      '`state-is-right`: the stock here is moved to what the state has, or its receipt stays; `we-are-right`: an adjustment, or the report again, goes to the state',
  }),
  note: Text({ max: 500, description: 'Why' }),
});

export const StateAnswer = Named(
  'StateAnswer',
  Type.Object({
    id: Id(),
    ...{ stateConnectionId: Id(), kind: AnswerBody.properties.kind, subject: AnswerBody.properties.subject },
    ...{ answer: AnswerBody.properties.answer, note: AnswerBody.properties.note },
  }),
);

export const StateComparison = Named(
  'StateComparison',
  Type.Object({
    id: Id(),
    stateConnectionId: Id(),
    state: OneOf(['waiting', 'running', 'done'], { description: 'Where it is' }),
    isNightly: Type.Boolean({ description: 'The night asked for it, and no person' }),
    readsFrom: Timestamp({ description: 'It reads the changes from then on' }),
    readUntil: Timestamp({ description: 'How far it is' }),
    packages: WholeNumber({ ...big, description: 'Packages that it read' }),
    receipts: WholeNumber({ ...big, description: 'Receipts that it read' }),
    calls: WholeNumber({ ...big, description: 'Reads of the state’s interface' }),
    workMs: WholeNumber({ ...big, description: 'How long it worked' }),
    differences: Nullable(
      List(Type.Object({ kind: OneOf(differenceKinds), count: WholeNumber(big) }), {
        max: differenceKinds.length,
        description: 'How many there were at its end; null: it is under way',
      }),
    ),
    problem: Nullable(Text({ max: 500, description: 'Why it does not go on' })),
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp()),
  }),
);

export const comparisonExample: Static<typeof StateComparison> = {
  ...{ id: 9301, stateConnectionId: 9101, state: 'done', isNightly: true },
  ...{ readsFrom: '2025-03-09T11:00:00.000Z', readUntil: '2026-03-10T11:00:00.000Z' },
  ...{ packages: 2_130, receipts: 73_000, calls: 5_900, workMs: 140_000, problem: null },
  differences: [{ kind: 'adjusted-at-state', count: 2 }],
  ...{ createdAt: '2026-03-10T11:00:00.000Z', finishedAt: '2026-03-10T11:04:00.000Z' },
};

/** A comparison as the API shows it. */
export function shownComparison(row: ComparisonRow): Static<typeof StateComparison> {
  return {
    ...{ id: row.id, stateConnectionId: row.connection_id, state: row.state },
    isNightly: row.asked_by_staff_id === null,
    ...{ readsFrom: isoTimestamp(row.reads_from), readUntil: isoTimestamp(row.read_until) },
    ...{ packages: row.packages, receipts: row.receipts, calls: row.calls, workMs: row.work_ms },
    differences:
      row.differences &&
      differenceKinds.flatMap((kind) => {
        const count = row.differences![kind];
        return count === undefined ? [] : [{ kind, count }];
      }),
    problem: row.problem,
    createdAt: isoTimestamp(row.created_at),
    finishedAt: row.finished_at === null ? null : isoTimestamp(row.finished_at),
  };
}

/** A row of the file: its history is in one cell. */
export function differenceCells({ answers: _, history, ...row }: Difference) {
  const told = history.map((it) => [it.at, it.what, it.quantity, it.words].filter(Boolean).join(' '));
  return { ...row, history: told.join('; ') };
}
