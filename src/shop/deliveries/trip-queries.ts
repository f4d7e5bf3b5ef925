import type { StopStatus } from '../../kernel/stop-statuses.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { TripStatus } from './trip-lifecycle.ts';

/** All SQL on trips, their stops, and acts that were not taken. */

export interface TripRow {
  id: number;
  day: string;
  status: TripStatus;
  driver_id: number;
  vehicle_id: number;
  planned_departure_at: number | null;
  note: string | null;
  drawer_session_id: number | null;
  loaded_at: number | null;
  departed_at: number | null;
  returned_at: number | null;
  closed_at: number | null;
  /** Decimal text. */
  latitude: string | null;
  longitude: string | null;
  position_at: number | null;
  updated_at: number;
}

export interface ShownTripRow extends TripRow {
  staff_id: number;
  first_name: string;
  last_name: string;
  phone: string | null;
  employee_number: string | null;
  register_id: number | null;
  shares_position: boolean;
  vehicle_name: string;
  license_plate: string;
  make: string;
  model: string;
  inventory_location_id: number;
}

const tripColumns = `t.id, t.day::text as day, t.status, t.driver_id, t.vehicle_id, t.planned_departure_at, t.note,
          t.drawer_session_id, t.loaded_at, t.departed_at, t.returned_at, t.closed_at, t.latitude, t.longitude, t.position_at,
          t.updated_at`;
const shown = `select ${tripColumns}, d.staff_id, m.first_name, m.last_name, d.phone, d.employee_number, d.register_id,
          d.shares_position, v.name as vehicle_name, v.license_plate, v.make, v.model, v.inventory_location_id`;
const beside = `join drivers d on d.organization_id = :organizationId and d.id = t.driver_id
     join staff_members m on m.organization_id = :organizationId and m.id = d.staff_id
     join vehicles v on v.organization_id = :organizationId and v.id = t.vehicle_id`;

export const selectTrip = statement<{ id: number }, ShownTripRow>(
  'select_trip',
  `${shown} from trips t ${beside} where t.organization_id = :organizationId and t.id = :id`,
);

/** A trip for a write: a second act waits, and then sees what the first one made of it. */
export const lockTrip = statement<{ id: number }, TripRow>(
  'lock_trip',
  `select ${tripColumns} from trips t where t.organization_id = :organizationId and t.id = :id for no key update`,
);

/**
 * The trip of a driver: the one that is loaded or out, else the one that is back, else the earliest of those planned for the day. Times
 * break ties.
 */
export const selectTripOfStaff = statement<{ staffId: number; day: string }, { id: number }>(
  'select_trip_of_staff',
  `select t.id from trips t join drivers d on d.organization_id = :organizationId and d.id = t.driver_id
    where t.organization_id = :organizationId and d.staff_id = :staffId
      and (t.status in ('loaded', 'out', 'back') or (t.status = 'draft' and t.day = :day::date))
    order by array_position(array['out', 'loaded', 'back', 'draft'], t.status), t.planned_departure_at, t.id limit 1`,
);

/** More than a shop sends out in a day. */
export const tripsPerDayMax = 200;

/** The trips of a day, and those of other days that are not done with; in the order in which they leave. */
export const selectTripsOfDay = statement<{ day: string }, ShownTripRow>(
  'select_trips_of_day',
  `${shown} from trips t ${beside}
    where t.organization_id = :organizationId and (t.day = :day::date or t.status in ('loaded', 'out', 'back'))
    order by coalesce(t.departed_at, t.planned_departure_at) nulls last, t.id limit ${tripsPerDayMax}`,
);

