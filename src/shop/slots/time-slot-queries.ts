import { isoTimestamp } from '../../kernel/local-time.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/** All SQL on time slots and the places that orders take of them. */

export interface TimeSlotRow {
  id: number;
  order_type: 'delivery' | 'pickup';
  /** Empty: all zones. */
  delivery_zone_ids: number[];
  /** 1 (Monday) to 7 (Sunday). */
  days: number[];
  /** `HH:MM`, local. */
  starts_at: string;
  ends_at: string;
  capacity: number;
  lead_minutes: number;
}

export interface ClosedDayRow {
  day: string;
  order_type: 'delivery' | 'pickup' | null;
}

/** The places that orders hold of a slot on a day. */
export interface PlacesTakenRow {
  slot_id: number;
  slot_from: number;
  count: number;
}

const timeSlotsOf = `select id, order_type, delivery_zone_ids, days, starts_at, ends_at, capacity, lead_minutes
     from time_slots where organization_id = :organizationId and archived_at is null`;

const selectTimeSlots = statement<Record<never, never>, TimeSlotRow>(
  'select_time_slots',
  `${timeSlotsOf} order by id`,
);

/**
 * The slots, locked until the commit: of two orders for the last place, the second one counts the first. Always before the places
 * are counted, in a statement of its own, so that the count sees what was committed during the wait.
 */
const lockTimeSlots = statement<Record<never, never>, TimeSlotRow>(
  'lock_time_slots',
  `${timeSlotsOf} order by id for update`,
);

const selectClosedDays = statement<{ from: string; to: string }, ClosedDayRow>(
  'select_closed_days',
  `select day::text as day, order_type from closed_days
    where organization_id = :organizationId and day between :from::date and :to::date`,
);

/** A canceled order gives its place back. An order that is moved does not count itself. */
const selectPlacesTaken = statement<
  { from: string; to: string; exceptOrderId: string | null },
  PlacesTakenRow
>(
  'select_places_taken',
  `select slot_id, slot_from, count(*)::integer as count from orders
    where organization_id = :organizationId and slot_from between :from and :to and status <> 'canceled'
      and id is distinct from :exceptOrderId::uuid
    group by slot_id, slot_from`,
);

/** Which of some delivery zones exist. */
export const selectKnownZones = statement<{ ids: readonly number[] }, { id: number }>(
  'select_known_zones_of_slots',
  'select id from delivery_zones where organization_id = :organizationId and id = any(:ids)',
);

/** How many days ahead slots are offered, today included. */
export const slotDaysAhead = 14;

/** Reads the rows of a calendar; null: no slot was chosen. */
type SlotReads = readonly [
  BoundStatement<TimeSlotRow> | null,
  BoundStatement<ClosedDayRow> | null,
  BoundStatement<PlacesTakenRow> | null,
];

const dayMs = 86_400_000;

/**
 * The statements whose rows make a calendar of slots that begin at an instant, null where none was chosen. With `lock`, the places that
 * are left stay so until the commit.
 */
export function slotReads(
  fromMs: number | undefined,
  {
    lock = false,
    exceptOrderId = null,
  }: { readonly lock?: boolean; readonly exceptOrderId?: string | null } = {},
): SlotReads {
  if (fromMs === undefined) return [null, null, null];
  return calendarReads(lock ? lockTimeSlots({}) : selectTimeSlots({}), fromMs, fromMs, exceptOrderId);
}

/** The statements whose rows make the calendar of the days that are offered. */
export function upcomingSlotReads(nowMs: number, exceptOrderId: string | null = null): SlotReads {
  return calendarReads(selectTimeSlots({}), nowMs, nowMs + slotDaysAhead * dayMs, exceptOrderId);
}

function calendarReads(
  slots: ReturnType<typeof selectTimeSlots>,
  fromMs: number,
  toMs: number,
  exceptOrderId: string | null,
): SlotReads {
  // A local date is within a day of that of UTC.
  const [firstDay, lastDay] = [isoTimestamp(fromMs - dayMs), isoTimestamp(toMs + dayMs)];
  return [
    slots,
    selectClosedDays({ from: firstDay.slice(0, 10), to: lastDay.slice(0, 10) }),
    selectPlacesTaken({ from: isoTimestamp(fromMs), to: isoTimestamp(toMs), exceptOrderId }),
  ];
}
