import { statement } from '../../platform/database/statement.ts';
import type { BrandRow, CategoryRow, SubCategoryRow } from './catalog-queries.ts';

/**
 * SQL that changes categories, sub-categories, brands and tags. Each is locked `for update` before a change, which
 * waits for transactions that refer a product to it (`for key share`).
 */

// ---------------------------------------------------------------------------------------------------------
// Categories

export const lockCategory = statement<{ id: number }, CategoryRow>(
  'lock_category',
  `select id, name, display_order, cannabis_type, created_at, updated_at from product_categories
    where organization_id = :organizationId and id = :id and deleted_at is null
      for update`,
);

export const selectCategoryOfName = statement<{ name: string }, { id: number }>(
  'select_category_of_name',
  `select id from product_categories
    where organization_id = :organizationId and name_key = lower(btrim(:name)) and deleted_at is null`,
);

export const selectLastDisplayOrder = statement<Record<never, never>, { last: number | null }>(
  'select_last_display_order',
  `select max(display_order) as last from product_categories
    where organization_id = :organizationId and deleted_at is null`,
);

export const updateCategoryRow = statement<{
  id: number;
  name: string;
  displayOrder: number;
  cannabisType: string;
  updatedAt: string;
}>(
  'update_category',
  `update product_categories
      set name = :name, display_order = :displayOrder, cannabis_type = :cannabisType, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const deleteCategoryRow = statement<{ id: number; at: string }>(
  'delete_category',
  `update product_categories set deleted_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
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

export const lockSubCategory = statement<{ id: number }, SubCategoryRow>(
  'lock_sub_category',
  `select id, organization_id, name, created_at, updated_at from product_sub_categories
    where organization_id = :organizationId and id = :id
      for update`,
);

export const selectSubCategoryOfName = statement<{ name: string }, { id: number }>(
  'select_sub_category_of_name',
  `select id from product_sub_categories
    where organization_id = :organizationId and name_key = lower(btrim(:name))`,
);

export const updateSubCategoryRow = statement<{ id: number; name: string; updatedAt: string }>(
  'update_sub_category',
  `update product_sub_categories set name = :name, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

/** Deleted products may still name it: no response shows them. */
export const deleteSubCategoryRow = statement<{ id: number }>(
  'delete_sub_category',
  'delete from product_sub_categories where organization_id = :organizationId and id = :id',
);

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

export const selectBrandOfName = statement<{ name: string }, { id: number }>(
  'select_brand_of_name',
  `select id from brands
    where organization_id = :organizationId and name_key = lower(btrim(:name)) and deleted_at is null`,
);

export const updateBrandRow = statement<{
  id: number;
  name: string;
  description: string | null;
  updatedAt: string;
}>(
  'update_brand',
  `update brands set name = :name, description = :description, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const deleteBrandRow = statement<{ id: number; at: string }>(
  'delete_brand',
  `update brands set deleted_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
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

export interface TagRow {
  id: number;
  name: string;
  description: string | null;
  product_ids: number[];
  created_at: number;
  updated_at: number;
}

const tagColumns = `t.id, t.name, t.description, t.created_at, t.updated_at,
          array(select l.product_id from product_tags l
             join products p on p.organization_id = l.organization_id and p.id = l.product_id
            where l.organization_id = t.organization_id and l.tag_id = t.id and p.deleted_at is null
            order by l.product_id) as product_ids`;

/** D16: by id. */
export const selectTagRows = statement<Record<never, never>, TagRow>(
  'select_tag_rows',
  `select ${tagColumns} from tags t where t.organization_id = :organizationId order by t.id`,
);

export const selectTagRow = statement<{ id: number }, TagRow>(
  'select_tag_row',
  `select ${tagColumns} from tags t where t.organization_id = :organizationId and t.id = :id`,
);

/**
 * Locks the organization's tag names until the commit. A unique index is impossible, because some old tags share a
 * name.
 */
export const lockTagNames = statement<Record<never, never>, never>(
  'lock_tag_names',
  `select pg_advisory_xact_lock(hashtextextended('tag names of ' || (:organizationId::bigint)::text, 0))`,
);

export const selectTagOfName = statement<{ name: string; exceptId: number | null }, { id: number }>(
  'select_tag_of_name',
  `select id from tags
    where organization_id = :organizationId and lower(btrim(name)) = lower(btrim(:name))
      and id is distinct from :exceptId::bigint
    limit 1`,
);

export const lockTag = statement<{ id: number }, { id: number }>(
  'lock_tag',
  'select id from tags where organization_id = :organizationId and id = :id for update',
);

/** Locked against deletion until they have the tag. */
export const lockLiveProducts = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_live_products',
  `select id from products
    where organization_id = :organizationId and id = any(:ids) and deleted_at is null
    order by id
      for key share`,
);

export const updateTagRow = statement<{
  id: number;
  name: string;
  description: string | null;
  updatedAt: string;
}>(
  'update_tag',
  `update tags set name = :name, description = :description, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const deleteTagRow = statement<{ id: number }>(
  'delete_tag',
  'delete from tags where organization_id = :organizationId and id = :id',
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
