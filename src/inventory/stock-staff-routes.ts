import type { Context } from '../database/context.ts';
import type { StaffEndpoint } from '../http/endpoint.ts';
import { locationStaffRoutes } from './location-staff-routes.ts';
import { packageListStaffRoutes } from './package-list-staff-routes.ts';
import { stockListStaffRoutes } from './stock-list-staff-routes.ts';
import { stockOperationStaffRoutes } from './stock-operation-staff-routes.ts';

/** Stock operations for staff. */
export function stockStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...stockListStaffRoutes(context),
    ...stockOperationStaffRoutes(context),
    ...packageListStaffRoutes(context),
    ...locationStaffRoutes(context),
  ];
}
