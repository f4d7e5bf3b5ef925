import Type from 'typebox';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyEmpty, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  DecimalText,
  Id,
  List,
  LocalDate,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { OrderId } from '../orders/order-schemas.ts';
import { closeTrip } from './close-trip.ts';
import { setDriverLicense } from './license-number.ts';
import { loadTrip, unloadTrip } from './load-trip.ts';
import { changeTrip, createTrip, setStops } from './plan-trip.ts';
import { restockTrip } from './restock-trip.ts';
import { manifestExample, TripManifest, tripManifest } from './trip-manifest.ts';
import { boardExample, DispatchBoard, stopsPerTripMax, Trip, tripExample } from './trip-schemas.ts';
import { dispatchBoard, shownTrip, suggestedOrder } from './trip-view.ts';
import { settleUnsentAct } from './unsent-acts.ts';

export const tag = 'Deliveries';
export const path = '/staff/v1/trips';
export const ofTrip = {
  params: Type.Object({ tripId: Id() }),
  resourceParams: { tripId: 'TRIP_NOT_FOUND' },
} as const;
export const success = { status: 200, data: Trip, description: 'The trip', example: tripExample } as const;
export const lawFailures = ['OUTSIDE_SALE_HOURS', 'DELIVERY_NOT_ALLOWED', 'VEHICLE_VALUE_EXCEEDED'] as const;

const planned = {
  plannedDepartureAt: Type.Optional(
    Nullable(
      Timestamp({ description: 'The law judges the loading by this hour; null: by that of the loading' }),
    ),
  ),
  note: Type.Optional(Nullable(Text({ max: 1000 }))),
};

/** Operations of who dispatches: planning, loading and closing trips (D111). */
export function tripStaffRoutes(context: Context): StaffEndpoint[] {
  return [...planRoutes(context), ...loadRoutes(context), closeRoute(context), ...besideRoutes(context)];
}

function planRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getDispatchBoard',
      method: 'GET',
      path: '/staff/v1/dispatch-board',
      roles: orderRoles,
      kind: 'read',
      readsFrom: { primary: 'who dispatches reads what has just changed' },
      exported: { not: 'trips are of a day; their orders are exported' },
      summary: 'Read the dispatch board',
      description:
        'The trips of a business day, with those of other days that are not closed, and the open deliveries that are on no trip.',
      tag,
      query: Type.Object({ day: Type.Optional(LocalDate({ description: 'Default: today' })) }),
      success: { status: 200, data: DispatchBoard, description: 'The board', example: boardExample },
      failures: [],
      handle: async ({ staff, query }) =>
        reply(await dispatchBoard(context, staff.organizationId, query.day)),
    }),

    staffEndpoint({
      id: 'createTrip',
      method: 'POST',
      path,
      roles: orderRoles,
      kind: 'write',
      summary: 'Plan a trip',
      description: 'A trip of a driver with a vehicle, as a draft. Its stops are set by `PUT …/stops`.',
      tag,
      body: Type.Object({
        ...{ driverId: Id(), vehicleId: Id() },
        day: Type.Optional(LocalDate({ description: 'The business day; default: today' })),
        ...planned,
      }),
      requestExample: { driverId: 6801, vehicleId: 6701 },
      success: { ...success, status: 201 },
      failures: ['DRIVER_NOT_FOUND', 'VEHICLE_NOT_FOUND'],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId } = staff;
        const id = await createTrip(context, staffOrigin(staff, requestId), organizationId, body);
        return reply(await shownTrip(context, organizationId, id));
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'getTrip',
      method: 'GET',
      path: `${path}/{tripId}`,
      roles: orderRoles,
      kind: 'read',
      emptyInDemo: 'a shop plans its trips',
      summary: 'Read a trip',
      description: 'With its stops in their order, the goods that came back, and what is left to do.',
      tag,
      success,
      failures: ['TRIP_NOT_FOUND'],
      handle: async ({ staff, params }) =>
        reply(await shownTrip(context, staff.organizationId, params.tripId)),
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'updateTrip',
      method: 'PATCH',
      path: `${path}/{tripId}`,
      roles: orderRoles,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change the plan of a trip',
      description: 'Changes the given fields only, of a draft.',
      tag,
      body: Type.Object({
        ...{ driverId: Type.Optional(Id()), vehicleId: Type.Optional(Id()), day: Type.Optional(LocalDate()) },
        ...planned,
      }),
      requestExample: { plannedDepartureAt: '2026-03-10T18:05:00.000Z' },
      success,
      failures: ['TRIP_NOT_FOUND', 'DRIVER_NOT_FOUND', 'VEHICLE_NOT_FOUND', 'INVALID_TRIP_TRANSITION'],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await changeTrip(context, origin, organizationId, params.tripId, body);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'setTripStops',
      method: 'PUT',
      path: `${path}/{tripId}/stops`,
      roles: orderRoles,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set the stops of a trip',
      description:
        'The orders of a draft in the order of its stops: adds, takes off and reorders. An order of another draft leaves that one.',
      tag,
      body: Type.Object({ orderIds: List(OrderId(), { max: stopsPerTripMax, description: 'Each once' }) }),
      requestExample: { orderIds: ['0197f3a2-6b1c-7d3e-9a4f-5b6c7d8e9f01'] },
      success,
      failures: [
        'TRIP_NOT_FOUND',
        'ORDER_NOT_FOUND',
        'INVALID_ORDER',
        'ORDER_ON_TRIP',
        'INVALID_TRIP_TRANSITION',
      ],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await setStops(context, origin, organizationId, params.tripId, body.orderIds);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'suggestTripStops',
      method: 'GET',
      path: `${path}/{tripId}/suggested-stops`,
      roles: orderRoles,
      kind: 'read',
      readsFrom: { primary: 'who dispatches reads what has just changed' },
      emptyInDemo: 'a shop plans its trips',
      exported: { not: 'derived from the stops' },
      summary: 'Suggest an order of stops',
      description:
        'The orders of the trip by time slot, and within one by a short way, as the crow flies, over the middles of their ZIP codes from the ' +
        "shop's on; in one ZIP code by street. No other service is asked. `PUT …/stops` takes it.",
      tag,
      success: {
        ...{
          status: 200,
          description: 'The order',
          data: Type.Object({ orderIds: List(OrderId(), { max: stopsPerTripMax }) }),
        },
        example: { orderIds: ['0197f3a2-6b1c-7d3e-9a4f-5b6c7d8e9f01'] },
      },
      failures: ['TRIP_NOT_FOUND'],
      handle: async ({ staff, params }) => {
        return reply({ orderIds: await suggestedOrder(context, staff.organizationId, params.tripId) });
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'getTripManifest',
      method: 'GET',
      path: `${path}/{tripId}/manifest`,
      roles: orderRoles,
      kind: 'read',
      emptyInDemo: 'a shop plans its trips',
      summary: 'Read the manifest of a trip',
      description:
        'What the driver carries as paper: driver with license, vehicle, departure, and at each stop the goods with package, amount and value. ' +
        'The console prints it.',
      tag,
      success: { status: 200, data: TripManifest, description: 'The manifest', example: manifestExample },
      failures: ['TRIP_NOT_FOUND'],
      handle: async ({ staff, params }) =>
        reply(await tripManifest(context, staff.organizationId, params.tripId)),
    }),
  ];
}

function loadRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...ofTrip,
      id: 'loadTrip',
      method: 'POST',
      path: `${path}/{tripId}/load`,
      roles: orderRoles,
      kind: 'write',
      summary: 'Load a trip',
      description:
        "draft → loaded. The stock that its orders hold moves to the vehicle's location. What the vehicle may carry and the hour of the planned " +
        "departure are judged by the law. The driver's drawer opens with `float`, or goes along as it is open already.",
      tag,
      body: Type.Object({
        float: Type.Optional(Cents({ description: 'Cash in the drawer; for drivers with one' })),
      }),
      requestExample: {},
      success,
      failures: [
        'TRIP_NOT_FOUND',
        'INVALID_TRIP_TRANSITION',
        'INVALID_ORDER_TRANSITION',
        'ORDER_ON_TRIP',
        'VEHICLE_IN_USE',
        'DRAWER_IS_OPEN',
        'REGISTER_NOT_FOUND',
        ...lawFailures,
      ],
      handle: async ({ staff, requestId, params, body }) => {
        const { organizationId, staffId } = staff;
        const drawer = { floatCents: body.float ?? null, staffId };
        await loadTrip(context, staffOrigin(staff, requestId), organizationId, params.tripId, drawer);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'restockTrip',
      method: 'POST',
      path: `${path}/{tripId}/restock`,
      roles: orderRoles,
      kind: 'write',
      summary: 'Load more orders into a trip that came by the shop',
      description:
        'out → loaded. The orders become the last stops of the trip, and their stock moves to the vehicle. All that it then carries is judged by the law ' +
        'at this hour, and the state is told as its system wants it: as a restock of the ledger, or delivery by delivery. The trip leaves again ' +
        'by `depart`, once the state knows. An order of a draft leaves that one.',
      tag,
      body: Type.Object({
        orderIds: List(OrderId(), { min: 1, max: stopsPerTripMax, description: 'Each once' }),
      }),
      requestExample: { orderIds: ['0197f3a2-6b1c-7d3e-9a4f-5b6c7d8e9f01'] },
      success,
      failures: [
        'TRIP_NOT_FOUND',
        'ORDER_NOT_FOUND',
        'INVALID_ORDER',
        'ORDER_ON_TRIP',
        'INVALID_TRIP_TRANSITION',
        'INVALID_ORDER_TRANSITION',
        ...lawFailures,
      ],
      handle: async ({ staff, requestId, params, body }) => {
        const { organizationId } = staff;
        const origin = staffOrigin(staff, requestId);
        await restockTrip(context, origin, organizationId, params.tripId, body.orderIds);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),

    staffEndpoint({
      ...ofTrip,
      id: 'unloadTrip',
      method: 'POST',
      path: `${path}/{tripId}/unload`,
      roles: orderRoles,
      kind: 'write',
      summary: 'Unload a trip that has not left',
      description:
        'loaded → draft. The stock that its orders hold moves to a location of the shop. A trip that was out is sent out again and comes back.',
      tag,
      body: Type.Object({ toInventoryLocationId: Id() }),
      requestExample: { toInventoryLocationId: 2401 },
      success,
      failures: [
        ...(['TRIP_NOT_FOUND', 'INVALID_TRIP_TRANSITION', 'INVENTORY_LOCATION_NOT_FOUND'] as const),
        'INVALID_PACKAGE_TRANSITION',
      ],
      handle: async ({ staff, requestId, params, body }) => {
        const { organizationId } = staff;
        const [origin, toLocationId] = [staffOrigin(staff, requestId), body.toInventoryLocationId];
        await unloadTrip(context, origin, organizationId, params.tripId, toLocationId);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),
  ];
}

function closeRoute(context: Context): StaffEndpoint {
  return staffEndpoint({
    ...ofTrip,
    id: 'closeTrip',
    method: 'POST',
    path: `${path}/{tripId}/close`,
    roles: orderRoles,
    kind: 'write',
    summary: 'Close a trip',
    description:
      'back → closed. `goods` says of all stock in the vehicle where it goes after a member of staff looked at it. Orders whose customer was not at home stay ' +
      'open, with their goods at `toInventoryLocationId`; cancel one before if its goods are not good. The drawer of the driver is counted. ' +
      'A draft without stops is closed, too.',
    tag,
    body: Type.Object({
      toInventoryLocationId: Id({ description: 'Where good ones go' }),
      goods: List(
        Type.Object({
          productId: Id(),
          productOptionId: Type.Optional(Nullable(Id())),
          packageId: Type.Optional(Nullable(Id())),
          amount: DecimalText({ sign: 'positive' }),
          to: OneOf(['stock', 'quarantine', 'waste']),
        }),
        { max: 1000, description: 'As `goods` of the trip; one of them can be split' },
      ),
      counts: Type.Optional(
        List(
          Type.Object({
            paymentTypeId: Nullable(Id({ description: 'null: the cash' })),
            counted: Cents({ max: 100_000_000_000 }),
          }),
          { max: 200, description: 'What is in the drawer, as when a drawer is closed' },
        ),
      ),
      note: Type.Optional(Nullable(Text({ max: 1000 }))),
    }),
    requestExample: { toInventoryLocationId: 2401, goods: [] },
    success,
    failures: [
      ...(['TRIP_NOT_FOUND', 'INVALID_TRIP_TRANSITION', 'INVENTORY_LOCATION_NOT_FOUND'] as const),
      ...(['PRODUCT_NOT_FOUND', 'PRODUCT_OPTION_NOT_FOUND', 'PACKAGE_NOT_FOUND'] as const),
      ...(['INVALID_PACKAGE_TRANSITION', 'PAYMENT_TYPE_NOT_FOUND'] as const),
    ],
    handle: async ({ staff, requestId, params, body }) => {
      const { organizationId } = staff;
      const count = {
        toLocationId: body.toInventoryLocationId,
        goods: body.goods.map(({ productOptionId = null, packageId = null, ...it }) => ({
          ...{ ...it, productOptionId, packageId },
        })),
        counts:
          body.counts?.map(({ paymentTypeId, counted }) => ({ paymentTypeId, countedCents: counted })) ??
          null,
        note: body.note?.trim() || null,
      };
      await closeTrip(context, staffOrigin(staff, requestId), organizationId, params.tripId, count, staff);
      return reply(await shownTrip(context, organizationId, params.tripId));
    },
  });
}

function besideRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'settleUnsentAct',
      method: 'POST',
      path: `${path}/{tripId}/unsent-acts/{unsentActId}/settle`,
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: 'Settle an act that was not taken',
      description: 'Says what became of it. What was sent is deleted, because it can name people.',
      tag,
      params: Type.Object({ tripId: Id(), unsentActId: Id() }),
      resourceParams: { tripId: 'TRIP_NOT_FOUND', unsentActId: 'UNSENT_ACT_NOT_FOUND' },
      body: Type.Object({ note: NonBlankText({ max: 1000 }) }),
      requestExample: { note: 'Delivered by hand at the counter' },
      success,
      failures: ['TRIP_NOT_FOUND', 'UNSENT_ACT_NOT_FOUND'],
      handle: async ({ staff, requestId, params, body }) => {
        const { organizationId } = staff;
        const act = { id: params.unsentActId, note: body.note.trim() };
        await settleUnsentAct(context, staffOrigin(staff, requestId), organizationId, params.tripId, act);
        return reply(await shownTrip(context, organizationId, params.tripId));
      },
    }),

    staffEndpoint({
      id: 'setDriverLicense',
      method: 'PUT',
      path: '/staff/v1/drivers/{driverId}/license-number',
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: "Set the number of a driver's license",
      description: 'It is kept sealed; lists show its end, and only manifests and the state get it whole.',
      tag,
      params: Type.Object({ driverId: Id() }),
      resourceParams: { driverId: 'DRIVER_NOT_FOUND' },
      body: Type.Object({
        licenseNumber: Nullable(NonBlankText({ max: 40, description: 'null removes it' })),
      }),
      requestExample: { licenseNumber: 'D1234417' },
      success: { status: 204, description: 'It is kept' },
      failures: ['DRIVER_NOT_FOUND'],
      handle: async ({ staff, requestId, params, body }) => {
        const origin = staffOrigin(staff, requestId);
        await setDriverLicense(context, origin, staff.organizationId, params.driverId, body.licenseNumber);
        return replyEmpty();
      },
    }),
  ];
}