export const insertTrips = insertMany<{
  id: number;
  day: string;
  status: string;
  driverId: number;
  vehicleId: number;
  plannedDepartureAt: string | null;
  note: string | null;
  createdAt: string;
  updatedAt: string;
}>('trips', {
  id: 'id',
  day: 'day',
  status: 'status',
  driverId: 'driver_id',
  vehicleId: 'vehicle_id',
  plannedDepartureAt: 'planned_departure_at',
  note: 'note',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const changePlan = statement<
  {
    id: number;
    day: string;
    driverId: number;
    vehicleId: number;
    plannedDepartureAt: string | null;
    note: string | null;
    at: string;
  },
  never
>(
  'change_trip_plan',
  `update trips set day = :day::date, driver_id = :driverId, vehicle_id = :vehicleId, planned_departure_at = :plannedDepartureAt,
          note = :note, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** The trip changed in what stands beside its row. */
export const touchTrip = statement<{ id: number; at: string }, never>(
  'touch_trip',
  `update trips set updated_at = :at where organization_id = :organizationId and id = :id`,
);

/** A step of a trip's life. A time that is null stays; a trip that is not out has no position. */
export const stepTrip = statement<
  {
    id: number;
    status: TripStatus;
    drawerSessionId: number | null;
    loadedAt: string | null;
    departedAt: string | null;
    returnedAt: string | null;
    closedAt: string | null;
    at: string;
  },
  never
>(
  'step_trip',
  `update trips set status = :status, drawer_session_id = coalesce(:drawerSessionId, drawer_session_id),
          loaded_at = case when :status = 'draft' then null else coalesce(:loadedAt, loaded_at) end,
          departed_at = coalesce(:departedAt, departed_at), returned_at = coalesce(:returnedAt, returned_at),
          closed_at = coalesce(:closedAt, closed_at), latitude = null, longitude = null, position_at = null, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** The index that refuses a second loaded trip of a vehicle. */
export const oneTripOfVehicle = 'trips_one_of_vehicle';

export const selectOtherTripOfVehicle = statement<{ vehicleId: number; exceptId: number }, { id: number }>(
  'select_other_trip_of_vehicle',
  `select id from trips
    where organization_id = :organizationId and vehicle_id = :vehicleId and id <> :exceptId
      and status in ('loaded', 'out', 'back')`,
);

/** Where the goods of other trips are that are loaded or out. */
export const selectVehiclesUnderWay = statement<
  { exceptTripId: number },
  { inventory_location_id: number; name: string; status: TripStatus }
>(
  'select_vehicles_under_way',
  `select v.inventory_location_id, v.name, t.status
     from trips t join vehicles v on v.organization_id = :organizationId and v.id = t.vehicle_id
    where t.organization_id = :organizationId and t.status in ('loaded', 'out') and t.id <> :exceptTripId`,
);

/** A trip of a driver that is loaded and not closed. */
export const selectTripUnderWayOfDriver = statement<{ driverId: number }, { id: number }>(
  'select_trip_under_way_of_driver',
  `select id from trips
    where organization_id = :organizationId and driver_id = :driverId and status in ('loaded', 'out', 'back') limit 1`,
);

/** Kept only while the trip is out, and never older than what is there. */
export const setPosition = statement<{ id: number; latitude: string; longitude: string; at: string }, never>(
  'set_trip_position',
  `update trips set latitude = :latitude::numeric, longitude = :longitude::numeric, position_at = :at
    where organization_id = :organizationId and id = :id and status = 'out'
      and (position_at is null or position_at <= :at::timestamptz)`,
);

/** Forgets where the driver of a trip was. */
export const clearPosition = statement<{ id: number }, never>(
  'clear_trip_position',
  `update trips set latitude = null, longitude = null, position_at = null
    where organization_id = :organizationId and id = :id`,
);

/** Forgets where drivers were before an instant. */
export const clearFormerPositions = statement<{ before: string; limit: number }, { id: number }>(
  'clear_former_trip_positions',
  `update trips set latitude = null, longitude = null, position_at = null
    where organization_id = :organizationId
      and id in (select id from trips where organization_id = :organizationId and position_at < :before
                  order by position_at limit :limit for update skip locked)
    returning id`,
);

export interface StopRow {
  id: number;
  trip_id: number;
  position: number;
  order_id: string;
  status: StopStatus;
  arrived_at: number | null;
}

/** The stops of a trip, in their order. */
export const selectStops = statement<{ tripId: number }, StopRow>(
  'select_trip_stops',
  `select id, trip_id, position, order_id, status, arrived_at from trip_stops
    where organization_id = :organizationId and trip_id = :tripId order by position`,
);

/**
 * Where orders wait to be delivered. Their trips are held: one that is being loaded is waited for, and none is loaded until the commit.
 */
export const selectOpenStopsOfOrders = statement<
  { orderIds: readonly string[] },
  { id: number; trip_id: number; order_id: string; trip_status: TripStatus }
>(
  'select_open_stops_of_orders',
  `select s.id, s.trip_id, s.order_id, t.status as trip_status
     from trip_stops s join trips t on t.organization_id = :organizationId and t.id = s.trip_id
    where s.organization_id = :organizationId and s.order_id = any(:orderIds::uuid[]) and s.status in ('waiting', 'arrived')
    order by t.id for share of t`,
);

/** The index that refuses an order on a second trip. */
export const oneStopOfOrder = 'trip_stops_one_of_order';

/** Deletes stops of a plan: those that are gone, and those that are written anew in another order. */
export const deleteStops = statement<{ ids: readonly number[] }, never>(
  'delete_trip_stops',
  `delete from trip_stops where organization_id = :organizationId and id = any(:ids) and status = 'waiting'`,
);

export const insertStops = insertMany<{
  id: number;
  tripId: number;
  position: number;
  orderId: string;
  status: string;
}>('trip_stops', {
  id: 'id',
  tripId: 'trip_id',
  position: 'position',
  orderId: 'order_id',
  status: 'status',
});

/** What happened at a stop. */
export const setStop = statement<
  {
    id: number;
    status: StopStatus;
    arrivedAt: string | null;
    completedAt: string | null;
    reason: string | null;
    idCheckHow: string | null;
    signature: Uint8Array | null;
    tipCents: number;
  },
  never
>(
  'set_trip_stop',
  `update trip_stops set status = :status, arrived_at = coalesce(arrived_at, :arrivedAt), completed_at = :completedAt,
          reason = :reason, id_check_how = :idCheckHow, signature = :signature::bytea, tip_cents = :tipCents
    where organization_id = :organizationId and id = :id`,
);

export const selectSignature = statement<{ tripId: number; id: number }, { signature: Uint8Array | null }>(
  'select_trip_stop_signature',
  `select signature from trip_stops where organization_id = :organizationId and trip_id = :tripId and id = :id`,
);

/** The other vehicle of a location. */
export const selectVehicleAt = statement<{ locationId: number; exceptId: number }, { name: string }>(
  'select_vehicle_at_location',
  `select name from vehicles
    where organization_id = :organizationId and inventory_location_id = :locationId and id <> :exceptId and archived_at is null`,
);

/** Another driver who is that member of staff. */
export const selectDriverOfStaff = statement<{ staffId: number; exceptId: number }, { id: number }>(
  'select_driver_of_staff',
  `select id from drivers
    where organization_id = :organizationId and staff_id = :staffId and id <> :exceptId and archived_at is null`,
);

export interface UnsentActRow {
  id: number;
  trip_id: number;
  stop_id: number | null;
  kind: string;
  occurred_at: number;
  refusal: string;
  act: string | null;
  note: string | null;
  created_at: number;
  settled_at: number | null;
}

/** How many acts of drivers wait for a dispatcher, and since when. */
export const selectUnsentActsToSettle = statement<
  Record<never, never>,
  { count: number; oldest_at: number | null }
>(
  'select_trip_unsent_acts_to_settle',
  `select count(*)::integer as count, min(created_at) as oldest_at from trip_unsent_acts
    where organization_id = :organizationId and settled_at is null`,
);

export const selectUnsentActs = statement<{ tripIds: readonly number[] }, UnsentActRow>(
  'select_trip_unsent_acts',
  `select id, trip_id, stop_id, kind, occurred_at, refusal, act, note, created_at, settled_at from trip_unsent_acts
    where organization_id = :organizationId and trip_id = any(:tripIds) order by trip_id, id`,
);

export const insertUnsentActs = insertMany<{
  id: number;
  tripId: number;
  stopId: number | null;
  kind: string;
  occurredAt: string;
  refusal: string;
  act: string;
  createdAt: string;
}>('trip_unsent_acts', {
  id: 'id',
  tripId: 'trip_id',
  stopId: 'stop_id',
  kind: 'kind',
  occurredAt: 'occurred_at',
  refusal: 'refusal',
  act: 'act',
  createdAt: 'created_at',
});

/** A settled act loses what was sent: it can name people. */
export const settleUnsentAct = statement<
  { id: number; tripId: number; note: string; at: string },
  { id: number }
>(
  'settle_trip_unsent_act',
  `update trip_unsent_acts set act = null, note = :note, settled_at = :at
    where organization_id = :organizationId and id = :id and trip_id = :tripId and settled_at is null returning id`,
);

/** What trips keep of a customer besides the order: a signature, and words. */
export const eraseCustomerOfTrips = statement<{ orderIds: readonly string[] }, never>(
  'erase_customer_of_trips',
  `with acts as (
     update trip_unsent_acts a set act = null, note = null, refusal = ''
       from trip_stops s
      where a.organization_id = :organizationId and s.organization_id = :organizationId and s.trip_id = a.trip_id
        and s.id = a.stop_id and s.order_id = any(:orderIds::uuid[])
   )
   update trip_stops set signature = null, reason = null
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[])`,
);
