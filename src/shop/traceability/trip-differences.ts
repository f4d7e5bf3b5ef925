import { isSameAmount, type Quantities, quantitiesOf } from '../../engines/state-reports/stock-difference.ts';
import { zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type ReportRow, selectReportsOfTrips } from './state-report-queries.ts';
import { selectReadTrips, type ToldTripRow } from './state-trip-queries.ts';
import { ledgerLines, type ToldTrip, toldTrips, tripContentOf } from './told-trips.ts';

/** How a trip of the state differs from what it was told. */
export const tripDifferences = ['trip-voided-at-state', 'trip-changed-at-state'] as const;

/** A trip that people changed on the state's website. */
export interface TripDifference {
  readonly kind: (typeof tripDifferences)[number];
  readonly row: ToldTripRow;
  readonly loaded: ReportRow;
  /** What the state has more of each package for it. */
  readonly effects: Quantities;
  /** What the state was told of it, the latest first. */
  readonly history: readonly { readonly at: string; readonly words: string }[];
}

const tripsMax = 2_000;
/** What was told so shortly before a reading may not be in it. */
const settlingMs = 20_000;

/** Compares the trips of the state, as they were read last, with what it was told of them. */
export async function findTripDifferences(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<TripDifference[]> {
  const [rows] = await database.read(organization, selectReadTrips({ limit: tripsMax }));
  if (rows.length === 0) return [];
  const tripIds = [...new Set(rows.map(({ trip_id: id }) => id))];
  const [reports] = await database.read(organization, selectReportsOfTrips({ tripIds }));
  const tripsOf = new Map(
    [...groupBy(reports, ({ trip_id: id }) => id!)].map(([id, all]) => [id, toldTrips(all)]),
  );
  return rows.flatMap((row) => {
    const told = tripsOf.get(row.trip_id)?.find((it) => it.connectionId === row.connection_id);
    // It was unloaded: the state was told that there is none.
    const loaded = told?.loaded.find(({ id }) => id === row.report_id);
    return told === undefined || loaded === undefined ? [] : differenceOf(row, told, loaded);
  });
}

function differenceOf(row: ToldTripRow, told: ToldTrip, loaded: ReportRow): TripDifference[] {
  const { way, since } = told;
  const ofIt = since.filter(({ order_id: id }) => way === 'ledger' || id === loaded.order_id);
  const settled = [loaded, ...ofIt].map(({ settled_at: at }) => at ?? 0);
  if (row.read_at <= Math.max(...settled) + settlingMs) return [];
  const accepted = ofIt.filter(({ state }) => state === 'accepted' || state === 'done-by-hand');
  const isOver = accepted.some(({ kind }) => kind === (way === 'ledger' ? 'trip-end' : 'delivery'));
  const sold = quantitiesOf(
    accepted.flatMap((it) => (it.kind === 'delivery' ? tripContentOf(it).lines : [])),
  );
  const restocked = told.restocked.filter((it) => accepted.includes(it));
  const carried = quantitiesOf(ledgerLines({ loaded: [loaded], restocked }));
  const taken = isOver ? sold : carried;
  const history = [...ofIt.toReversed(), loaded].map(
    ({ kind, state, external_number: number, occurred_at: at }) => ({
      ...{ at: isoTimestamp(at), words: `${number}: ${kind}, ${state}` },
    }),
  );
  const it = { row, loaded, history };
  if (row.is_void) return [{ ...it, kind: 'trip-voided-at-state', effects: taken }];
  // What is under way may be what changed it.
  if (accepted.length < ofIt.length) return [];
  const theirs = quantitiesOf(row.lines);
  const isAsTold =
    way === 'ledger' || isOver
      ? isSame(theirs, sold) || (way === 'each' && isSame(theirs, carried))
      : isSame(theirs, carried);
  if (isAsTold && row.is_completed === isOver) return [];
  return [{ ...it, kind: 'trip-changed-at-state', effects: isOver ? without(sold, theirs) : new Map() }];
}

function isSame(one: Quantities, other: Quantities): boolean {
  return [...without(one, other).values()].every((left) => isSameAmount(left, zero));
}

function without(one: Quantities, other: Quantities): Quantities {
  const labels = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...labels].map((label) => [label, (one.get(label) ?? zero).minus(other.get(label) ?? zero)]),
  );
}
