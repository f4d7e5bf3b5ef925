import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { isWithin } from '../../engines/duties/clock-window.ts';
import { saleWindows } from '../../engines/duties/judge-duties.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import { addDays, localDateAt, localInstantMs } from '../../kernel/local-time.ts';
import {
  type ClosedDayRow,
  type PlacesTakenRow,
  slotDaysAhead,
  type TimeSlotRow,
} from './time-slot-queries.ts';

/* Which windows for pickup and delivery customers can choose. Pure. */

const [minuteMs, dayMs] = [60_000, 86_400_000];

/** The rows of `slotStatements`. */
export interface SlotRows {
  readonly slots: readonly TimeSlotRow[];
  readonly closedDays: readonly ClosedDayRow[];
  readonly taken: readonly PlacesTakenRow[];
}

type SlottedShop = Pick<
  OrganizationRow,
  'state' | 'tz' | 'duty_settings' | 'delivery_needs_time_slot' | 'pickup_needs_time_slot'
>;

/** What slots are judged by. */
export interface SlotCalendar extends SlotRows {
  readonly organization: SlottedShop;
  readonly law: Law;
  readonly nowMs: number;
}

/** A window on a day; instants in milliseconds. */
export interface SlotTime {
  readonly slot: TimeSlotRow;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Why a slot cannot be chosen. */
type SlotRefusal = 'missing' | 'unknown' | 'closed' | 'outside-hours' | 'too-soon' | 'full';

const refusalWords: Readonly<Record<SlotRefusal, string>> = {
  missing: 'the shop hands such orders over in time slots only',
  unknown: 'no time slot of the shop for this order begins then',
  closed: 'the shop has closed its time slots of that day',
  'outside-hours': 'that time slot lies outside of the hours in which cannabis changes hands',
  'too-soon': 'that time slot begins too soon for a new order',
  full: 'that time slot is full',
};

/** A window that customers can choose, with its places left. */
export type OfferedSlot = SlotTime & { readonly left: number };

/** The windows of the next days, by time, with their places left; those that are closed or begin too soon are left out. */
export function offeredSlots(calendar: SlotCalendar): OfferedSlot[] {
  const today = localDateAt(calendar.nowMs, calendar.organization.tz);
  const days = Array.from({ length: slotDaysAhead }, (_, index) => addDays(today, index));
  return days
    .flatMap((day) => timesOfDay(calendar, day))
    .filter((time) => [null, 'full'].includes(refusalOf(calendar, time)))
    .map((time) => ({ ...time, left: leftOf(calendar, time) }))
    .sort((a, b) => a.fromMs - b.fromMs || a.slot.id - b.slot.id);
}

/** An order that names when it wants to be handed over. */
interface WantedSlot {
  readonly orderType: 'delivery' | 'pickup';
  /** Null: the address is in no zone. Undefined: the zone is not known yet, and any may fit. */
  readonly zoneId: number | null | undefined;
  readonly fromMs: number;
}

/** What of a cart chooses its time slot. */
interface SlottedCart {
  readonly type: 'delivery' | 'pickup' | 'in-store';
  readonly postalCode: string | null;
  readonly slotFromMs?: number;
}

/** A cart as it was decided: its shop, and the zone of its delivery. */
interface DecidedPlace {
  readonly organization: SlottedShop;
  readonly zone: { readonly id: number | null } | null;
}

/**
 * The time slot that a cart chooses, with a place left; null: it chooses none. Fails with TIME_SLOT_NOT_AVAILABLE. Staff can leave it out
 * (`isOfStaff`) where customers must choose one.
 */
export function slotOfCart(
  { type, postalCode, slotFromMs }: SlottedCart,
  { organization, zone }: DecidedPlace,
  rows: SlotRows,
  law: Law,
  nowMs: number,
  isOfStaff = false,
): SlotTime | null {
  if (type === 'in-store') return null;
  const field = type === 'delivery' ? 'deliverAt' : 'pickupAt';
  if (slotFromMs === undefined) {
    const isNeeded =
      type === 'delivery' ? organization.delivery_needs_time_slot : organization.pickup_needs_time_slot;
    if (isNeeded && !isOfStaff) throw refused(field, 'missing');
    return null;
  }
  const isZoneUnknown = type === 'delivery' && postalCode === null;
  const zoneId = isZoneUnknown ? undefined : (zone?.id ?? null);
  return chosenSlot(
    { ...rows, organization, law, nowMs },
    { orderType: type, zoneId, fromMs: slotFromMs },
    field,
  );
}

/** What a preview says of a slot for which an order of this cart would be refused now. */
export function slotWarnings(...cart: Parameters<typeof slotOfCart>) {
  try {
    slotOfCart(...cart);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ code: 'TIME_SLOT_NOT_AVAILABLE' as const, message: error.message }];
  }
}

