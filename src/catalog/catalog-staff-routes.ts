import type { Context } from '../database/context.ts';
import type { StaffEndpoint } from '../http/endpoint.ts';
import { brandStaffRoutes } from './brand-staff-routes.ts';
import { categoryStaffRoutes } from './category-staff-routes.ts';
import { productStaffRoutes } from './product-staff-routes.ts';
import { tagStaffRoutes } from './tag-staff-routes.ts';

/**
 * All that staff do with the catalog.
 *
 * @param photoUrl makes the public address of a stored photo.
 */
export function catalogStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
): StaffEndpoint[] {
  return [
    ...productStaffRoutes(context, photoUrl),
    ...categoryStaffRoutes(context),
    ...brandStaffRoutes(context),
    ...tagStaffRoutes(context),
  ];
}
