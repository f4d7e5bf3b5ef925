import { countOfPage } from '../database/counted-rows.ts';
import { statement } from '../database/statement.ts';
import type { PhotoRow } from './product-queries.ts';

/** SQL on the photos of products, except showing them. */

/** A photo with its fetch status. */
export interface PhotoStateRow extends PhotoRow {
  product_name: string;
  tries: number;
  last_tried_at: number | null;
  failure: string | null;
  gave_up_at: number | null;
}

/** The photos of a product that is not deleted, in their order. */
export const selectPhotoStates = statement<{ productId: number }, PhotoStateRow>(
  'select_photo_states',
  `select h.id, h.product_id, h.location, h.source, h.tries, h.last_tried_at, h.failure, h.gave_up_at,
          p.name as product_name
     from product_photos h
     join products p on p.organization_id = h.organization_id and p.id = h.product_id
    where h.organization_id = :organizationId and h.product_id = :productId and p.deleted_at is null
    order by h.position, h.id`,
);

export const selectProductIsThere = statement<{ id: number }, { id: number }>(
  'select_product_is_there',
  'select id from products where organization_id = :organizationId and id = :id and deleted_at is null',
);

/** D14. */
export const photosPerPage = 50;

/** The photos that are not stored here, newest first, of all products that are not deleted. */
const photosNotStored = (condition: string): string =>
  `select h.id, h.product_id, h.location, h.source, h.tries, h.last_tried_at, h.failure, h.gave_up_at,
          p.name as product_name
     from product_photos h
     join products p on p.organization_id = h.organization_id and p.id = h.product_id
    where h.organization_id = :organizationId and h.location not like '/%' and h.id < :idBefore
      and p.deleted_at is null ${condition}
    order by h.id desc limit ${photosPerPage}`;

// One statement for each, because each uses its own index.
type PhotosBelow = { idBefore: number };
export const photoStatePages = {
  any: statement<PhotosBelow, PhotoStateRow>('select_photos_not_stored', photosNotStored('')),
  failed: statement<PhotosBelow, PhotoStateRow>(
    'select_photos_given_up',
    photosNotStored('and h.gave_up_at is not null'),
  ),
  waiting: statement<PhotosBelow, PhotoStateRow>(
    'select_photos_waiting',
    photosNotStored('and h.gave_up_at is null'),
  ),
} as const;

/** How many they are, up to the bound of counting. */
export const photoStateCounts = {
  any: statement<PhotosBelow, { count: number }>(
    'count_photos_not_stored',
    countOfPage(photosNotStored(''), photosPerPage),
  ),
  failed: statement<PhotosBelow, { count: number }>(
    'count_photos_given_up',
    countOfPage(photosNotStored('and h.gave_up_at is not null'), photosPerPage),
  ),
  waiting: statement<PhotosBelow, { count: number }>(
    'count_photos_waiting',
    countOfPage(photosNotStored('and h.gave_up_at is null'), photosPerPage),
  ),
} as const;

export const selectPhotoCursor = statement<{ id: number }, { id: number }>(
  'select_photo_cursor',
  'select id from product_photos where organization_id = :organizationId and id = :id',
);

/** A photo that must still be fetched; no row if it is removed, its product is deleted, or it is stored. */
export const selectPhotoToFetch = statement<{ id: number }, { product_id: number; location: string }>(
  'select_photo_to_fetch',
  `select h.product_id, h.location
     from product_photos h
     join products p on p.organization_id = h.organization_id and p.id = h.product_id
    where h.organization_id = :organizationId and h.id = :id and h.location not like '/%'
      and h.gave_up_at is null and p.deleted_at is null`,
);

/** Replaces an address by the path of the fetched picture; no row if the photo is removed or stored. */
export const storePhoto = statement<
  { id: number; from: string; location: string; at: string },
  { id: number }
>(
  'store_photo',
  `update product_photos
      set location = :location, source = :from, tries = tries + 1, last_tried_at = :at, failure = null,
          gave_up_at = null
    where organization_id = :organizationId and id = :id and location = :from
   returning id`,
);

/** Counts a failed attempt; no row if the photo is removed or stored. */
export const recordPhotoFailure = statement<
  { id: number; from: string; failure: string; isLast: boolean; triesMax: number; at: string },
  { product_id: number; gave_up: boolean }
>(
  'record_photo_failure',
  `update product_photos
      set tries = tries + 1, last_tried_at = :at, failure = :failure,
          gave_up_at = case when :isLast::boolean or tries + 1 >= :triesMax::integer then :at::timestamptz end
    where organization_id = :organizationId and id = :id and location = :from and gave_up_at is null
   returning product_id, gave_up_at is not null as gave_up`,
);

/** Resets the attempts of a photo that is not stored here; no row if it is stored. */
export const resetPhotoTries = statement<{ id: number }, { id: number }>(
  'reset_photo_tries',
  `update product_photos set tries = 0, failure = null, gave_up_at = null
    where organization_id = :organizationId and id = :id and location not like '/%'
   returning id`,
);

export const deletePhotosExcept = statement<{ productId: number; keptIds: readonly number[] }>(
  'delete_photos_except',
  `delete from product_photos
    where organization_id = :organizationId and product_id = :productId and not id = any(:keptIds)`,
);

/** Orders photos as in the list, from 0. */
export const placePhotos = statement<{ productId: number; ids: readonly number[] }>(
  'place_photos',
  `update product_photos h set position = n.at - 1
     from unnest(:ids::bigint[]) with ordinality as n(id, at)
    where h.organization_id = :organizationId and h.product_id = :productId and h.id = n.id
      and h.position <> n.at - 1`,
);
