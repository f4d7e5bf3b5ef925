import type { Static } from 'typebox';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { asksForId, vehicleValueMax } from '../../engines/duties/judge-duties.ts';
import { minimumAgeOf } from '../../engines/jurisdictions/minimum-age.ts';
import { cashRoundingOf } from '../../engines/offline-pricing/cash-rounding-rules.ts';
import { orderOfStops } from '../../engines/places/order-of-stops.ts';
import { zipCenter } from '../../engines/places/places.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { businessDayAt, isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { shopDutiesOf } from '../carts/carts.ts';
import { type StockAtLocationRow, selectStockAtLocations } from '../inventory/stock.ts';
import type { ZoneRow } from '../settings/delivery-zone-queries.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import { postalCodePatterns, selectPaymentTypes, selectZones } from '../settings/terms-of-sale.ts';
import { knownTrips } from '../traceability/traceability.ts';
import {
  type DeliveryRow,
  type ShownStopRow,
  selectShopPostalCode,
  selectShownStops,
  selectWaitingDeliveries,
} from './stop-queries.ts';
import { isOpenStop } from './trip-lifecycle.ts';
import {
  type ShownTripRow,
  selectTrip,
  selectTripOfStaff,
  selectTripsOfDay,
  selectUnsentActs,
  type UnsentActRow,
} from './trip-queries.ts';
import type { DispatchBoard, Trip } from './trip-schemas.ts';

type ShownTrip = Static<typeof Trip>;
type ShownStop = ShownTrip['stops'][number];
type ShownDelivery = Static<typeof DispatchBoard>['waiting'][number];

/** The trip as replies show it. Fails with TRIP_NOT_FOUND. */
export async function shownTrip(
  context: Context,
  organization: OrganizationId,
  id: number,
): Promise<ShownTrip> {
  const [[row]] = await context.database.read(organization, selectTrip({ id }));
  if (row === undefined) throw tripNotFound();
  const [trip] = (await shownTrips(context, organization, [row])).trips;
  return trip!;
}

/** The error for a trip that does not exist or belongs to another organization. */
export function tripNotFound() {
  return failure('TRIP_NOT_FOUND', 'There is no such trip.');
}

/** The trip that a member of staff drives now, or next on this day; null: none. */
export async function tripOfStaff(
  context: Context,
  organization: OrganizationId,
  staffId: number,
): Promise<ShownTrip | null> {
  const day = await businessDay(context, organization);
  const [[found]] = await context.database.read(organization, selectTripOfStaff({ staffId, day }));
  return found === undefined ? null : shownTrip(context, organization, found.id);
}

/** The business day that it is now. */
export async function businessDay(context: Context, organization: OrganizationId): Promise<string> {
  const [[shop]] = await context.database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'an organization with staff exists');
  return businessDayAt(context.clock.now(), { tz: shop.tz, dayStartsAt: shop.business_day_starts_at });
}

/** The trips of a day with what else is out, and the deliveries that wait to be planned. */
export async function dispatchBoard(
  context: Context,
  organization: OrganizationId,
  asked: string | undefined,
): Promise<Static<typeof DispatchBoard>> {
  const day = asked ?? (await businessDay(context, organization));
  const [rows, waiting, [shop]] = await context.database.read(
    organization,
    selectTripsOfDay({ day }),
    selectWaitingDeliveries({}),
    selectShopPostalCode({}),
  );
  const { trips, delivery } = await shownTrips(context, organization, rows);
  const byZone = waiting
    .map((row) => delivery(row))
    .sort((a, b) => sortedBy(a).localeCompare(sortedBy(b), 'en'));
  const positions = rows.flatMap((row) => positionOf(row) ?? []);
  return { day, trips, positions, shop: zipCenter(shop?.postal_code ?? null), waiting: byZone };
}

/** Null: the driver does not share it (any more), or none is known. */
function positionOf(row: ShownTripRow): Static<typeof DispatchBoard>['positions'][number] | null {
  const { id: tripId, shares_position: isShared, latitude, longitude, position_at: at } = row;
  if (!isShared || at === null || latitude === null || longitude === null) return null;
  return { tripId, latitude: Number(latitude), longitude: Number(longitude), at: isoTimestamp(at) };
}

/** A zone, and in it the windows as they begin; a delivery without a window comes last. */
const sortedBy = ({ zoneName, window }: ShownDelivery) => `${zoneName ?? ''}\n${window?.from ?? noWindow}`;
const noWindow = '9999';

