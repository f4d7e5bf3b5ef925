import type { Context } from '../database/context.ts';
import type { StaffEndpoint } from '../http/endpoint.ts';
import { deliveryZoneStaffRoutes } from './delivery-zone-staff-routes.ts';
import { lawStaffRoutes } from './law-staff-routes.ts';
import { localitiesStaffRoutes } from './localities-staff-routes.ts';
import { organizationStaffRoutes } from './organization-staff-routes.ts';
import { paymentTypeStaffRoutes } from './payment-type-staff-routes.ts';
import { taxPresetStaffRoutes } from './tax-preset-staff-routes.ts';
import { taxStaffRoutes } from './tax-staff-routes.ts';

/** Staff operations on the terms of sale. */
export function settingsStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...organizationStaffRoutes(context),
    ...lawStaffRoutes(context),
    ...localitiesStaffRoutes(context),
    ...taxPresetStaffRoutes(context),
    ...taxStaffRoutes(context),
    ...deliveryZoneStaffRoutes(context),
    ...paymentTypeStaffRoutes(context),
  ];
}
