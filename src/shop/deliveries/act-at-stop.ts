import { selectOrganization } from '../../access/organizations/organizations.ts';
import { judgeDoorId } from '../../engines/duties/door-id.ts';
import { minimumAgeOf } from '../../engines/jurisdictions/minimum-age.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import type { OrderRecord, StaffName } from '../orders/order-record.ts';
import { dispatchOrder, editOrder, loadOrder, stepOrder } from '../orders/orders.ts';
import type { TakenPayment } from '../orders/take-payments.ts';
import { moveCash } from '../registers/registers.ts';
import { dispatchTripOf } from './load-trip.ts';
import { occurredAtMs } from './occurred-at.ts';
import { isOpenOrder, lockedTrip } from './plan-trip.ts';
import { setAside, writeStop } from './set-aside.ts';
import { selectShownStops } from './stop-queries.ts';
import { assertStopIsOpen, assertTripAllows, isRestocked } from './trip-lifecycle.ts';
import { type ShownTripRow, type StopRow, selectStops, selectTrip } from './trip-queries.ts';

/** Who acts, and where. */
interface ActingAt {
  readonly tripId: number;
  readonly stopId: number;
  readonly staff: StaffName & { readonly role: StaffRole };
  /** When it happened; undefined: now. */
  readonly occurredAt: string | undefined;
}

interface LockedStop {
  readonly trip: ShownTripRow;
  readonly stop: StopRow;
  readonly atMs: number;
}

/** Locks the trip and finds the stop, which must still be open. */
async function lockedStop(
  tx: TenantTransaction,
  context: Context,
  act: string,
  { tripId, stopId, occurredAt }: ActingAt,
): Promise<LockedStop> {
  const atMs = occurredAtMs(occurredAt, context.clock.now());
  const locked = await lockedTrip(tx, tripId);
  const [[trip], stops] = await tx.run(selectTrip({ id: tripId }), selectStops({ tripId }));
  const stop = stops.find(({ id }) => id === stopId);
  if (stop === undefined) throw failure('TRIP_STOP_NOT_FOUND', 'The trip has no such stop.');
  // What was done before the vehicle took on more orders may be told after that.
  if (!isRestocked(locked) || atMs >= locked.loaded_at!) assertTripAllows('stop', locked);
  assertStopIsOpen(act, stop.status);
  assert(trip !== undefined, 'a locked trip is there');
  return { trip, stop, atMs };
}

/** The driver is at the door. */
export async function arriveAtStop(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  at: ActingAt,
): Promise<void> {
  await writeTogether(context.database, organization, async () => {
    const { trip, stop, order } = await context.database.write(organization, async (tx) => {
      const { trip, stop, atMs } = await lockedStop(tx, context, 'arrive', at);
      await writeStop(tx, context, origin, stop, { status: 'arrived', atMs });
      return { trip, stop, order: await loadOrder(tx, stop.order_id, { lock: true }) };
    });
    if (order === null || !isOpenOrder(order)) return;
    const change = { status: 'active', trip: dispatchTripOf(trip, stop, 'arrived') } as const;
    await dispatchOrder(context, origin, organization, stop.order_id, change);
  });
}

/** The goods come back: refused with a reason, or no one opened. */
export async function leaveStop(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  at: ActingAt,
  { status, reason }: { readonly status: 'refused' | 'notHome'; readonly reason: string | null },
): Promise<void> {
  await writeTogether(context.database, organization, async () => {
    const { trip, stop, atMs } = await context.database.write(organization, (tx) =>
      lockedStop(tx, context, status === 'refused' ? 'refuse' : 'not-home', at),
    );
    await setAside(context, origin, organization, stop, { status, reason, atMs, by: at.staff, trip });
    await tellNextStop(context, origin, organization, at.tripId);
  });
}

/** The customer of the first stop that is left hears that it is the next one, unless the vehicle is at the shop. */
async function tellNextStop(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
): Promise<void> {
  const [stops, [trip]] = await context.database.write(organization, (tx) =>
    tx.run(selectShownStops({ tripIds: [tripId] }), selectTrip({ id: tripId })),
  );
  if (trip?.status !== 'out') return;
  const next = stops.find((it) => it.status === 'waiting' && ['new', 'packed'].includes(it.order_status));
  if (next === undefined) return;
  await dispatchOrder(context, origin, organization, next.order_id, { status: 'active', isNext: true });
}

/** An ID as it was seen at the door. */
interface SeenId {
  readonly how: 'scan' | 'eye';
  readonly firstName: string;
  readonly lastName: string;
  readonly birthday: string;
  readonly expiry: string | null;
}

interface HandOver {
  readonly idCheck: SeenId | null;
  readonly signature: Uint8Array | null;
  /** What is handed over; null: all. */
  readonly lines: readonly { readonly lineItemId: number; readonly quantity: number }[] | null;
  /** Undefined: the intended payments count. */
  readonly payments: readonly TakenPayment[] | undefined;
  readonly tipCents: number;
}

