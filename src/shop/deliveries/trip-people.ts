import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TripPeopleOf } from '../traceability/lane-parts.ts';
import { openDriverLicense } from './license-number.ts';
import { driverNameOf } from './load-trip.ts';
import { recipientNameOf, selectShownStops } from './stop-queries.ts';
import { selectTrip } from './trip-queries.ts';

/** Who drives a trip with what, and to whom an order of it goes, for reports to the state: it stands in none of them here. */
export const tripPeople =
  (context: Context): TripPeopleOf =>
  async (organization, tripId, orderId) => {
    const [[trip], stops, [shop]] = await context.database.read(
      organization,
      selectTrip({ id: tripId }),
      selectShownStops({ tripIds: [tripId] }),
      selectOrganization({}),
    );
    if (trip === undefined || shop === undefined) return null;
    const stop = stops.find(({ order_id }) => order_id === orderId);
    return {
      driver: {
        ...{ name: driverNameOf(trip), employeeNumber: trip.employee_number },
        licenseNumber: await openDriverLicense(context, organization, trip.driver_id),
        phone: trip.phone ?? shop.customer_phone,
      },
      vehicle: { make: trip.make, model: trip.model, licensePlate: trip.license_plate },
      recipient:
        stop === undefined
          ? null
          : {
              ...{ name: recipientNameOf(stop), street1: stop.street1, street2: stop.street2 },
              ...{ city: stop.city, state: stop.address_state, postalCode: stop.postal_code },
            },
    };
  };
