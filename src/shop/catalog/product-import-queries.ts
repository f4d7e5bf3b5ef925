import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { statement } from '../../platform/statements/statement.ts';
import { askedNames } from './product-queries.ts';

/**
 * SQL that imports many products at once. `at` is the index in the requested list, from 1. Rows found by name are
 * locked against deletion until the new products refer to them.
 */

/**
 * Imports into one organization run one batch at a time: existing rows are read under this lock, so that two imports
 * never create a product twice.
 */
export const lockProductImport = statement<Record<never, never>>(
  'lock_product_import',
  `select from pg_advisory_xact_lock(1885430636, hashint8(:organizationId::bigint))`,
);

export const lockCategoriesNamed = statement<
  { names: readonly string[] },
  { at: number; id: number; cannabis_type: CannabisType }
>(
  'lock_categories_named',
  `select n.at, c.id, c.cannabis_type
     from ${askedNames}
     join product_categories c on c.organization_id = :organizationId and c.name_key = n.key
      and c.deleted_at is null
    order by n.at
      for key share of c`,
);

export const lockBrandsNamed = statement<{ names: readonly string[] }, { at: number; id: number }>(
  'lock_brands_named',
  `select n.at, b.id
     from ${askedNames}
     join brands b on b.organization_id = :organizationId and b.name_key = n.key
      and b.deleted_at is null
    order by n.at
      for key share of b`,
);

/** Each new brand once, in key order, like `insertBrandUnlessNamed` for one. */
export const insertBrandsUnlessNamed = statement<
  {
    ids: readonly number[];
    names: readonly string[];
    /** Blank: none. */
    descriptions: readonly string[];
    at: string;
  },
  { id: number }
>(
  'insert_brands_unless_named',
  `insert into brands (organization_id, id, name, description, created_at, updated_at)
   select :organizationId::bigint, n.id, n.name, nullif(n.description, ''), :at::timestamptz, :at::timestamptz
     from unnest(:ids::bigint[], :names::text[], :descriptions::text[]) as n(id, name, description)
    order by lower(btrim(n.name)) collate "C"
   on conflict (organization_id, name_key) where deleted_at is null do nothing
   returning id`,
);

/** Each new category once, in their order after the last one. */
export const insertCategoriesUnlessNamed = statement<
  { ids: readonly number[]; names: readonly string[]; types: readonly string[]; at: string },
  { id: number; name: string; display_order: number; cannabis_type: CannabisType }
>(
  'insert_categories_unless_named',
  `insert into product_categories (organization_id, id, name, display_order, cannabis_type, created_at, updated_at)
   select :organizationId::bigint, n.id, n.name,
          least(1000000, n.place + coalesce((select max(c.display_order) from product_categories c
                                              where c.organization_id = :organizationId and c.deleted_at is null), -1)),
          n.type, :at::timestamptz, :at::timestamptz
     from unnest(:ids::bigint[], :names::text[], :types::text[]) with ordinality as n(id, name, type, place)
    order by lower(btrim(n.name)) collate "C"
   on conflict (organization_id, name_key) where deleted_at is null do nothing
   returning id, name, display_order, cannabis_type`,
);

/** The products with a code. */
export const selectProductsOfUpcs = statement<
  { upcs: readonly string[] },
  { upc: string; product_id: number; name: string }
>(
  'select_products_of_upcs',
  `select o.upc, o.product_id, p.name from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id and p.deleted_at is null
    where o.organization_id = :organizationId and o.upc = any(:upcs) and o.deleted_at is null
    order by o.product_id`,
);

/** The products with a name, brand (0: without one) and category; of equal ones, the first. Equal names have the same key. */
export const selectProductsAlike = statement<
  { names: readonly string[]; brandIds: readonly number[]; categoryIds: readonly number[] },
  { at: number; id: number }
>(
  'select_products_alike',
  `select n.at, min(p.id) as id
     from (select at, brand_id, category_id, lower(btrim(name)) as name, search_key(name) as key
             from unnest(:names::text[], :brandIds::bigint[], :categoryIds::bigint[]) with ordinality
               as n(name, brand_id, category_id, at) offset 0) n
     join product_texts t on t.organization_id = :organizationId and t.name_key = n.key
     join products p on p.organization_id = :organizationId and p.id = t.product_id and lower(btrim(p.name)) = n.name
      and coalesce(p.brand_id, 0) = n.brand_id and p.primary_category_id = n.category_id and p.deleted_at is null
    group by n.at`,
);
