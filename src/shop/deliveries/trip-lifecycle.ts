import { failure } from '../../kernel/failure.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';

/** The life of a trip: planned, its goods in the vehicle, on the way, back at the shop, counted. */
export const tripStatuses = ['draft', 'loaded', 'out', 'back', 'closed'] as const;
export type TripStatus = (typeof tripStatuses)[number];

/** Where a trip is: one that was out and took on more orders at the shop is `loaded`, and is not unloaded any more. */
type TripPlace = TripStatus | 'restocked';

/** The places from which an act leads on. */
const tripActs = {
  plan: ['draft'],
  load: ['draft'],
  unload: ['loaded'],
  depart: ['loaded', 'restocked'],
  stop: ['out'],
  restock: ['out'],
  return: ['out'],
  close: ['back'],
} as const satisfies Readonly<Record<string, readonly TripPlace[]>>;

export type TripAct = keyof typeof tripActs;

/** A stop at which nothing was done yet. */
export function isOpenStop(status: StopStatus): boolean {
  return status === 'waiting' || status === 'arrived';
}

interface PlacedTrip {
  readonly status: TripStatus;
  readonly departed_at: number | null;
}

/** Whether a trip took on more orders after it was out, and has not left again. */
export const isRestocked = ({ status, departed_at: departedAt }: PlacedTrip): boolean =>
  status === 'loaded' && departedAt !== null;

/** Fails with INVALID_TRIP_TRANSITION unless the trip is where the act leads on. */
export function assertTripAllows(act: TripAct, trip: PlacedTrip): void {
  const { status } = trip;
  const place = isRestocked(trip) ? 'restocked' : status;
  const from: readonly TripPlace[] = tripActs[act];
  if (from.includes(place)) return;
  throw failure('INVALID_TRIP_TRANSITION', `A trip that is ${place} cannot be changed by ${act}.`, {
    ...{ status, action: act },
  });
}

/** Fails with INVALID_TRIP_TRANSITION once the stop is done. */
export function assertStopIsOpen(act: string, status: StopStatus): void {
  if (isOpenStop(status)) return;
  throw failure('INVALID_TRIP_TRANSITION', `A stop that is ${status} cannot be changed by ${act}.`, {
    ...{ status, action: act },
  });
}
