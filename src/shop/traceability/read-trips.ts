import { memberOf } from '../../engines/state-reports/json-members.ts';
import {
  handedOver,
  readStateTrip,
  type ShownLine,
  tripPathOf,
  tripWayOf,
} from '../../engines/state-reports/trip-report.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { LaneParts } from './lane-parts.ts';
import { type StateWindow, windowQuery } from './read-windows.ts';
import { keepTrips, selectToldTripRecords } from './state-trip-queries.ts';

/** A trip or delivery as the state shows it. */
interface ReadTrip {
  readonly id: number;
  readonly isVoid: boolean;
  readonly isCompleted: boolean;
  readonly lines: readonly ShownLine[];
}

/**
 * The trips that the state was told of and that changed in a window, each read whole: lists leave the lines out. None for a license that
 * reports no trips. Null: they could not be read.
 */
export async function tripsIn(parts: LaneParts, window: StateWindow): Promise<ReadTrip[] | null> {
  const { client, connection, context, organization } = parts;
  const way = connection.system === 'metrc' ? tripWayOf(connection.flags) : null;
  if (way === null) return [];
  const path = tripPathOf(way);
  const lists = await Promise.all(
    ['active', 'inactive'].map((list) => client.list(`${path}/${list}`, windowQuery(window))),
  );
  const changed = new Set<number>();
  for (const listed of lists) {
    if (listed.kind !== 'rows') return null;
    for (const row of listed.rows) {
      const id = memberOf(row, 'Id');
      if (typeof id === 'number') changed.add(id);
    }
  }
  if (changed.size === 0) return [];
  const told = selectToldTripRecords({ connectionId: connection.id, recordIds: [...changed] });
  const [rows] = await context.database.read(organization, told);
  const found = await Promise.all(
    rows.map(async ({ id }) => {
      const read = await client.read(`${path}/${id}`);
      const trip = read.kind === 'found' ? readStateTrip(read.body, way) : null;
      if (read.kind !== 'found' || trip === null) return null;
      return { id, isVoid: trip.isVoid, isCompleted: trip.isCompleted, lines: handedOver(read.body, way) };
    }),
  );
  return found.every((it) => it !== null) ? found : null;
}

/** The statement that keeps what was read of trips; `at`: when the reading began. */
export function keepTripsStatement(connectionId: number, trips: readonly ReadTrip[], atMs: number) {
  const rows = trips.map((it) => ({
    ...{ id: it.id, is_void: it.isVoid, is_completed: it.isCompleted, lines: it.lines },
  }));
  return keepTrips({ connectionId, rows: JSON.stringify(rows), at: isoTimestamp(atMs) });
}
