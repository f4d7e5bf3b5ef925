import { event, id, oneOf, uuid } from './event-facts.ts';
import { stopStatuses } from './stop-statuses.ts';

const tripStatus = oneOf('draft', 'loaded', 'out', 'back', 'closed');

export const tripSubjects = ['driver', 'trip', 'vehicle'] as const;

/** Events of vehicles, drivers, and trips with deliveries. */
export const tripEvents = {
  'vehicle.created': event('A vehicle was added', { vehicleId: id(4) }),
  'vehicle.updated': event('A vehicle changed', { vehicleId: id(4) }),
  'driver.created': event('A driver was added', { driverId: id(5) }),
  'driver.updated': event('A driver changed', { driverId: id(5) }),
  'trip.created': event('A trip with deliveries was planned', { tripId: id(61), status: tripStatus }),
  'trip.updated': event('The plan of a trip, its stops or a task of it changed', {
    tripId: id(61),
    status: tripStatus,
  }),
  'trip.loaded': event('The goods of a trip went into its vehicle', { tripId: id(61), status: tripStatus }),
  'trip.unloaded': event('The goods of a trip that had not left went back', {
    tripId: id(61),
    status: tripStatus,
  }),
  'trip.reported': event('The state has a report of a trip, or refuses it', {
    tripId: id(61),
    reportId: id(9),
    kind: oneOf('trip', 'departure', 'restock', 'delivery', 'trip-end', 'trip-void'),
    state: oneOf('accepted', 'refused'),
  }),
  'trip.departed': event('A trip left the shop', { tripId: id(61), status: tripStatus }),
  'trip.restocked': event('A trip that was out took on more orders at the shop', {
    tripId: id(61),
    status: tripStatus,
  }),
  'trip.stop_changed': event('A driver arrived at a stop, or was done there', {
    tripId: id(61),
    tripStopId: id(62),
    orderId: uuid,
    status: oneOf(...stopStatuses),
  }),
  'trip.returned': event('A trip came back to the shop', { tripId: id(61), status: tripStatus }),
  'trip.closed': event('The goods and the cash of a trip were counted', {
    tripId: id(61),
    status: tripStatus,
  }),
} as const;
