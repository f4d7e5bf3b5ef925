import { type CatalogEntry, metaShape } from './error-entry.ts';

/** Errors of vehicles, drivers, and trips with deliveries. */
export const tripErrors = {
  VEHICLE_NOT_FOUND: {
    status: 404,
    when: 'There is no such vehicle.',
    remedy: 'Use an id of GET /staff/v1/vehicles.',
  },
  VEHICLE_IN_USE: {
    status: 409,
    when: 'The vehicle has the goods of another trip.',
    remedy: 'Close that trip first, or take another vehicle.',
  },
  DRIVER_NOT_FOUND: {
    status: 404,
    when: 'There is no such driver.',
    remedy: 'Use an id of GET /staff/v1/drivers.',
  },
  TRIP_NOT_FOUND: {
    status: 404,
    when: 'There is no such trip.',
    remedy: 'Use an id of GET /staff/v1/trips.',
  },
  TRIP_STOP_NOT_FOUND: {
    status: 404,
    when: 'The trip has no such stop.',
    remedy: 'Use an id of `stops` of GET /staff/v1/trips/{tripId}.',
  },
  UNSENT_ACT_NOT_FOUND: {
    status: 404,
    when: 'The trip has no such act that was not taken.',
    remedy: 'Use an id of `unsentActs` of GET /staff/v1/trips/{tripId}.',
  },
  INVALID_TRIP_TRANSITION: {
    status: 409,
    when: 'The status of the trip, or of its stop, does not allow the act.',
    remedy: 'Read the trip again; `meta` has its status.',
    meta: metaShape(
      '{status, action}',
      { status: 'closed', action: 'load' },
      {
        status: { type: 'string', description: 'Of the trip, or of the stop' },
        action: { type: 'string', description: 'What was asked for' },
      },
    ),
  },
  TRIP_NOT_REPORTED: {
    status: 409,
    when: "The state's system does not know yet what it is to know before the vehicle leaves.",
    remedy:
      'Wait until the report is through, settle it if it was refused, or let a manager send `withoutState`.',
  },
  ORDER_ON_TRIP: {
    status: 409,
    when: 'The order is on another trip that is loaded or out.',
    remedy: 'Wait until that trip is back, or take it off there.',
  },
  ID_NOT_ACCEPTED: {
    status: 422,
    when: 'The ID that was shown at the door is not that of the buyer, has expired, or says that the person is too young.',
    remedy: 'Hand nothing over: refuse the stop with the reason.',
    meta: metaShape(
      '{fault}',
      { fault: 'expired' },
      {
        fault: { type: 'string', description: '`underage`, `expired`, `other-birthday` or `other-name`' },
      },
    ),
  },
} as const satisfies Record<string, CatalogEntry>;
