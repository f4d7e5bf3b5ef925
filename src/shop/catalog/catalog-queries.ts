import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on the catalog's tables. */

export type StrainType =
  | 'sativa'
  | 'indica'
  | 'hybrid'
  | 'hybrid-sativa'
  | 'hybrid-indica'
  | 'cbd'
  | 'mixed'
  | 'none';

export type InventoryType = 'option' | 'product' | 'none';

export interface CategoryRow {
  id: number;
  name: string;
  display_order: number;
  cannabis_type: CannabisType;
  created_at: number;
  updated_at: number;
}

/** D16: by display order, then id. */
export const selectCategories = statement<Record<never, never>, CategoryRow>(
  'select_categories',
  `select id, name, display_order, cannabis_type, created_at, updated_at from product_categories
    where organization_id = :organizationId and deleted_at is null order by display_order, id`,
);

export interface SubCategoryRow {
  id: number;
  organization_id: number;
  name: string;
  created_at: number;
  updated_at: number;
}

/** D16: by name, ignoring case. Otherwise in code-point order, so that it is the same on every server. */
export const selectSubCategories = statement<Record<never, never>, SubCategoryRow>(
  'select_sub_categories',
  `select id, organization_id, name, created_at, updated_at from product_sub_categories
    where organization_id = :organizationId order by name_key collate "C", name collate "C", id`,
);

/** D16: by id. With the ids of the active products that the menu shows. */
export const selectTags = statement<
  Record<never, never>,
  { id: number; name: string; description: string | null; product_ids: number[] | null }
>(
  'select_tags',
  `select t.id, t.name, t.description,
          (select array_agg(l.product_id order by l.product_id) from product_tags l
             join products p on p.organization_id = l.organization_id and p.id = l.product_id
            where l.organization_id = t.organization_id and l.tag_id = t.id
              and p.deleted_at is null and p.is_active) as product_ids
     from tags t where t.organization_id = :organizationId order by t.id`,
);

/** In a column of JSON, by the names of the interface. */
export interface Terpene {
  readonly name: string;
  /** Decimal text; null: not measured. */
  readonly percent: string | null;
}

export interface LabResult {
  readonly lab: string;
  /** YYYY-MM-DD. */
  readonly date: string | null;
  readonly certificateUrl: string | null;
}

export interface ProductRow {
  id: number;
  organization_id: number;
  name: string;
  description: string;
  unit: 'gram' | 'item';
  strain_type: StrainType;
  brand_id: number | null;
  primary_category_id: number;
  sub_category_ids: number[];
  inventory_type: InventoryType;
  is_active: boolean;
  is_featured: boolean;
  is_compliant: boolean;
  /** Grams above a size that cost nothing more; null: not sold by weight. */
  weight_tolerance: string | null;
  thc_amount: string | null;
  thc_amount_each: string | null;
  thc_amount_range_low: string | null;
  thc_amount_range_high: string | null;
  thc_unit: '%' | 'mg' | null;
  cbd_amount: string | null;
  cbd_amount_each: string | null;
  cbd_amount_range_low: string | null;
  cbd_amount_range_high: string | null;
  cbd_unit: '%' | 'mg' | null;
  strain: string | null;
  sku: string | null;
  terpenes: readonly Terpene[];
  effects: string[];
  flavours: string[];
  lab_results: readonly LabResult[];
  moving_average_cost_per_unit: string | null;
  created_at: number;
  updated_at: number;
}

const productColumns = `id, organization_id, name, description, unit, strain_type, brand_id, primary_category_id,
  sub_category_ids, inventory_type, is_active, is_featured, is_compliant, weight_tolerance,
  thc_amount, thc_amount_each, thc_amount_range_low, thc_amount_range_high, thc_unit,
  cbd_amount, cbd_amount_each, cbd_amount_range_low, cbd_amount_range_high, cbd_unit,
  strain, sku, terpenes, effects, flavours, lab_results,
  moving_average_cost_per_unit, created_at, updated_at`;

/** Menus list products by category's display order, then name; `activeOnly` leaves out inactive products. */
export const selectProducts = statement<{ activeOnly: boolean }, ProductRow>(
  'select_products',
  `select ${productColumns} from products
    where organization_id = :organizationId and deleted_at is null and (is_active or not :activeOnly::boolean)
    order by id`,
);

/** What one unit of an option holds, in its table. */
export const potencyColumns = 'thc_percent, thc_mg, cbd_percent, cbd_mg';

/** Decimal text; null: not stated for the option. */
export interface OptionPotencyRow {
  thc_percent: string | null;
  thc_mg: string | null;
  cbd_percent: string | null;
  cbd_mg: string | null;
}

export interface OptionRow extends OptionPotencyRow {
  id: number;
  product_id: number;
  name: string | null;
  amount: string;
  price_cents: number;
  sales_price_cents: number | null;
  upc: string | null;
  content: string | null;
  moving_average_cost_per_unit: string | null;
  created_at: number;
  updated_at: number;
}

export const selectOptions = statement<Record<never, never>, OptionRow>(
  'select_options',
  `select id, product_id, name, amount, price_cents, sales_price_cents, upc, content,
          ${potencyColumns}, moving_average_cost_per_unit, created_at, updated_at
     from product_options where organization_id = :organizationId and deleted_at is null
    order by product_id, position, id`,
);

