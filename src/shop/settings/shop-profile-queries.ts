import { statement } from '../../platform/statements/statement.ts';
import type { LabelTemplates } from './label-templates.ts';
import type { OpeningHours, ShopAddress } from './shop-profile.ts';

/** All SQL on shop profiles. */

interface ShopProfileRow {
  address: ShopAddress | null;
  hours: OpeningHours[];
  logo_location: string | null;
  /** Null: not chosen. */
  labels: LabelTemplates | null;
  updated_at: number;
}

/** No row: nothing has been told yet. */
export const selectShopProfile = statement<Record<never, never>, ShopProfileRow>(
  'select_shop_profile',
  `select address, hours, logo_location, labels, updated_at from shop_profiles where organization_id = :organizationId`,
);

/** Makes the row of an organization, if it has none, so that it can be locked. */
export const insertShopProfile = statement<{ at: string }, never>(
  'insert_shop_profile',
  `insert into shop_profiles (organization_id, hours, updated_at) values (:organizationId, '[]', :at)
     on conflict (organization_id) do nothing`,
);

export const lockShopProfile = statement<Record<never, never>, ShopProfileRow>(
  'lock_shop_profile',
  `select address, hours, logo_location, labels, updated_at from shop_profiles
    where organization_id = :organizationId for no key update`,
);

export const updateShopProfile = statement<
  { address: string | null; hours: string; logoLocation: string | null; labels: string | null; at: string },
  never
>(
  'update_shop_profile',
  `update shop_profiles
      set address = :address::jsonb, hours = :hours::jsonb, logo_location = :logoLocation,
          labels = :labels::jsonb, updated_at = :at
    where organization_id = :organizationId`,
);