/** The slot that an order is moved to by the field `from`, with a place left. Fails with TIME_SLOT_NOT_AVAILABLE. */
export function slotForOrder(calendar: SlotCalendar, wanted: WantedSlot): SlotTime {
  return chosenSlot(calendar, wanted, 'from');
}

function chosenSlot(calendar: SlotCalendar, wanted: WantedSlot, field: string): SlotTime {
  const day = localDateAt(wanted.fromMs, calendar.organization.tz);
  const lastDay = addDays(localDateAt(calendar.nowMs, calendar.organization.tz), slotDaysAhead - 1);
  const fitting = day > lastDay ? [] : timesOfDay(calendar, day).filter((time) => fits(time, wanted));
  const refusals = fitting.map((time) => refusalOf(calendar, time));
  const free = refusals.indexOf(null);
  if (free >= 0) return fitting[free]!;
  throw refused(field, refusals[0] ?? 'unknown');
}

function refused(field: string, reason: SlotRefusal): Failure {
  return failure(
    'TIME_SLOT_NOT_AVAILABLE',
    `${field} must be the begin of a time slot with a place left: ${refusalWords[reason]}`,
    { field, reason },
  );
}

/** The windows of a local day, those for zones of their own first. */
function timesOfDay({ slots, organization: { tz } }: SlotCalendar, day: string): SlotTime[] {
  // A calendar date has the same weekday everywhere, so that of midnight UTC is used.
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
  const open = slots.filter(({ days }) => days.includes(weekday));
  if (open.length === 0) return [];
  const midnight = localInstantMs(day, 0, tz);
  const isPlain = localInstantMs(addDays(day, 1), 0, tz) - midnight === dayMs;
  const instant = (time: string) => {
    const minute = minuteOf(time);
    return isPlain ? midnight + minute * minuteMs : localInstantMs(day, minute, tz);
  };
  return open
    .map((slot) => ({ slot, fromMs: instant(slot.starts_at), toMs: instant(slot.ends_at) }))
    .sort((a, b) => Number(isForAll(a.slot)) - Number(isForAll(b.slot)));
}

const isForAll = ({ delivery_zone_ids: zones }: TimeSlotRow) => zones.length === 0;

function fits({ slot, fromMs }: SlotTime, wanted: WantedSlot): boolean {
  if (fromMs !== wanted.fromMs || slot.order_type !== wanted.orderType) return false;
  if (isForAll(slot) || wanted.zoneId === undefined) return true;
  return wanted.zoneId !== null && slot.delivery_zone_ids.includes(wanted.zoneId);
}

function refusalOf(calendar: SlotCalendar, time: SlotTime): SlotRefusal | null {
  const { slot, fromMs } = time;
  const day = localDateAt(fromMs, calendar.organization.tz);
  const isClosed = calendar.closedDays.some(
    (closed) => closed.day === day && (closed.order_type ?? slot.order_type) === slot.order_type,
  );
  if (isClosed) return 'closed';
  if (!isWithinHours(calendar, time)) return 'outside-hours';
  if (calendar.nowMs + slot.lead_minutes * minuteMs > fromMs) return 'too-soon';
  return leftOf(calendar, time) > 0 ? null : 'full';
}

function leftOf({ taken }: SlotCalendar, { slot, fromMs }: SlotTime): number {
  const count = taken.find((row) => row.slot_id === slot.id && row.slot_from === fromMs)?.count ?? 0;
  return Math.max(0, slot.capacity - count);
}

/** Goods change hands from the begin of a window to its last minute: all of it lies in the hours of the law and of the shop. */
function isWithinHours({ organization, law }: SlotCalendar, { slot, fromMs }: SlotTime): boolean {
  const { saleHours, overrides = {}, isPractice = false } = organization.duty_settings;
  const holding = {
    ...{ jurisdiction: law.find(organization.state), nowMs: fromMs, tz: organization.tz },
    shop: { saleHours: saleHours ?? null, overrides, isPractice },
  };
  const [first, last] = [minuteOf(slot.starts_at), minuteOf(slot.ends_at) - 1];
  return saleWindows(holding, slot.order_type === 'delivery' ? 'delivery' : 'in-store').every(
    (window) => isWithin(window, first) && isWithin(window, last),
  );
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
