import Type, { type Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { orderRoles } from '../../kernel/staff-roles.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffCaller,
  type StaffEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import {
  Cents,
  DateSince1900,
  DecimalNumber,
  Id,
  List,
  LocalDate,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { FulfillBody } from '../orders/fulfill-schema.ts';
import { orderActions } from '../orders/orders.ts';
import { arriveAtStop, deliverAtStop, leaveStop } from './act-at-stop.ts';
import { departTrip, forgetPosition, keepPosition, returnTrip } from './drive-trip.ts';
import { readSignature } from './signature.ts';
import { Trip, tripExample } from './trip-schemas.ts';
import { lawFailures, ofTrip, path, success, tag } from './trip-staff-routes.ts';
import { shownTrip, tripOfStaff } from './trip-view.ts';
import { keepUnsentAct } from './unsent-acts.ts';

const OccurredAt = Type.Optional(
  Timestamp({ description: 'When it happened, at most a day ago; default: now. The law judges by it' }),
);
const stopPath = `${path}/{tripId}/stops/{stopId}`;
const ofStop = {
  params: Type.Object({ tripId: Id(), stopId: Id() }),
  resourceParams: { tripId: 'TRIP_NOT_FOUND', stopId: 'TRIP_STOP_NOT_FOUND' },
} as const;
const shared = { method: 'POST', roles: orderRoles, kind: 'write', tag, success } as const;
const stopFailures = ['TRIP_NOT_FOUND', 'TRIP_STOP_NOT_FOUND', 'INVALID_TRIP_TRANSITION'] as const;
const later = 'A phone that had no line sends it later, with its own `Idempotency-Key` and `occurredAt`.';

/** Operations of who drives (D111). */
export function driveStaffRoutes(context: Context): StaffEndpoint[] {
  return [...wayRoutes(context), ...stopRoutes(context), deliverRoute(context), ...phoneRoutes(context)];
}

const show = async (context: Context, { organizationId }: StaffCaller, tripId: number) =>
  reply(await shownTrip(context, organizationId, tripId));

function wayRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getMyTrip',
      method: 'GET',
      path: '/staff/v1/my-trip',
      roles: orderRoles,
      kind: 'read',
      emptyInDemo: 'a shop plans its trips',
      readsFrom: { primary: 'a driver reads what has just changed' },
      summary: 'Read the own trip',
      description:
        'The trip of the signed-in driver that is out, loaded or back, or else the next plan of today; null: none.',
      tag,
      success: { ...success, data: Nullable(Trip), example: tripExample },
      failures: [],
      handle: async ({ staff }) => reply(await tripOfStaff(context, staff.organizationId, staff.staffId)),
    }),

    staffEndpoint({
      ...{ ...shared, ...ofTrip, id: 'departTrip', path: `${path}/{tripId}/depart` },
      summary: 'Leave the shop',
      description:
        'loaded → out. Each order is judged by the law at that moment, with all that the driver carries; its customer is told. Where the ' +
        `license reports trips, the state has to know of it before (\`stateReport\`). ${later}`,
      body: Type.Object({
        occurredAt: OccurredAt,
        withoutState: Type.Optional(
          NonBlankText({
            max: 500,
            description:
              'For owners and managers: why it leaves though the state does not know of it, such as an outage of its system. The audit keeps it; the reports go out later',
          }),
        ),
      }),
      requestExample: {},
      failures: [
        ...(['TRIP_NOT_FOUND', 'INVALID_TRIP_TRANSITION', 'INVALID_ORDER_TRANSITION'] as const),
        ...(['TRIP_NOT_REPORTED', ...lawFailures] as const),
      ],
      handle: async ({ staff, requestId, params, body }) => {
        const origin = staffOrigin(staff, requestId);
        const withoutState = body.withoutState?.trim() ?? null;
        if (withoutState !== null && staff.role === 'budtender') {
          throw failure('INSUFFICIENT_PERMISSIONS', 'Only owners and managers may send withoutState.');
        }
        const departure = { occurredAt: body.occurredAt, withoutState };
        await departTrip(context, origin, staff.organizationId, params.tripId, departure);
        return show(context, staff, params.tripId);
      },
    }),

    staffEndpoint({
      ...{ ...shared, ...ofTrip, id: 'returnTrip', path: `${path}/{tripId}/return` },
      summary: 'Come back to the shop',
      description: `out → back. Stops at which nothing was done become notHome. ${later}`,
      body: Type.Object({ occurredAt: OccurredAt }),
      requestExample: {},
      failures: ['TRIP_NOT_FOUND', 'INVALID_TRIP_TRANSITION'],
      handle: async ({ staff, requestId, params, body }) => {
        const origin = staffOrigin(staff, requestId);
        await returnTrip(context, origin, staff.organizationId, params.tripId, body.occurredAt);
        return show(context, staff, params.tripId);
      },
    }),
  ];
}

