import { statement } from '../../platform/statements/statement.ts';
import type { BrandRow } from './catalog-queries.ts';

/** What changes of categories, sub-categories, brands and tags ask, and write beside them. */

// ---------------------------------------------------------------------------------------------------------
// Categories

export const selectLastDisplayOrder = statement<Record<never, never>, { last: number | null }>(
  'select_last_display_order',
  `select max(display_order) as last from product_categories
    where organization_id = :organizationId and deleted_at is null`,
);

export const countProductsOfCategory = statement<{ id: number }, { count: number }>(
  'count_products_of_category',
  `select count(*) as count from products
    where organization_id = :organizationId and primary_category_id = :id and deleted_at is null`,
);

/** One is enough for the refusal. */
export const selectOptionWithoutContent = statement<{ categoryId: number }, { id: number }>(
  'select_option_without_content',
  `select o.id from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
    where o.organization_id = :organizationId and p.primary_category_id = :categoryId
      and p.deleted_at is null and o.deleted_at is null and o.content is null
    order by o.id limit 1`,
);

// ---------------------------------------------------------------------------------------------------------
// Sub-categories

export const countProductsOfSubCategory = statement<{ id: number }, { count: number }>(
  'count_products_of_sub_category',
  `select count(*) as count from products
    where organization_id = :organizationId and :id::bigint = any(sub_category_ids) and deleted_at is null`,
);

// ---------------------------------------------------------------------------------------------------------
// Brands

/** In the order of ids, so that two merges never deadlock. */
export const lockBrands = statement<{ ids: readonly number[] }, BrandRow>(
  'lock_brands',
  `select id, name, description, created_at, updated_at from brands
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null
    order by id
      for update`,
);

export const countProductsOfBrand = statement<{ id: number }, { count: number }>(
  'count_products_of_brand',
  `select count(*) as count from products
    where organization_id = :organizationId and brand_id = :id and deleted_at is null`,
);

export const moveProductsToBrand = statement<{ from: number; into: number; at: string }, { id: number }>(
  'move_products_to_brand',
  `update products set brand_id = :into, updated_at = :at
    where organization_id = :organizationId and brand_id = :from
    returning id`,
);

// ---------------------------------------------------------------------------------------------------------
// Tags

/**
 * Locks the organization's tag names until the commit. A unique index is impossible, because some old tags share a
 * name.
 */
export const lockTagNames = statement<Record<never, never>, never>(
  'lock_tag_names',
  `select pg_advisory_xact_lock(hashtextextended('tag names of ' || (:organizationId::bigint)::text, 0))`,
);

/** Locked against deletion until they have the tag. */
export const lockLiveProducts = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_live_products',
  `select id from products
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null
    order by id
      for key share`,
);

export const clearTag = statement<{ tagId: number }>(
  'clear_tag',
  'delete from product_tags where organization_id = :organizationId and tag_id = :tagId',
);

export const putTagOnProducts = statement<{ tagId: number; productIds: readonly number[] }>(
  'put_tag_on_products',
  `insert into product_tags (organization_id, tag_id, product_id)
   select :organizationId::bigint, :tagId::bigint, p.id from unnest(:productIds::bigint[]) as p(id)`,
);
