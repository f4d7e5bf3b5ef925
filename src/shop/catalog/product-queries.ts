import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { statement } from '../../platform/statements/statement.ts';
import {
  type BrandRow,
  type CategoryRow,
  type OptionRow,
  type ProductRow,
  potencyColumns,
  type SubCategoryRow,
} from './catalog-queries.ts';

/** SQL that reads, creates and changes single products. */

// ---------------------------------------------------------------------------------------------------------
// Showing

/** The brand of a product, read with it; all null: no brand. */
export interface JoinedBrand {
  brand_id: number | null;
  brand_name: string | null;
  brand_description: string | null;
  brand_created_at: number | null;
  brand_updated_at: number | null;
}

/** A product with its category, sub-categories and brand. */
export interface ShownProductRow extends ProductRow, JoinedBrand {
  brand_id: number | null;
  deleted_at: number | null;
  category_name: string;
  category_cannabis_type: CannabisType;
  category_created_at: number;
  category_updated_at: number;
}

/** In no particular order; includes deleted ones. */
export const selectShownProducts = statement<{ ids: readonly number[] }, ShownProductRow>(
  'select_shown_products',
  `select p.id, p.organization_id, p.name, p.description, p.unit, p.strain_type, p.brand_id, p.primary_category_id,
          p.sub_category_ids, p.inventory_type, p.is_active, p.is_featured, p.is_compliant, p.weight_tolerance,
          p.thc_amount, p.thc_amount_each, p.thc_amount_range_low, p.thc_amount_range_high, p.thc_unit,
          p.cbd_amount, p.cbd_amount_each, p.cbd_amount_range_low, p.cbd_amount_range_high, p.cbd_unit,
          p.strain, p.sku, p.terpenes, p.effects, p.flavours, p.lab_results,
          p.moving_average_cost_per_unit, p.created_at, p.updated_at, p.deleted_at,
          b.name as brand_name, b.description as brand_description, b.created_at as brand_created_at,
          b.updated_at as brand_updated_at,
          c.name as category_name, c.cannabis_type as category_cannabis_type,
          c.created_at as category_created_at, c.updated_at as category_updated_at
     from products p
     left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
     join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id
    where p.organization_id = :organizationId and p.id = any(:ids)`,
);

export const selectOptionsOfProducts = statement<{ productIds: readonly number[] }, OptionRow>(
  'select_options_of_products',
  `select id, product_id, name, amount, price_cents, sales_price_cents, upc, content,
          ${potencyColumns}, moving_average_cost_per_unit, created_at, updated_at
     from product_options
    where organization_id = :organizationId and product_id = any(:productIds) and deleted_at is null
    order by product_id, position, id`,
);

export const selectSubCategoriesOfProducts = statement<{ productIds: readonly number[] }, SubCategoryRow>(
  'select_sub_categories_of_products',
  `select s.id, s.organization_id, s.name, s.created_at, s.updated_at
     from product_sub_categories s
    where s.organization_id = :organizationId and s.id in (
      select unnest(p.sub_category_ids) from products p
       where p.organization_id = :organizationId and p.id = any(:productIds))
    order by s.id`,
);

// ---------------------------------------------------------------------------------------------------------
// Before a change

/**
 * Locks a product against any change. `for update` is required: incoming stock locks the product `for key share`, so
 * that each sees the other (see the trigger of stock_ledger_entries).
 */
export const lockProduct = statement<{ id: number }, { id: number; updated_at: number }>(
  'lock_product',
  `select id, updated_at from products where organization_id = :organizationId and id = :id and deleted_at is null
      for update`,
);

/**
 * Stock on hand by option (0: kept per product). Read it after `lockProduct`. Inventory owns the balances, but it
 * builds on the catalog, so the catalog cannot call it.
 */
export const selectStockOfProduct = statement<
  { productId: number },
  { product_option_id: number; on_hand: string }
>(
  'select_stock_of_product',
  `select product_option_id, sum(on_hand) as on_hand from stock_balances
    where organization_id = :organizationId and product_id = :productId and on_hand > 0
    group by product_option_id order by product_option_id`,
);

/** The product of an option that is not deleted. */
export const selectProductsOfOptions = statement<
  { optionIds: readonly number[] },
  { id: number; product_id: number }