function acting(
  staff: StaffCaller,
  { tripId, stopId }: { readonly tripId: number; readonly stopId: number },
  occurredAt: string | undefined,
) {
  const { staffId: id, email, firstName, lastName, role } = staff;
  return { tripId, stopId, occurredAt, staff: { id, email, firstName, lastName, role } };
}

function stopRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...{ ...shared, ...ofStop, id: 'arriveAtStop', path: `${stopPath}/arrive` },
      summary: 'Arrive at a stop',
      description: `The driver is at the door. ${later}`,
      body: Type.Object({ occurredAt: OccurredAt }),
      requestExample: {},
      failures: stopFailures,
      handle: async ({ staff, requestId, params, body }) => {
        const at = acting(staff, params, body.occurredAt);
        await arriveAtStop(context, staffOrigin(staff, requestId), staff.organizationId, at);
        return show(context, staff, params.tripId);
      },
    }),

    staffEndpoint({
      ...{ ...shared, ...ofStop, id: 'refuseStop', path: `${stopPath}/refuse` },
      summary: 'Refuse a stop',
      description: `Nothing is handed over. The order is canceled with the reason; its goods stay in the vehicle until the trip is closed. ${later}`,
      body: Type.Object({ occurredAt: OccurredAt, reason: NonBlankText({ max: 500 }) }),
      requestExample: { reason: 'The ID had expired' },
      failures: [...stopFailures, 'PAYMENT_IN_PROGRESS'],
      handle: async ({ staff, requestId, params, body }) => {
        const at = acting(staff, params, body.occurredAt);
        const outcome = { status: 'refused', reason: body.reason.trim() } as const;
        await leaveStop(context, staffOrigin(staff, requestId), staff.organizationId, at, outcome);
        return show(context, staff, params.tripId);
      },
    }),

    staffEndpoint({
      ...{ ...shared, ...ofStop, id: 'leaveStop', path: `${stopPath}/not-home` },
      summary: 'Leave a stop where no customer is at home',
      description: `The order stays open, and can go on another trip. ${later}`,
      body: Type.Object({ occurredAt: OccurredAt, note: Type.Optional(Nullable(Text({ max: 500 }))) }),
      requestExample: {},
      failures: stopFailures,
      handle: async ({ staff, requestId, params, body }) => {
        const at = acting(staff, params, body.occurredAt);
        const outcome = { status: 'notHome', reason: body.note?.trim() || null } as const;
        await leaveStop(context, staffOrigin(staff, requestId), staff.organizationId, at, outcome);
        return show(context, staff, params.tripId);
      },
    }),
  ];
}

const DeliverBody = Type.Object({
  occurredAt: OccurredAt,
  idCheck: Type.Optional(
    Type.Object(
      {
        how: OneOf(['scan', 'eye']),
        firstName: NonBlankText({ max: 100 }),
        lastName: Text({ max: 100, description: 'Empty for a person with one name' }),
        birthday: DateSince1900(),
        expiry: Nullable(LocalDate({ description: 'null: it does not expire' })),
      },
      { description: 'What the ID at the door says. It is judged and not kept' },
    ),
  ),
  signature: Type.Optional(
    Nullable(Text({ max: 28_000, description: 'A PNG of at most 20,000 bytes, in base64' })),
  ),
  lines: Type.Optional(
    List(Type.Object({ lineItemId: Id(), quantity: WholeNumber({ min: 0, max: 10_000 }) }), {
      min: 1,
      max: 100,
      description: 'What is handed over; a line that is not named is not. Absent: everything',
    }),
  ),
  payments: FulfillBody.properties.payments,
  tip: Type.Optional(Cents({ description: 'In cash, into the drawer of the driver' })),
});

const fulfillment = orderActions.find(({ id }) => id === 'fulfill')!;

/** The payments of a body, read as by the fulfillment of an order. */
function paymentsOf({ payments }: Static<typeof DeliverBody>) {
  if (payments === undefined) return undefined;
  return fulfillment.operation.body!.read({ payments } as never).payments;
}

