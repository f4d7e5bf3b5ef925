import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { brandStaffRoutes } from './brand-staff-routes.ts';
import { categoryStaffRoutes } from './category-staff-routes.ts';
import type { FollowBrand } from './edit-brands.ts';
import { productPhotoStaffRoutes } from './product-photo-staff-routes.ts';
import { productStaffRoutes } from './product-staff-routes.ts';
import { tagStaffRoutes } from './tag-staff-routes.ts';

/**
 * All staff operations on the catalog.
 *
 * @param photoUrl returns the public address of a stored photo.
 * @param followBrand moves what other slices store about a brand when it is merged into another one.
 */
export function catalogStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
  followBrand: FollowBrand,
  photoBlobs: BlobStore,
): StaffEndpoint[] {
  return [
    ...productStaffRoutes(context, photoUrl),
    ...productPhotoStaffRoutes(context, photoUrl, photoBlobs),
    ...categoryStaffRoutes(context),
    ...brandStaffRoutes(context, followBrand),
    ...tagStaffRoutes(context),
  ];
}