async function shownTrips(context: Context, organization: OrganizationId, rows: readonly ShownTripRow[]) {
  const tripIds = rows.map(({ id }) => id);
  const locationIds = rows
    .filter(({ status }) => status !== 'draft' && status !== 'closed')
    .map((row) => row.inventory_location_id);
  const [[shop], stops, acts, paymentTypes, zones, goods] = await context.database.read(
    organization,
    selectOrganization({}),
    selectShownStops({ tripIds }),
    selectUnsentActs({ tripIds }),
    selectPaymentTypes({}),
    selectZones({}),
    selectStockAtLocations({ locationIds }),
  );
  assert(shop !== undefined, 'an organization with staff exists');
  const known = await knownTrips((it) => context.database.read(organization, it), tripIds);
  const facts = shopFacts(context, shop, paymentTypes);
  const delivery = (row: DeliveryRow) => shownDelivery(row, zones, facts.minimumAge);
  const carriedValue = (ofTrip: readonly ShownStopRow[]) =>
    ofTrip
      .filter(({ status }) => isOpenStop(status))
      .flatMap(({ lines }) => lines.filter(({ isCannabis }) => isCannabis))
      .reduce((sum, { value }) => sum + value, 0);
  const trips = rows.map((row) =>
    tripOf(row, facts, {
      stops: stops.filter((stop) => stop.trip_id === row.id).map((stop) => shownStop(stop, delivery(stop))),
      carriedCents: carriedValue(stops.filter((stop) => stop.trip_id === row.id)),
      acts: acts.filter((act) => act.trip_id === row.id),
      stateReport: known.get(row.id) ?? null,
      goods: locationIds.includes(row.inventory_location_id)
        ? goods.filter((it) => it.location_id === row.inventory_location_id)
        : [],
    }),
  );
  return { trips, delivery };
}

/** What the shop and the law say of every delivery. */
function shopFacts({ law, clock }: Context, shop: OrganizationRow, paymentTypes: readonly PaymentTypeRow[]) {
  const nowMs = clock.now();
  const jurisdiction = law.find(shop.state);
  const today = localDateAt(nowMs, shop.tz);
  const holding = { jurisdiction, nowMs, tz: shop.tz, shop: shopDutiesOf(shop) };
  const cash = paymentTypes.find(({ method, available_delivery }) => method === 'cash' && available_delivery);
  return {
    cashPaymentTypeId: cash?.id ?? null,
    cashRounding: cash === undefined ? ('off' as const) : cashRoundingOf(cash),
    asksForId: asksForId(holding),
    customersSeePosition: shop.shows_driver_position,
    vehicleValueMax: vehicleValueMax(holding),
    minimumAge: ({ medical_expiration: ends }: DeliveryRow) =>
      minimumAgeOf({ jurisdiction, today, isMedical: ends !== null && ends >= today }),
  };
}

type ShopFacts = ReturnType<typeof shopFacts>;

interface TripParts {
  readonly stops: readonly ShownStop[];
  readonly carriedCents: number;
  readonly acts: readonly UnsentActRow[];
  readonly goods: readonly StockAtLocationRow[];
  readonly stateReport: ShownTrip['stateReport'];
}

function tripOf(
  row: ShownTripRow,
  { minimumAge: _, vehicleValueMax: limit, ...facts }: ShopFacts,
  { stops, carriedCents, acts, goods, stateReport }: TripParts,
): ShownTrip {
  const delivered = stops.filter(({ status }) => status === 'delivered' || status === 'partly');
  const sum = (list: readonly number[]) => list.reduce((total, cents) => total + cents, 0);
  return {
    ...{ id: row.id, status: row.status, day: row.day, note: row.note },
    driver: {
      ...{ id: row.driver_id, staffId: row.staff_id, firstName: row.first_name, lastName: row.last_name },
      sharesPosition: row.shares_position,
    },
    vehicle: {
      ...{ id: row.vehicle_id, name: row.vehicle_name, licensePlate: row.license_plate },
      ...{ make: row.make, model: row.model, inventoryLocationId: row.inventory_location_id },
    },
    plannedDepartureAt: moment(row.planned_departure_at),
    ...{ loadedAt: moment(row.loaded_at), departedAt: moment(row.departed_at) },
    ...{ returnedAt: moment(row.returned_at), closedAt: moment(row.closed_at) },
    drawer:
      row.drawer_session_id === null || row.register_id === null
        ? null
        : { drawerSessionId: row.drawer_session_id, registerId: row.register_id },
    ...facts,
    carried: { value: carriedCents, limit },
    stops: [...stops],
    totals: {
      delivered: delivered.length,
      notDelivered: stops.filter(({ status }) => status === 'refused' || status === 'notHome').length,
      sales: sum(delivered.map(({ total }) => total)),
      tips: sum(stops.map(({ tip }) => tip)),
    },
    goods: goods.map((it) => ({
      ...{ productId: it.product_id, productOptionId: it.product_option_id || null },
      ...{ packageId: it.package_id || null, productName: it.product_name, optionName: it.option_name },
      ...{ packageLabel: it.package_label, amount: it.on_hand },
    })),
    stateReport,
    unsentActs: acts.map((act) => ({
      ...{ id: act.id, kind: act.kind, stopId: act.stop_id, occurredAt: isoTimestamp(act.occurred_at) },
      ...{ refusal: act.refusal, act: act.act, createdAt: isoTimestamp(act.created_at) },
      ...{ settledAt: moment(act.settled_at), note: act.note },
    })),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

const moment = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));

