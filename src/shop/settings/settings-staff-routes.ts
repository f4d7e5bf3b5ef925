import type { Context } from '../../platform/database/context.ts';
import type { StaffEndpoint } from '../../platform/http/endpoint.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { slotSettingRoutes } from '../slots/slots.ts';
import { deliveryZones } from './delivery-zone-setting.ts';
import { dutyStaffRoutes } from './duty-staff-routes.ts';
import { lawStaffRoutes } from './law-staff-routes.ts';
import { localitiesStaffRoutes } from './localities-staff-routes.ts';
import { organizationStaffRoutes } from './organization-staff-routes.ts';
import { paymentTypes } from './payment-type-setting.ts';
import { purchaseLimitStaffRoutes } from './purchase-limit-staff-routes.ts';
import { shopProfileStaffRoutes } from './shop-profile-staff-routes.ts';
import { taxPresetStaffRoutes } from './tax-preset-staff-routes.ts';
import { taxStaffRoutes } from './tax-staff-routes.ts';

/** Staff operations on the terms of sale, and on what web shops show of the organization. */
export function settingsStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
  photoBlobs: BlobStore,
): StaffEndpoint[] {
  return [
    ...organizationStaffRoutes(context),
    ...shopProfileStaffRoutes(context, photoUrl, photoBlobs),
    ...lawStaffRoutes(context),
    ...dutyStaffRoutes(context),
    ...localitiesStaffRoutes(context),
    ...taxPresetStaffRoutes(context),
    ...taxStaffRoutes(context),
    ...deliveryZones.routes(context),
    ...paymentTypes.routes(context),
    ...slotSettingRoutes(context),
    ...purchaseLimitStaffRoutes(context),
  ];
}