>(
  'select_products_of_options',
  `select o.id, o.product_id from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
    where o.organization_id = :organizationId and o.id = any(:optionIds)
      and o.deleted_at is null and p.deleted_at is null`,
);

/*
 * Lookups by name (D43): `at` is the index in the requested list, from 1. Found rows are locked against deletion until
 * the product refers to them.
 */

export type NamedCategoryRow = Pick<CategoryRow, 'id' | 'name' | 'cannabis_type'>;

export const lockCategoryNamed = statement<{ name: string }, NamedCategoryRow>(
  'lock_category_named',
  `select id, name, cannabis_type from product_categories
    where organization_id = :organizationId and name_key = lower(btrim(:name)) and deleted_at is null
      for key share`,
);

export const lockCategoryOfProduct = statement<{ productId: number }, NamedCategoryRow>(
  'lock_category_of_product',
  `select c.id, c.name, c.cannabis_type from product_categories c
     join products p on p.organization_id = c.organization_id and p.primary_category_id = c.id
    where c.organization_id = :organizationId and p.id = :productId
      for key share of c`,
);

export const lockBrandNamed = statement<{ name: string }, Pick<BrandRow, 'id'>>(
  'lock_brand_named',
  `select id from brands
    where organization_id = :organizationId and name_key = lower(btrim(:name)) and deleted_at is null
      for key share`,
);

/** The keys of names, by their place; before they are joined, because row-level security lets no index answer a function of another row. */
export const askedNames =
  '(select at, lower(btrim(name)) as key from unnest(:names::text[]) with ordinality as n(name, at) offset 0) n';

export const lockSubCategoriesNamed = statement<{ names: readonly string[] }, { at: number; id: number }>(
  'lock_sub_categories_named',
  `select n.at, s.id
     from ${askedNames}
     join product_sub_categories s on s.organization_id = :organizationId and s.name_key = n.key
    order by n.at
      for key share of s`,
);

/*
 * New names. Of concurrent requests with the same name, the others wait for the first to commit and then insert
 * nothing; another lookup finds it.
 */

export const insertBrandUnlessNamed = statement<{ id: number; name: string; at: string }, { id: number }>(
  'insert_brand_unless_named',
  `insert into brands (organization_id, id, name, created_at, updated_at)
   values (:organizationId, :id, :name, :at, :at)
   on conflict (organization_id, name_key) where deleted_at is null do nothing
   returning id`,
);

/** In key order, so that two requests with several new names never deadlock. */
export const insertSubCategoriesUnlessNamed = statement<
  { ids: readonly number[]; names: readonly string[]; at: string },
  { id: number }
>(
  'insert_sub_categories_unless_named',
  `insert into product_sub_categories (organization_id, id, name, created_at, updated_at)
   select :organizationId::bigint, n.id, n.name, :at::timestamptz, :at::timestamptz
     from unnest(:ids::bigint[], :names::text[]) as n(id, name)
    order by lower(btrim(n.name)) collate "C"
   on conflict (organization_id, name_key) do nothing
   returning id`,
);

// ---------------------------------------------------------------------------------------------------------
// Changes

export const updateProduct = statement<{
  id: number;
  name: string;
  description: string;
  unit: string;
  strainType: string;
  brandId: number | null;
  categoryId: number;
  subCategoryIds: readonly number[];
  inventoryType: string;
  thcAmount: string | null;
  thcAmountEach: string | null;
  thcAmountRangeLow: string | null;
  thcAmountRangeHigh: string | null;
  thcUnit: string | null;
  cbdAmount: string | null;
  cbdAmountEach: string | null;
  cbdAmountRangeLow: string | null;
  cbdAmountRangeHigh: string | null;
  cbdUnit: string | null;
  strain: string | null;
  sku: string | null;
  /** JSON, like `labResults`. */
  terpenes: string;
  effects: readonly string[];
  flavours: readonly string[];
  labResults: string;
  deletedAt: string | null;
  updatedAt: string;
}>(
  'update_product',
  `update products
      set name = :name, description = :description, unit = :unit, strain_type = :strainType, brand_id = :brandId,
          primary_category_id = :categoryId, sub_category_ids = :subCategoryIds, inventory_type = :inventoryType,
          thc_amount = :thcAmount, thc_amount_each = :thcAmountEach, thc_amount_range_low = :thcAmountRangeLow,
          thc_amount_range_high = :thcAmountRangeHigh, thc_unit = :thcUnit,
          cbd_amount = :cbdAmount, cbd_amount_each = :cbdAmountEach, cbd_amount_range_low = :cbdAmountRangeLow,
          cbd_amount_range_high = :cbdAmountRangeHigh, cbd_unit = :cbdUnit, strain = :strain, sku = :sku,
          terpenes = :terpenes, effects = :effects, flavours = :flavours, lab_results = :labResults,
          deleted_at = :deletedAt, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const updateProductVisibility = statement<{
  id: number;
  isActive: boolean;
  isFeatured: boolean;
  isCompliant: boolean;
  weightTolerance: string | null;
  updatedAt: string;
}>(
  'update_product_visibility',
  `update products
      set is_active = :isActive, is_featured = :isFeatured, is_compliant = :isCompliant,
          weight_tolerance = :weightTolerance, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);

