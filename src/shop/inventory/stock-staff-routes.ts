import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import type { LocationUsers } from './location-queries.ts';
import { locationSetting } from './location-setting.ts';
import { packageListStaffRoutes } from './package-list-staff-routes.ts';
import { stockListStaffRoutes } from './stock-list-staff-routes.ts';
import { stockOperationStaffRoutes } from './stock-operation-staff-routes.ts';

/**
 * The staff's operations on stock.
 *
 * @param locationUsers asks what else draws from a location.
 */
export function stockStaffRoutes(context: Context, locationUsers: LocationUsers): StaffEndpoint[] {
  return [
    ...stockListStaffRoutes(context),
    ...stockOperationStaffRoutes(context),
    ...packageListStaffRoutes(context),
    ...locationSetting(locationUsers).routes(context),
  ];
}
