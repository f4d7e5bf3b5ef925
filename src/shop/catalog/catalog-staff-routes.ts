import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { brands } from './brand-setting.ts';
import { categories } from './category-setting.ts';
import { type FollowBrand, mergeBrandRoute } from './merge-brand.ts';
import { productPhotoStaffRoutes } from './product-photo-staff-routes.ts';
import { productStaffRoutes } from './product-staff-routes.ts';
import { subCategories } from './sub-category-setting.ts';
import { tags } from './tag-setting.ts';

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
    ...categories.routes(context),
    ...subCategories.routes(context),
    ...brands.routes(context),
    mergeBrandRoute(context, followBrand),
    ...tags.routes(context),
  ];
}
