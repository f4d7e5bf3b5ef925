import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import { driveStaffRoutes } from './drive-staff-routes.ts';
import { drivers } from './driver-setting.ts';
import { tripStaffRoutes } from './trip-staff-routes.ts';
import { vehicles } from './vehicle-setting.ts';

/** Operations on vehicles, drivers and trips (D111). */
export function deliveryStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...vehicles.routes(context),
    ...drivers.routes(context),
    ...tripStaffRoutes(context),
    ...driveStaffRoutes(context),
  ];
}