/**
 * Hands an order over at the door: the ID is judged, an order that is taken in part is edited first, and then it is fulfilled as at the
 * counter, with its limits, payments and the driver's drawer. Everything or nothing. Fails with ID_NOT_ACCEPTED, and as the edit and the
 * fulfillment of an order do.
 */
export async function deliverAtStop(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  at: ActingAt,
  handOver: HandOver,
): Promise<void> {
  const { staff } = at;
  const { idCheck, signature, payments, tipCents } = handOver;
  await writeTogether(context.database, organization, async () => {
    const { trip, stop, atMs, order } = await context.database.write(organization, async (tx) => {
      const locked = await lockedStop(tx, context, 'deliver', at);
      const order = await loadOrder(tx, locked.stop.order_id, { lock: true });
      assert(order !== null, 'an order on a trip exists');
      if (idCheck !== null) await judgeId(tx, context, locked.stop, idCheck, locked.atMs);
      return { ...locked, order };
    });
    const orderId = stop.order_id;
    const kept = handOver.lines === null ? null : keptLines(order, handOver.lines);
    if (kept !== null) {
      if (order.head.status === 'packed') {
        await stepOrder(context, origin, organization, orderId, 'unpack', { staff });
      }
      const by = { staff, role: staff.role };
      await editOrder(context, origin, organization, orderId, { lineItems: kept }, by);
    }
    await stepOrder(
      context,
      origin,
      organization,
      orderId,
      'fulfill',
      { staff },
      {
        occurredAtMs: atMs,
        stopStatus: kept === null ? 'delivered' : 'partly',
        ...(payments !== undefined && { payments }),
        ...(idCheck !== null && { idCheck: idCheck.how }),
        ...(trip.drawer_session_id !== null && trip.register_id !== null && { registerId: trip.register_id }),
      },
    );
    if (tipCents > 0 && trip.drawer_session_id !== null) {
      const tip = {
        kind: 'paid-in',
        amountCents: tipCents,
        reason: `Tip, order ${order.head.number}`,
      } as const;
      const by = { staffId: staff.id, role: staff.role };
      await moveCash(context, origin, organization, trip.drawer_session_id, tip, by);
    }
    await context.database.write(organization, async (tx) => {
      const { stop } = await lockedStop(tx, context, 'deliver', at);
      const status = kept === null ? 'delivered' : 'partly';
      const outcome = { status, atMs, idCheckHow: idCheck?.how ?? null, signature, tipCents } as const;
      await writeStop(tx, context, origin, stop, outcome);
    });
    await tellNextStop(context, origin, organization, at.tripId);
  });
}

/** The order's lines as they are handed over; null: all of them. Fails with INVALID_PARAMS for what the order does not have. */
function keptLines(order: OrderRecord, sent: NonNullable<HandOver['lines']>) {
  const left = new Map(order.lines.map(({ id }) => [id, 0]));
  for (const [index, { lineItemId, quantity }] of sent.entries()) {
    const line = order.lines.find(({ id }) => id === lineItemId);
    if (line === undefined)
      throw failure('INVALID_PARAMS', `lines[${index}].lineItemId must be a line of the order.`);
    if (quantity > line.quantity) {
      throw failure('INVALID_PARAMS', `lines[${index}].quantity must be at most ${line.quantity}.`);
    }
    left.set(lineItemId, quantity);
  }
  if (order.lines.every(({ id, quantity }) => left.get(id) === quantity)) return null;
  const kept = order.lines.filter(({ id }) => left.get(id)! > 0);
  if (kept.length === 0) {
    throw failure('INVALID_PARAMS', 'lines must hand something over: refuse the stop if nothing is taken.');
  }
  return kept.map((line) => ({ ...line, quantity: left.get(line.id)! }));
}

/** Fails with ID_NOT_ACCEPTED unless the ID is that of the buyer, on the shop's day of the hand-over. */
async function judgeId(
  tx: TenantTransaction,
  context: Context,
  { id: stopId, trip_id: tripId }: StopRow,
  seen: SeenId,
  atMs: number,
): Promise<void> {
  const [[shop], stops] = await tx.run(selectOrganization({}), selectShownStops({ tripIds: [tripId] }));
  const person = stops.find(({ id }) => id === stopId);
  assert(shop !== undefined && person !== undefined, 'a locked stop of an organization is there');
  const { first_name: firstName, last_name: lastName, birthday, medical_expiration: ends } = person;
  const today = localDateAt(atMs, shop.tz);
  const isMedical = ends !== null && ends >= today;
  const minimumAge = minimumAgeOf({ jurisdiction: context.law.find(shop.state), today, isMedical });
  const buyer = firstName === null || lastName === null ? null : { firstName, lastName, birthday };
  const fault = judgeDoorId({ seen, buyer, today, minimumAge });
  if (fault === null) return;
  throw failure('ID_NOT_ACCEPTED', `idCheck must be an ID of the buyer: ${faultWords[fault]}.`, { fault });
}

const faultWords = {
  underage: 'the person is too young',
  expired: 'it has expired',
  'other-birthday': 'its birthday is another one',
  'other-name': 'its name is another one',
} as const;
