import type { ReceiptLine } from '../../engines/state-reports/receipt-of-sale.ts';
import { linesTogether, type TripContent, type TripWay } from '../../engines/state-reports/trip-report.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { type ReportRow, selectReportsOfTrips } from './state-report-queries.ts';

/* What the state was told of trips, and what it knows of them. */

/** What a report of a trip tells. */
export function tripContentOf({ payload }: Pick<ReportRow, 'payload'>): TripContent {
  return JSON.parse(payload) as TripContent;
}

/** A trip of a license as the state is told of it now: since it was loaded last. */
export interface ToldTrip {
  readonly connectionId: number;
  readonly way: TripWay;
  /** Its ledger, or its deliveries. */
  readonly loaded: readonly ReportRow[];
  /** What a ledger took on after it had left. */
  readonly restocked: readonly ReportRow[];
  /** What was told of it since it was loaded. */
  readonly since: readonly ReportRow[];
}

/** All lines that were loaded into the vehicle of a ledger. */
export function ledgerLines({ loaded, restocked }: Pick<ToldTrip, 'loaded' | 'restocked'>): ReceiptLine[] {
  return linesTogether([loaded.at(-1)!, ...restocked].flatMap((row) => tripContentOf(row).lines));
}

/** The trips of the licenses that told of a trip, without what was unloaded again. */
export function toldTrips(rows: readonly ReportRow[]): ToldTrip[] {
  return [...groupBy(rows, ({ connection_id: id }) => id)].flatMap(([connectionId, all]) => {
    const unloaded = all.findLast(({ kind }) => kind === 'trip-void')?.id ?? 0;
    const now = all.filter(({ id, state }) => id > unloaded && state !== 'superseded');
    const loaded = now.filter(({ kind }) => kind === 'trip');
    if (loaded.length === 0) return [];
    const since = now.filter(({ kind }) => kind !== 'trip');
    const restocked = since.filter(({ kind }) => kind === 'restock');
    return [{ connectionId, way: tripContentOf(loaded[0]!).way, loaded, restocked, since }];
  });
}

/** What the state knows of a trip that is loaded. */
export interface KnownTrip {
  /** It knows what it is to know before the vehicle leaves. */
  readonly isKnown: boolean;
  /** What is missing, in words; null: nothing is. */
  readonly words: string | null;
}

/** What the state knows of trips, by their ids; a trip that no license reports is not in it. `read`: of the write, or of the reading. */
export async function knownTrips(
  read: (statement: ReturnType<typeof selectReportsOfTrips>) => Promise<readonly [readonly ReportRow[]]>,
  tripIds: readonly number[],
): Promise<Map<number, KnownTrip>> {
  const [rows] = await read(selectReportsOfTrips({ tripIds }));
  return new Map(
    [...groupBy(rows, ({ trip_id: id }) => id!)].flatMap(([tripId, all]) => {
      const loaded = toldTrips(all).flatMap((trip) => [...trip.loaded, ...trip.restocked]);
      if (loaded.length === 0) return [];
      const missing = loaded.filter(({ state }) => state !== 'accepted' && state !== 'done-by-hand');
      const first = missing.find(({ state }) => state === 'refused') ?? missing[0];
      const words = first === undefined ? null : wordsOf(first);
      return [[tripId, { isKnown: first === undefined, words }] as const];
    }),
  );
}

function wordsOf({ state, problem, external_number: number }: ReportRow): string {
  if (state === 'refused') return `The state refuses the report ${number} of the trip: ${problem}`;
  const why = problem === null ? '' : ` ${problem}`;
  return `The state does not know of the trip yet: the report ${number} is under way.${why}`;
}
