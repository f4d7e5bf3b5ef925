/**
 * Front door of deliveries: vehicles, drivers, and trips with their stops (D111). Owns vehicles, drivers, trips, trip_stops and
 * trip_unsent_acts. A vehicle is a location of stock: the goods of a trip are moved there before it leaves, and are counted when it is
 * back. An order is on one trip at a time, and is handed over by the same step as at the counter. The driver's cash is a drawer of
 * registers. Deliveries prices nothing and keeps no stock.
 */

export { forgetFormerPositions } from './drive-trip.ts';
export { drivers } from './driver-setting.ts';
export { resealDriverLicenses } from './license-number.ts';
export { selectStopOfOrder } from './stop-of-order.ts';
export { tripPeople } from './trip-people.ts';
export { eraseCustomerOfTrips, selectUnsentActsToSettle } from './trip-queries.ts';
export { vehicles } from './vehicle-setting.ts';