function deliverRoute(context: Context): StaffEndpoint {
  return staffEndpoint({
    ...{ ...shared, ...ofStop, id: 'deliverAtStop', path: `${stopPath}/deliver` },
    summary: 'Deliver at a stop',
    description:
      'Hands the order over at the door, as `fulfill` does it at the counter: its limits, its ID check, and its payments, whose cash goes into ' +
      `the drawer of the driver. With fewer \`lines\` the order is edited first, and the rest stays in the vehicle. ${later}`,
    body: DeliverBody,
    requestExample: {
      idCheck: {
        ...{
          how: 'eye',
          firstName: 'Marisol',
          lastName: 'Okafor',
          birthday: '1988-02-29',
          expiry: '2031-02-28',
        },
      },
    },
    failures: [
      ...stopFailures,
      ...(['ID_NOT_ACCEPTED', 'INVALID_ORDER_TRANSITION', 'TRANSACTION_RETRY_EXCEEDED'] as const),
      ...fulfillment.operation.failures,
    ],
    handle: async ({ staff, requestId, params, body }) => {
      const at = acting(staff, params, body.occurredAt);
      const { idCheck = null, signature = null, lines = null, tip = 0 } = body;
      const handOver = {
        ...{ idCheck, lines, tipCents: tip, payments: paymentsOf(body) },
        signature: signature === null ? null : readSignature(signature),
      };
      await deliverAtStop(context, staffOrigin(staff, requestId), staff.organizationId, at, handOver);
      return show(context, staff, params.tripId);
    },
  });
}

function phoneRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...{ ...shared, ...ofTrip, id: 'setTripPosition', path: `${path}/{tripId}/position` },
      summary: 'Tell where the driver is',
      description:
        'Kept only while the trip is out, and only if the driver shares the position; the last one alone. It is gone when the driver ends the ' +
        'sharing, when the trip is back, and at the end of the business day at the latest.',
      body: Type.Object({
        latitude: DecimalNumber({ min: -90, max: 90 }),
        longitude: DecimalNumber({ min: -180, max: 180 }),
        occurredAt: OccurredAt,
      }),
      requestExample: { latitude: 37.8044, longitude: -122.2712 },
      success: { status: 204, description: 'It is known, or not to be kept' },
      failures: ['TRIP_NOT_FOUND'],
      handle: async ({ staff, requestId, params, body }) => {
        const origin = staffOrigin(staff, requestId);
        await keepPosition(context, origin, staff.organizationId, params.tripId, body);
        return replyEmpty();
      },
    }),

    staffEndpoint({
      ...{ ...shared, ...ofTrip, id: 'clearTripPosition', path: `${path}/{tripId}/position` },
      method: 'DELETE',
      summary: 'Share the position no longer',
      description: 'Where the driver was is forgotten. Doing it again changes nothing.',
      success: { status: 204, description: 'It is forgotten' },
      failures: ['TRIP_NOT_FOUND'],
      handle: async ({ staff, requestId, params }) => {
        await forgetPosition(context, staffOrigin(staff, requestId), staff.organizationId, params.tripId);
        return replyEmpty();
      },
    }),

    staffEndpoint({
      ...{ ...shared, ...ofTrip, id: 'keepUnsentAct', path: `${path}/{tripId}/unsent-acts` },
      summary: 'Keep an act that was not taken',
      description:
        'An act of the driver that the service refused when it was sent later becomes a task of who dispatches, so that it does not vanish.',
      body: Type.Object({
        kind: NonBlankText({ max: 40 }),
        stopId: Nullable(Id()),
        occurredAt: Timestamp(),
        refusal: NonBlankText({ max: 1000, description: 'The refusal in words' }),
        act: Text({ max: 2000, description: 'The act as it was sent, as JSON text without the signature' }),
      }),
      requestExample: {
        ...{ kind: 'deliver', stopId: null, occurredAt: '2026-03-10T18:05:09.123Z' },
        ...{ refusal: 'The order was canceled', act: '{}' },
      },
      success: { ...success, status: 201 },
      failures: ['TRIP_NOT_FOUND', 'TRIP_STOP_NOT_FOUND'],
      handle: async ({ staff, requestId, params, body }) => {
        const origin = staffOrigin(staff, requestId);
        await keepUnsentAct(context, origin, staff.organizationId, params.tripId, body);
        return show(context, staff, params.tripId);
      },
    }),
  ];
}