export interface BrandRow {
  id: number;
  name: string;
  description: string | null;
  created_at: number;
  updated_at: number;
}

export const selectBrands = statement<Record<never, never>, BrandRow>(
  'select_brands',
  `select id, name, description, created_at, updated_at from brands
    where organization_id = :organizationId and deleted_at is null order by id`,
);

/** What pages show of a photo. */
export interface ShownPhotoRow {
  id: number;
  /** Null: the whole product's. */
  product_option_id: number | null;
  /** A path of ours ("/photos/…") once the picture is stored here, else the submitted address. */
  location: string;
  alt_text: string | null;
}

/** The photos of all products and options. Those of an option have no product of their own. */
export const selectPhotos = statement<Record<never, never>, ShownPhotoRow & { product_id: number | null }>(
  'select_photos',
  `select id, product_id, product_option_id, location, alt_text from product_photos
    where organization_id = :organizationId order by product_id, product_option_id, position, id`,
);

const stampColumns = { createdAt: 'created_at', updatedAt: 'updated_at' };
type Stamps = { createdAt: string; updatedAt: string };

export const insertBrands = insertMany<{ id: number; name: string; description: string | null } & Stamps>(
  'brands',
  { id: 'id', name: 'name', description: 'description', ...stampColumns },
);

export const insertCategories = insertMany<
  { id: number; name: string; displayOrder: number; cannabisType: string } & Stamps
>('product_categories', {
  id: 'id',
  name: 'name',
  displayOrder: 'display_order',
  cannabisType: 'cannabis_type',
  ...stampColumns,
});

export const insertSubCategories = insertMany<{ id: number; name: string } & Stamps>(
  'product_sub_categories',
  {
    id: 'id',
    name: 'name',
    ...stampColumns,
  },
);

export const insertTags = insertMany<{ id: number; name: string; description: string | null } & Stamps>(
  'tags',
  {
    id: 'id',
    name: 'name',
    description: 'description',
    ...stampColumns,
  },
);

export const insertProductTags = insertMany<{ tagId: number; productId: number }>('product_tags', {
  tagId: 'tag_id',
  productId: 'product_id',
});

/** Each is of a product or of an option. */
export const insertPhotos = insertMany<{
  id: number;
  productId: number | null;
  optionId: number | null;
  position: number;
  location: string;
  altText: string | null;
  byteCount: number | null;
}>('product_photos', {
  id: 'id',
  productId: 'product_id',
  optionId: 'product_option_id',
  position: 'position',
  location: 'location',
  altText: 'alt_text',
  byteCount: 'byte_count',
});

export const insertProducts = insertMany<
  {
    id: number;
    name: string;
    description: string;
    unit: string;
    strainType: string;
    brandId: number | null;
    categoryId: number;
    subCategoryIds: readonly number[];
    inventoryType: string;
    isActive: boolean;
    isFeatured: boolean;
    isCompliant: boolean;
    weightTolerance: string | null;
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
    movingAverageCostPerUnit: string | null;
  } & Stamps
>('products', {
  id: 'id',
  name: 'name',
  description: 'description',
  unit: 'unit',
  strainType: 'strain_type',
  brandId: 'brand_id',
  categoryId: 'primary_category_id',
  subCategoryIds: 'sub_category_ids',
  inventoryType: 'inventory_type',
  isActive: 'is_active',
  isFeatured: 'is_featured',
  isCompliant: 'is_compliant',
  weightTolerance: 'weight_tolerance',
  thcAmount: 'thc_amount',
  thcAmountEach: 'thc_amount_each',
  thcAmountRangeLow: 'thc_amount_range_low',
  thcAmountRangeHigh: 'thc_amount_range_high',
  thcUnit: 'thc_unit',
  cbdAmount: 'cbd_amount',
  cbdAmountEach: 'cbd_amount_each',
  cbdAmountRangeLow: 'cbd_amount_range_low',
  cbdAmountRangeHigh: 'cbd_amount_range_high',
  cbdUnit: 'cbd_unit',
  strain: 'strain',
  sku: 'sku',
  terpenes: 'terpenes',
  effects: 'effects',
  flavours: 'flavours',
  labResults: 'lab_results',
  movingAverageCostPerUnit: 'moving_average_cost_per_unit',
  ...stampColumns,
});

export const insertOptions = insertMany<
  {
    id: number;
    productId: number;
    position: number;
    name: string | null;
    amount: string;
    priceCents: number;
    salesPriceCents: number | null;
    upc: string | null;
    content: string | null;
    movingAverageCostPerUnit: string | null;
    thcPercent: string | null;
    thcMg: string | null;
    cbdPercent: string | null;
    cbdMg: string | null;
  } & Stamps
>('product_options', {
  id: 'id',
  productId: 'product_id',
  position: 'position',
  name: 'name',
  amount: 'amount',
  priceCents: 'price_cents',
  salesPriceCents: 'sales_price_cents',
  upc: 'upc',
  content: 'content',
  thcPercent: 'thc_percent',
  thcMg: 'thc_mg',
  cbdPercent: 'cbd_percent',
  cbdMg: 'cbd_mg',
  movingAverageCostPerUnit: 'moving_average_cost_per_unit',
  ...stampColumns,
});