export const touchProduct = statement<{ id: number; updatedAt: string }>(
  'touch_product',
  'update products set updated_at = :updatedAt where organization_id = :organizationId and id = :id',
);

/**
 * The new set of options, in order: new ids are created, existing ones are updated. `updated_at` changes only with
 * their values.
 */
export const saveOptions = statement<{ productId: number; options: string; at: string }>(
  'save_options',
  `insert into product_options (organization_id, id, product_id, position, name, amount, price_cents,
          sales_price_cents, upc, content, ${potencyColumns}, created_at, updated_at)
   select :organizationId::bigint, m.id, :productId::bigint, m.position, m.name, m.amount, m.price_cents,
          m.sales_price_cents, m.upc, m.content, m.thc_percent, m.thc_mg, m.cbd_percent, m.cbd_mg, :at::timestamptz, :at::timestamptz
     from jsonb_to_recordset(:options::jsonb) as m(id bigint, position integer, name text, amount numeric,
          price_cents bigint, sales_price_cents bigint, upc text, content numeric, thc_percent numeric, thc_mg numeric, cbd_percent numeric, cbd_mg numeric)
   on conflict (organization_id, id) do update
      set position = excluded.position, name = excluded.name, amount = excluded.amount,
          price_cents = excluded.price_cents, sales_price_cents = excluded.sales_price_cents,
          upc = excluded.upc, content = excluded.content, thc_percent = excluded.thc_percent, thc_mg = excluded.thc_mg,
          cbd_percent = excluded.cbd_percent, cbd_mg = excluded.cbd_mg,
          updated_at = case
            when (product_options.name, product_options.amount, product_options.price_cents,
                  product_options.sales_price_cents, product_options.upc, product_options.content, product_options.thc_percent, product_options.thc_mg,
                  product_options.cbd_percent, product_options.cbd_mg)
              is distinct from (excluded.name, excluded.amount, excluded.price_cents,
                  excluded.sales_price_cents, excluded.upc, excluded.content, excluded.thc_percent, excluded.thc_mg, excluded.cbd_percent,
                  excluded.cbd_mg)
            then excluded.updated_at else product_options.updated_at end`,
);

/** Marks options as changed whose values are in other tables. */
export const touchOptions = statement<{ optionIds: readonly number[]; at: string }>(
  'touch_options',
  `update product_options set updated_at = :at where organization_id = :organizationId and id = any(:optionIds)`,
);

export const setUpcs = statement<{ productId: number; upcs: string; at: string }>(
  'set_upcs',
  `update product_options o set upc = m.upc, updated_at = :at
     from jsonb_to_recordset(:upcs::jsonb) as m(id bigint, upc text)
    where o.organization_id = :organizationId and o.product_id = :productId and o.id = m.id`,
);

export const deleteOptions = statement<{ optionIds: readonly number[]; at: string }>(
  'delete_options',
  `update product_options set deleted_at = :at, updated_at = :at
    where organization_id = :organizationId and id = any(:optionIds)`,
);

/** Any option that is on sale: for the example of a cart in a new shop. */
export const selectAnyOption = statement<Record<never, never>, { id: number }>(
  'select_any_option',
  `select o.id from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
    where o.organization_id = :organizationId and p.is_active and p.deleted_at is null and o.deleted_at is null
    order by o.id limit 1`,
);
