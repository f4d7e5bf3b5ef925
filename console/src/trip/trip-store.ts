import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { keptQueue, queueStore } from '../offline/kept-queue.ts';
import type { QueuedAct, Trip } from './trip-acts.ts';

/** The trip of the driver of this phone. */
interface KeptTrip {
  readonly organizationId: number;
  readonly staffId: number;
  readonly trip: Trip;
}

interface TripDb extends DBSchema {
  trip: { key: string; value: KeptTrip };
  queue: { key: number; value: QueuedAct };
}

let opened: Promise<IDBPDatabase<TripDb>> | null = null;

function database(): Promise<IDBPDatabase<TripDb>> {
  opened ??= openDB<TripDb>('driver-trip', 1, {
    upgrade: (created) => {
      created.createObjectStore('trip');
      created.createObjectStore(queueStore, { autoIncrement: true });
    },
  });
  return opened;
}

/** The acts that wait: what is in it is done. */
export const actQueue = keptQueue<QueuedAct>(async () => (await database()) as unknown as IDBPDatabase);

export async function keptTrip(organizationId: number, staffId: number): Promise<Trip | null> {
  const kept = await (await database()).get('trip', 'own');
  return kept?.organizationId === organizationId && kept.staffId === staffId ? kept.trip : null;
}

/** Keeps the trip for hours without a line; null: there is none. */
export async function keepTrip(organizationId: number, staffId: number, trip: Trip | null): Promise<void> {
  if (trip === null) return dropTrip();
  const transaction = (await database()).transaction('trip', 'readwrite', { durability: 'strict' });
  await transaction.store.put({ organizationId, staffId, trip }, 'own');
  await transaction.done;
}

/** Buyers' names and addresses leave the phone with the trip. */
export async function dropTrip(): Promise<void> {
  await (await database()).delete('trip', 'own');
}
