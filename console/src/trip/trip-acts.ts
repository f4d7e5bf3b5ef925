import { cashRoundingCents } from '../../../src/engines/offline-pricing/cash-rounding.ts';
import type { Schema } from '../api.ts';
import type { Kept } from '../offline/kept-queue.ts';

/* A trip as the driver's phone knows it: what the service said, and what was done since. */

export type Trip = Schema['Trip'];
export type TripStop = Trip['stops'][number];
export type TripLine = TripStop['lines'][number];

/** What a driver does. */
export type TripAct =
  | { readonly kind: 'depart' }
  | { readonly kind: 'return' }
  | { readonly kind: 'arrive' | 'not-home'; readonly stopId: number }
  | { readonly kind: 'refuse'; readonly stopId: number; readonly reason: string }
  | { readonly kind: 'deliver'; readonly stopId: number; readonly handOver: HandOver };

/** How the goods of a stop were handed over, as the service takes it. */
export interface HandOver {
  readonly idCheck?: SeenId;
  /** A PNG in base64. */
  readonly signature?: string;
  /** What was taken; a line that is absent was left. Undefined: everything. */
  readonly lines?: { readonly lineItemId: number; readonly quantity: number }[];
  /** Undefined: as the order says, or nothing is to pay. */
  readonly payments?: {
    readonly paymentTypeId: number;
    readonly remaining: true;
    readonly tendered?: number;
  }[];
  /** Cents in cash. */
  readonly tip?: number;
}

export interface SeenId {
  readonly how: 'scan' | 'eye';
  readonly firstName: string;
  readonly lastName: string;
  readonly birthday: string;
  readonly expiry: string | null;
}

/** An act that the service does not have yet, or refused. */
export interface QueuedAct extends Kept {
  readonly staffId: number;
  readonly tripId: number;
  /** Sent as the idempotency key, so that the act is done once. */
  readonly actKey: string;
  /** The same for telling the dispatcher that it was refused. */
  readonly tellKey: string;
  readonly occurredAt: string;
  readonly act: TripAct;
}

const statusAfter = { arrive: 'arrived', 'not-home': 'notHome', refuse: 'refused' } as const;

function statusOf(act: Extract<TripAct, { stopId: number }>): TripStop['status'] {
  if (act.kind !== 'deliver') return statusAfter[act.kind];
  return act.handOver.lines === undefined ? 'delivered' : 'partly';
}

/** The trip after an act. A stop that is done stays as it is: the service may have the act already. */
function afterAct(trip: Trip, act: TripAct): Trip {
  if (act.kind === 'depart') return trip.status === 'loaded' ? { ...trip, status: 'out' } : trip;
  if (act.kind === 'return') return { ...trip, status: 'back' };
  const stops = trip.stops.map((stop) =>
    stop.id === act.stopId && isOpen(stop) ? { ...stop, status: statusOf(act) } : stop,
  );
  return { ...trip, stops };
}

/** The trip as the driver left it: what the service knows, with what waits on this phone. What was refused does not count. */
export function tripAfter(trip: Trip, queued: readonly QueuedAct[]): Trip {
  return queued
    .filter(({ tripId, refusal }) => tripId === trip.id && refusal === null)
    .reduce((after, { act }) => afterAct(after, act), trip);
}

/** Whether something is left to do at the stop. */
export const isOpen = ({ status }: TripStop): boolean => status === 'waiting' || status === 'arrived';

/** Whether the driver goes there: not where the order was canceled since. */
export const isToDo = (stop: TripStop): boolean =>
  isOpen(stop) && (stop.orderStatus === 'new' || stop.orderStatus === 'packed');

/**
 * The cents to take at a stop, before rounding. A part of the goods bears the fees whole, and its share of the rest, rounded up; the
 * service prices the part again, and its figures are final.
 */
export function dueOf(
  { lines, total, fees, amountDue }: TripStop,
  taken: ReadonlyMap<number, number>,
): number {
  const whole = lines.reduce((sum, { price }) => sum + price, 0);
  const kept = lines.reduce(
    (sum, { lineItemId, price, quantity }) =>
      sum + (quantity === 0 ? price : Math.ceil((price * (taken.get(lineItemId) ?? 0)) / quantity)),
    0,
  );
  if (kept === whole || whole === 0) return amountDue;
  const paid = total - amountDue;
  return Math.max(0, fees + Math.ceil(((total - fees) * kept) / whole) - paid);
}

/** The cash to take, and the change for what was given; null: it is not enough. */
export function cashOf(
  dueCents: number,
  tenderedCents: number | null,
  tipCents: number,
  rounding: Trip['cashRounding'],
): { readonly owed: number; readonly change: number | null } {
  const owed = dueCents + cashRoundingCents(dueCents, rounding);
  const change = (tenderedCents ?? owed + tipCents) - owed - tipCents;
  return { owed, change: change < 0 ? null : change };
}

/** An address that a phone's own map opens, without asking any other service. `isApple`: its maps know no `geo:`. */
export function navigationLink({ address }: TripStop, isApple: boolean): string {
  const { street1, city, state, postalCode } = address;
  const words = [street1, city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return (isApple ? 'maps:?daddr=' : 'geo:0,0?q=') + encodeURIComponent(words);
}
