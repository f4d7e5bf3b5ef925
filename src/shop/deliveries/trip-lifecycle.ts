import { failure } from '../../kernel/failure.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';

/** The life of a trip: planned, its goods in the vehicle, on the way, back at the shop, counted. */
export const tripStatuses = ['draft', 'loaded', 'out', 'back', 'closed'] as const;
export type TripStatus = (typeof tripStatuses)[number];

/** The statuses from which an act leads on. */
const tripActs = {
  plan: ['draft'],
  load: ['draft'],
  unload: ['loaded'],
  depart: ['loaded'],
  stop: ['out'],
  return: ['out'],
  close: ['back'],
} as const satisfies Readonly<Record<string, readonly TripStatus[]>>;

export type TripAct = keyof typeof tripActs;

/** A stop at which nothing was done yet. */
export function isOpenStop(status: StopStatus): boolean {
  return status === 'waiting' || status === 'arrived';
}

/** Fails with INVALID_TRIP_TRANSITION unless the trip's status allows the act. */
export function assertTripAllows(act: TripAct, status: TripStatus): void {
  const from: readonly TripStatus[] = tripActs[act];
  if (from.includes(status)) return;
  throw failure('INVALID_TRIP_TRANSITION', `A trip that is ${status} cannot be changed by ${act}.`, {
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
