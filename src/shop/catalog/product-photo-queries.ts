import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { ShownPhotoRow } from './catalog-queries.ts';

/** SQL on the photos of products and of their options, except showing all of them. */

export interface PhotoRow extends ShownPhotoRow {
  /** Its product, also of an option's photo. */
  product_id: number;
  /** The submitted address of a stored photo; null for an uploaded one. */
  source: string | null;
}

/**
 * The photos of products and of their options that are not deleted, in their order; those of a product come first. Those of an
 * option are looked up by themselves (`offset 0`): joined, PostgreSQL reads all options of the organization, or all their photos.
 */
export const selectPhotosOfProducts = statement<{ productIds: readonly number[] }, PhotoRow>(
  'select_photos_of_products',
  `select h.id, h.product_id, h.product_option_id, h.location, h.source, h.alt_text, h.position
     from product_photos h
    where h.organization_id = :organizationId and h.product_id = any(:productIds)
    union all
   select h.id, o.product_id, h.product_option_id, h.location, h.source, h.alt_text, h.position
     from (select distinct unnest(:productIds::bigint[]) as product_id) wanted
    cross join lateral (select o.id, o.product_id from product_options o
            where o.organization_id = :organizationId and o.product_id = wanted.product_id and o.deleted_at is null
           offset 0) o
    cross join lateral (select * from product_photos h
            where h.organization_id = :organizationId and h.product_option_id = o.id offset 0) h
    order by product_id, product_option_id nulls first, position, id`,
);

/** A photo with its fetch status. */
export interface PhotoStateRow extends PhotoRow {
  product_name: string;
  tries: number;
  last_tried_at: number | null;
  failure: string | null;
  gave_up_at: number | null;
}

const stateColumns = `h.id, p.id as product_id, h.product_option_id, h.location, h.source, h.alt_text, h.tries,
          h.last_tried_at, h.failure, h.gave_up_at, p.name as product_name`;

/** The photos of a product that is not deleted and of its options, in their order; those of the product come first. */
export const selectPhotoStates = statement<{ productId: number }, PhotoStateRow>(
  'select_photo_states',
  `select ${stateColumns}, h.position
     from products p
     join product_photos h on h.organization_id = p.organization_id and h.product_id = p.id
    where p.organization_id = :organizationId and p.id = :productId and p.deleted_at is null
    union all
   select ${stateColumns}, h.position
     from products p
     join product_options o on o.organization_id = p.organization_id and o.product_id = p.id
     join product_photos h on h.organization_id = o.organization_id and h.product_option_id = o.id
    where p.organization_id = :organizationId and p.id = :productId and p.deleted_at is null
      and o.deleted_at is null
    order by product_option_id nulls first, position, id`,
);

/** The product of a photo, by its option if it is one's. */
const ofPhoto = `left join product_options o
            on o.organization_id = h.organization_id and o.id = h.product_option_id
     join products p on p.organization_id = h.organization_id and p.id = case when h.product_id is null then o.product_id else h.product_id end`;

/** An option of a product, neither deleted. */
export const selectOptionIsThere = statement<{ id: number; productId: number }, { id: number }>(
  'select_option_is_there',
  `select id from product_options
    where organization_id = :organizationId and id = :id and product_id = :productId and deleted_at is null`,
);

export const selectProductIsThere = statement<{ id: number }, { id: number }>(
  'select_product_is_there',
  'select id from products where organization_id = :organizationId and id = :id and deleted_at is null',
);

/** D14. */
export const photosPerPage = 50;

/** The photos that are not stored here, of all products that are not deleted; each filter has its own index. */
const photosNotStored = `from product_photos h
     ${ofPhoto}
    where h.organization_id = :organizationId and h.location not like '/%'
      and p.deleted_at is null and o.deleted_at is null`;
const photoStates = { failed: 'and h.gave_up_at is not null', waiting: 'and h.gave_up_at is null' } as const;
type PhotoState = keyof typeof photoStates;

/** In the order in which they came. */
export const photoStateList = sortedList<PhotoStateRow, 'id', PhotoState>({
  name: 'list_photos_not_stored',
  rows: photosNotStored,
  ids: ['h.id'],
  cursor: 'h.id = :startingAfter',
  sorts: { id: { key: 'h.id', own: 'descending' } },
  filters: photoStates,
  isPossible: (asked) => asked.length < 2,
  rowsPerPage: photosPerPage,
  show: (page) => `select ${stateColumns} from ${page}
     join product_photos h on h.organization_id = :organizationId and h.id = page.id0
     ${ofPhoto}`,
});

