import Type from 'typebox';
import { openStates, reportStates } from '../../engines/state-reports/report-lifecycle.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  Cents,
  DecimalText,
  Flag,
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
import { adjustmentOf, finishOf } from './send-adjustment.ts';
import { contentOf } from './send-receipt.ts';
import { type ReportRow, reportKinds, type StepRow } from './state-report-queries.ts';
import { tripContentOf } from './told-trips.ts';

/** The contract of reports to the state. */

const stateWords =
  '`waiting`: to be sent; `sending`: being sent; `unknown`: the state may have it, and it is looked for before it is sent again; `accepted`: the state has it; `refused`: the state says no, and a person decides; `superseded`: a later report says all that it says; `done-by-hand`: a person entered it on the state’s website';

const fields = {
  id: Id(),
  stateConnectionId: Id({ description: 'The license that reports it' }),
  kind: OneOf(reportKinds, {
    description:
      '`sale`: a receipt; `correction`: the receipt after something came back; `void`: nothing is left of it; `adjustment`: stock was adjusted, counted or thrown away; `finish`: a package is used up; `trip`: goods are in a vehicle; `departure`: it leaves; `restock`: more goods are in it; `delivery`: what became of a stop; `trip-end`: it is back; `trip-void`: it was unloaded before it left',
  }),
  orderId: Nullable(UuidV4()),
  orderNumber: Nullable(WholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  tripId: Nullable(Id({ description: 'The trip that it tells of' })),
  number: Text({ max: 100, description: 'Our number of it, which the state shows, too' }),
  state: OneOf(reportStates, { description: stateWords }),
  isOpen: Flag({ description: 'The state is not known to have it' }),
  isLate: Flag({ description: 'Half of the time in which the state wants it is over, or it is refused' }),
  problem: Nullable(Text({ max: 2_000, description: 'Why the state does not have it' })),
  occurredAt: Timestamp({ description: 'When it happened' }),
  dueAt: Nullable(
    Timestamp({ description: 'Until when the state wants it; null: the duty names no moment' }),
  ),
  attempts: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'How often it was sent' }),
  nextAt: Nullable(Timestamp({ description: 'When the service goes on with it; null: it does not' })),
  stateRecordId: Nullable(
    WholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'The id of the receipt at the state' }),
  ),
  settledAt: Nullable(Timestamp({ description: 'When it was accepted, or settled otherwise' })),
};

export const StateReport = Named('StateReport', Type.Object(fields));

export const StateReportDetail = Named(
  'StateReportDetail',
  Type.Object({
    ...fields,
    soldAt: Text({
      max: 40,
      description: 'Wall time of the shop, as the state gets it; of an adjustment its day',
    }),
    alsoReadAs: Nullable(
      Timestamp({ description: 'The other instant with this wall time, in the hour that autumn repeats' }),
    ),
    customerType: Text({ max: 40 }),
    lines: List(
      Type.Object({
        label: Text({ max: 200, description: 'The package' }),
        quantity: DecimalText({
          sign: 'any',
          description: 'In the unit of the package; of an adjustment, what it adds or takes away',
        }),
        unit: Text({ max: 100 }),
        amount: Cents({ description: 'After discounts, without taxes' }),
      }),
      { max: 10_000, description: 'What was sold, or is on the trip or comes back with it' },
    ),
    steps: List(
      Type.Object({
        state: Text({ max: 40 }),
        words: Text({ max: 3_000 }),
        at: Timestamp(),
      }),
      { max: 1_000, description: 'Its life, oldest first' },
    ),
  }),
);

export const stateReportExample = {
  ...{
    id: 9201,
    stateConnectionId: 9101,
    kind: 'sale' as const,
    orderId: '8f14e45f-ceea-4a7b-9d2c-1f0b6f4a2c11',
  },
  ...{
    orderNumber: 1042,
    tripId: null,
    number: '1042-1-K',
    state: 'accepted' as const,
    isOpen: false,
    isLate: false,
  },
  ...{
    problem: null,
    occurredAt: '2026-03-10T18:00:00.000Z',
    dueAt: '2026-03-11T18:00:00.000Z',
    attempts: 1,
  },
  ...{ nextAt: null, stateRecordId: 88_120, settledAt: '2026-03-10T18:00:02.000Z' },
};

export const stateReportDetailExample = {
  ...stateReportExample,
  ...{ soldAt: '2026-03-10T11:00:00.000', alsoReadAs: null, customerType: 'Consumer' },
  lines: [{ label: '1A4FF01000000B2000000417', quantity: '3.5', unit: 'Grams', amount: 3_125 }],
  steps: [
    { state: 'waiting', words: 'Written with the sale.', at: '2026-03-10T18:00:00.000Z' },
    { state: 'sending', words: 'It is sent.', at: '2026-03-10T18:00:01.000Z' },
    { state: 'accepted', words: 'The state has it.', at: '2026-03-10T18:00:02.000Z' },
  ],
};

/** A report as a list shows it. */
export function shownReport(row: ReportRow, nowMs: number) {
  const isOpen = openStates.includes(row.state);
  const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
  return {
    ...{ id: row.id, stateConnectionId: row.connection_id, kind: row.kind, orderId: row.order_id },
    ...{
      orderNumber: row.order_number,
      tripId: row.trip_id,
      number: row.external_number,
      state: row.state,
      isOpen,
    },
    isLate: isOpen && (row.state === 'refused' || row.alarm_at <= nowMs),
    ...{ problem: row.problem, occurredAt: isoTimestamp(row.occurred_at), dueAt: at(row.due_at) },
    ...{ attempts: row.attempts, nextAt: isOpen && row.state !== 'refused' ? at(row.next_at) : null },
    ...{ stateRecordId: row.state_record_id, settledAt: at(row.settled_at) },
  };
}

/** An adjustment in the form of a receipt without a buyer and a price. */
function changeOf(row: ReportRow) {
  const { label, quantity, unit, date } = adjustmentOf(row);
  return {
    ...{ soldAt: date, alsoReadAs: null, customerType: '' },
    lines: [{ label, quantity, unit, amountCents: 0 }],
  };
}

/** A finish in the same form. */
function finishedOf(row: ReportRow) {
  const { label, date } = finishOf(row);
  return {
    ...{ soldAt: date, alsoReadAs: null, customerType: '' },
    lines: [{ label, quantity: '0', unit: '', amountCents: 0 }],
  };
}

/** What a report says, whatever its kind. */
export function saidOf(row: ReportRow) {
  if (row.kind === 'adjustment') return changeOf(row);
  if (row.kind !== 'trip-end') return row.kind === 'finish' ? finishedOf(row) : contentOf(row);
  const { back, ...content } = tripContentOf(row);
  return { ...content, lines: back };
}

/** A report with what it says and its life. */
export function shownReportDetail(row: ReportRow, steps: readonly StepRow[], nowMs: number) {
  const { soldAt, alsoReadAs, customerType, lines } = saidOf(row);
  return {
    ...shownReport(row, nowMs),
    ...{ soldAt, alsoReadAs, customerType },
    lines: lines.map(({ amountCents, ...line }) => ({ ...line, amount: amountCents })),
    steps: steps.map(({ state, words, created_at: at }) => ({ state, words, at: isoTimestamp(at) })),
  };
}