function shownStop(row: ShownStopRow, delivery: ShownDelivery): ShownStop {
  return {
    ...{ id: row.id, position: row.position, status: row.status },
    ...delivery,
    ...{ arrivedAt: moment(row.arrived_at), completedAt: moment(row.completed_at), reason: row.reason },
    ...{ idCheckHow: row.id_check_how, hasSignature: row.has_signature, tip: row.tip_cents },
  };
}

function shownDelivery(
  row: DeliveryRow,
  zones: readonly ZoneRow[],
  minimumAge: ShopFacts['minimumAge'],
): ShownDelivery {
  return {
    ...{ orderId: row.order_id, orderNumber: row.order_number, orderStatus: row.order_status },
    zoneName: zoneNameOf(row.postal_code, zones),
    window:
      row.slot_from === null || row.slot_to === null
        ? null
        : { from: isoTimestamp(row.slot_from), to: isoTimestamp(row.slot_to) },
    address: {
      ...{ street1: row.street1, street2: row.street2, city: row.city },
      ...{ state: row.address_state, postalCode: row.postal_code },
    },
    area: zipCenter(row.postal_code),
    deliveryNotes: row.delivery_notes,
    buyer: buyerOf(row, minimumAge),
    hasCannabis: row.lines.some(({ isCannabis }) => isCannabis),
    lines: row.lines.map(({ isCannabis: _, value: __, ...line }) => line),
    total: row.total_cents,
    fees: row.fees_cents,
    amountDue: row.order_status === 'fulfilled' ? 0 : Math.max(0, row.total_cents - row.captured_cents),
  };
}

function buyerOf(row: DeliveryRow, minimumAge: ShopFacts['minimumAge']): ShownDelivery['buyer'] {
  const { first_name: firstName, last_name: lastName, birthday, phone } = row;
  if (firstName === null || lastName === null) return null;
  return { firstName, lastName, birthday, phone, minimumAge: minimumAge(row) };
}

/** The orders of a trip in a suggested order of its stops, from the shop on. Fails with TRIP_NOT_FOUND. */
export async function suggestedOrder(
  context: Context,
  organization: OrganizationId,
  tripId: number,
): Promise<string[]> {
  const { stops } = await shownTrip(context, organization, tripId);
  const [[shop]] = await context.database.read(organization, selectShopPostalCode({}));
  const routed = stops.map(({ orderId, window, area, address: { postalCode, street1 } }) => {
    const line = (street1 ?? '').trim();
    const number = /^\d*/.exec(line)![0];
    return {
      ...{ id: orderId, from: window?.from ?? null, place: area },
      street: [postalCode ?? '', line.slice(number.length).trim(), number, orderId].join('\n'),
    };
  });
  return orderOfStops(routed, zipCenter(shop?.postal_code ?? null));
}

/** The zone whose pattern fits best: the longest one. */
function zoneNameOf(postalCode: string | null, zones: readonly ZoneRow[]): string | null {
  if (postalCode === null) return null;
  const [whole, ...prefixes] = postalCodePatterns(postalCode);
  for (const pattern of [whole, ...prefixes.toReversed()]) {
    const zone = zones.find(({ postalCodes }) => pattern !== undefined && postalCodes.includes(pattern));
    if (zone !== undefined) return zone.name;
  }
  return null;
}