/** How many they are, up to the bound of counting. */
const photoCount = (name: string, condition: string) =>
  statement<Record<never, never>, { count: number }>(
    name,
    countOfRows(`select ${photosNotStored} ${condition} order by h.id desc`),
  );
export const photoStateCounts = {
  any: photoCount('count_photos_not_stored', ''),
  failed: photoCount('count_photos_given_up', photoStates.failed),
  waiting: photoCount('count_photos_waiting', photoStates.waiting),
} as const;

export const selectPhotoCursor = statement<{ id: number }, { id: number }>(
  'select_photo_cursor',
  'select id from product_photos where organization_id = :organizationId and id = :id',
);

/** A photo that must still be fetched; no row if it is removed, its product is deleted, or it is stored. */
export const selectPhotoToFetch = statement<{ id: number }, { product_id: number; location: string }>(
  'select_photo_to_fetch',
  `select p.id as product_id, h.location
     from product_photos h
     ${ofPhoto}
    where h.organization_id = :organizationId and h.id = :id and h.location not like '/%'
      and h.gave_up_at is null and p.deleted_at is null and o.deleted_at is null`,
);

/** Replaces an address by the path of the fetched picture; no row if the photo is removed or stored. */
export const storePhoto = statement<
  { id: number; from: string; location: string; byteCount: number; at: string },
  { id: number }
>(
  'store_photo',
  `update product_photos
      set location = :location, byte_count = :byteCount, source = :from, tries = tries + 1, last_tried_at = :at, failure = null,
          gave_up_at = null
    where organization_id = :organizationId and id = :id and location = :from
   returning id`,
);

/**
 * Photos of products and options that were deleted before the given time, some of them: nothing shows them, and their files go when
 * no row names them.
 */
export const deletePhotosOfDeleted = statement<{ before: string }, { id: number }>(
  'delete_photos_of_deleted',
  `delete from product_photos
    where organization_id = :organizationId and id = any(array(
      select h.id from product_photos h
        ${ofPhoto}
       where h.organization_id = :organizationId
         and (p.deleted_at < :before or o.deleted_at < :before) order by h.id limit 200))
   returning id`,
);

/** Stored photos whose bytes were never counted: those of the demo, and what an undone import brought back. */
export const selectUnmeasuredPhotos = statement<Record<never, never>, { id: number; location: string }>(
  'select_unmeasured_photos',
  `select id, location from product_photos
    where organization_id = :organizationId and location like '/%' and byte_count is null limit 200`,
);

export const setPhotoBytes = statement<{ ids: readonly number[]; byteCounts: readonly number[] }, never>(
  'set_photo_bytes',
  `update product_photos h set byte_count = n.byte_count
     from unnest(:ids::bigint[], :byteCounts::integer[]) as n(id, byte_count)
    where h.organization_id = :organizationId and h.id = n.id and h.location like '/%' and h.byte_count is null`,
);

/** Counts a failed attempt; no row if the photo is removed or stored. */
export const recordPhotoFailure = statement<
  { id: number; from: string; failure: string; isLast: boolean; triesMax: number; at: string },
  { gave_up: boolean }
>(
  'record_photo_failure',
  `update product_photos
      set tries = tries + 1, last_tried_at = :at, failure = :failure,
          gave_up_at = case when :isLast::boolean or tries + 1 >= :triesMax::integer then :at::timestamptz end
    where organization_id = :organizationId and id = :id and location = :from and gave_up_at is null
   returning gave_up_at is not null as gave_up`,
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

/** As above, of options. */
export const deleteOptionPhotosExcept = statement<{
  optionIds: readonly number[];
  keptIds: readonly number[];
}>(
  'delete_option_photos_except',
  `delete from product_photos
    where organization_id = :organizationId and product_option_id = any(:optionIds) and not id = any(:keptIds)`,
);

/** Gives photos their places and alternative texts, one for each id; a blank text is none. */
export const arrangePhotos = statement<{
  ids: readonly number[];
  positions: readonly number[];
  altTexts: readonly string[];
}>(
  'arrange_photos',
  `update product_photos h set position = n.position, alt_text = nullif(n.alt_text, '')
     from unnest(:ids::bigint[], :positions::integer[], :altTexts::text[]) as n(id, position, alt_text)
    where h.organization_id = :organizationId and h.id = n.id
      and (h.position, h.alt_text) is distinct from (n.position, nullif(n.alt_text, ''))`,
);

/** Photos that could not be fetched, after all tries. */
export const selectLostPhotos = statement<Record<never, never>, { count: number; oldest_at: number | null }>(
  'select_lost_photos',
  `select count(*)::integer as count, min(p.gave_up_at) as oldest_at from product_photos p
    where p.organization_id = :organizationId and p.location !~~ '/%' and p.gave_up_at is not null`,
);
