import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import type { StatedContent } from '../../engines/goods/potency.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { InventoryType, StrainType } from './catalog-queries.ts';

/** The options that carts sell. */

/** The fields of an option, its product, brand and category that a cart needs. */
export interface SellableOptionRow {
  option_id: number;
  option_name: string | null;
  option_amount: string;
  option_content: string | null;
  /** As stated for the option, else for its product. */
  option_thc_percent: string | null;
  option_thc_mg: string | null;
  option_moving_average_cost: string | null;
  price_cents: number;
  sales_price_cents: number | null;
  /** Grams above a size that cost nothing more; null: not sold by weight. */
  weight_tolerance: string | null;
  /** The sizes of a product sold by weight, with their prices in cents. */
  sizes:
    | readonly { readonly amount: string; readonly price: number; readonly salesPrice: number | null }[]
    | null;
  /** Amount, content and prices are those of a weight. */
  is_weighed?: true;
  /** How that price came about. */
  weight_rule?: string;
  product_id: number;
  product_name: string;
  product_unit: 'gram' | 'item';
  product_strain_type: StrainType;
  product_is_active: boolean;
  product_is_featured: boolean;
  product_is_deleted: boolean;
  product_moving_average_cost: string | null;
  inventory_type: InventoryType;
  sub_category_ids: number[];
  /** Null: without a brand. */
  brand_id: number | null;
  brand_name: string | null;
  tag_ids: number[];
  category_id: number;
  category_name: string;
  cannabis_type: CannabisType;
}

/** What is stated of the content of an option. */
export function statedContent(option: SellableOptionRow): StatedContent {
  return {
    cannabisType: option.cannabis_type,
    unit: option.product_unit,
    amount: option.option_amount,
    content: option.option_content,
    thcPercent: option.option_thc_percent,
    thcMg: option.option_thc_mg,
  };
}

/** The same with its name and category. */
export function statedGoods(option: SellableOptionRow) {
  const { product_name: name, category_id: productCategoryId } = option;
  return { name, productCategoryId, stated: statedContent(option) };
}

const sellableOptions = `select o.id as option_id, o.name as option_name, o.amount as option_amount, o.content as option_content,
          coalesce(o.thc_percent, case when p.thc_unit = '%' then p.thc_amount end) as option_thc_percent,
          coalesce(o.thc_mg, case when p.thc_unit = 'mg' and not exists (
                     select 1 from product_options s
                      where s.organization_id = p.organization_id and s.product_id = p.id and s.id <> o.id
                        and s.deleted_at is null) then p.thc_amount end) as option_thc_mg,
          o.moving_average_cost_per_unit as option_moving_average_cost, o.price_cents, o.sales_price_cents,
          p.weight_tolerance, case when p.weight_tolerance is not null then (
            select json_agg(json_build_object('amount', s.amount::text, 'price', s.price_cents, 'salesPrice', s.sales_price_cents))
              from product_options s
             where s.organization_id = p.organization_id and s.product_id = p.id and s.deleted_at is null) end as sizes,
          p.id as product_id, p.name as product_name, p.unit as product_unit,
          p.strain_type as product_strain_type, p.is_active as product_is_active,
          p.is_featured as product_is_featured, p.deleted_at is not null as product_is_deleted,
          p.moving_average_cost_per_unit as product_moving_average_cost, p.inventory_type, p.sub_category_ids,
          array(select l.tag_id from product_tags l
                 where l.organization_id = p.organization_id and l.product_id = p.id order by l.tag_id) as tag_ids,
          b.id as brand_id, b.name as brand_name,
          c.id as category_id, c.name as category_name, c.cannabis_type
     from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id
     left join brands b on b.organization_id = p.organization_id and b.id = p.brand_id
     join product_categories c on c.organization_id = p.organization_id and c.id = p.primary_category_id`;

export const selectSellableOptions = statement<{ optionIds: readonly number[] }, SellableOptionRow>(
  'select_sellable_options',
  `${sellableOptions}
    where o.organization_id = :organizationId and o.id = any(:optionIds) and o.deleted_at is null`,
);

/** Options that were sold, even if they are deleted by now. */
export const selectSoldOptions = statement<{ optionIds: readonly number[] }, SellableOptionRow>(
  'select_sold_options',
  `${sellableOptions}
    where o.organization_id = :organizationId and o.id = any(:optionIds)`,
);

/** An option with what the counter shows of it. */
export interface CounterOptionRow extends SellableOptionRow {
  upc: string | null;
  /** As its product states it; amounts are decimal text. */
  thc: {
    readonly thcAmount: string | null;
    readonly thcAmountRangeLow: string | null;
    readonly thcAmountRangeHigh: string | null;
    readonly thcUnit: '%' | 'mg' | null;
  };
}

/** The options of a shop's whole counter, by id; one more than `limit` tells that there are more. */
export const selectOptionsOfCounter = statement<{ limit: number }, CounterOptionRow>(
  'select_options_of_counter',
  `${sellableOptions.replace(
    'o.price_cents,',
    `o.upc, json_build_object('thcAmount', trim_scale(p.thc_amount)::text, 'thcAmountRangeLow', trim_scale(p.thc_amount_range_low)::text,
       'thcAmountRangeHigh', trim_scale(p.thc_amount_range_high)::text, 'thcUnit', p.thc_unit) as thc, o.price_cents,`,
  )}
    where o.organization_id = :organizationId and o.deleted_at is null and p.deleted_at is null and p.is_active
    order by o.id limit :limit`,
);
