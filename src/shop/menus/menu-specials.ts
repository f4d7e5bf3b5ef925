import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { specialPrices, specialsInForce } from '../carts/carts.ts';
import type { SpecialPrice, SpecialPriceRows } from '../carts/special-prices.ts';
import type { BrandRow, CategoryRow, OptionRow, ProductRow, SellableOptionRow } from '../catalog/products.ts';

export type MenuType = 'delivery' | 'pickup' | 'in-store';

/** The rows of a menu that price its options. */
interface PricedCatalog {
  readonly products: readonly ProductRow[];
  readonly optionsOf: ReadonlyMap<number, readonly OptionRow[]>;
  readonly brands: ReadonlyMap<number, BrandRow>;
  readonly categoryOf: ReadonlyMap<number, CategoryRow>;
  readonly tagsOf: ReadonlyMap<number, readonly { readonly id: number }[]>;
  readonly specialRows: SpecialPriceRows;
}

/** The special prices of a menu's options, by option id (D68). */
export function menuSpecials({ law, clock }: Context, type: MenuType, catalog: PricedCatalog) {
  const options = catalog.products.flatMap((product) =>
    (catalog.optionsOf.get(product.id) ?? []).map((option) => sellableOption(product, option, catalog)),
  );
  return specialPrices(type, options, catalog.specialRows, law.current, clock.now());
}

/** See `specialsInForce`. */
export function menuSpecialsInForce({ law, clock }: Context, type: MenuType, rows: SpecialPriceRows): string {
  return specialsInForce(type, rows, law.current, clock.now());
}

/**
 * The prices of an option in the menu. `displayPrice` is the one rule for every place that shows a price without a cart:
 * boards, shop pages, and the filters and sorts by price.
 */
export function shownPrices(
  option: { readonly price: number; readonly salesPrice: number | null },
  special: SpecialPrice | undefined,
) {
  const {
    cents = null,
    displayCents = null,
    minimumOrderCents = null,
    name = null,
    endsAtMs = null,
  } = special ?? {};
  return {
    displayPrice: displayCents ?? option.salesPrice ?? option.price,
    specialPrice: cents,
    specialMinimumOrder: minimumOrderCents,
    specialName: name,
    specialEndsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
}

/** The row that carts read of an option of an active product. */
function sellableOption(product: ProductRow, option: OptionRow, catalog: PricedCatalog): SellableOptionRow {
  const category = catalog.categoryOf.get(product.primary_category_id)!;
  return {
    option_id: option.id,
    option_name: option.name,
    option_amount: option.amount,
    option_content: option.content,
    // Specials are without taxes and limits.
    option_thc_percent: null,
    option_thc_mg: null,
    option_moving_average_cost: option.moving_average_cost_per_unit,
    price_cents: option.price_cents,
    sales_price_cents: option.sales_price_cents,
    product_id: product.id,
    product_name: product.name,
    product_unit: product.unit,
    product_strain_type: product.strain_type,
    product_is_active: product.is_active,
    product_is_featured: product.is_featured,
    ...{ weight_tolerance: null, sizes: null },
    product_is_deleted: false,
    product_moving_average_cost: product.moving_average_cost_per_unit,
    inventory_type: product.inventory_type,
    sub_category_ids: product.sub_category_ids,
    brand_id: product.brand_id,
    brand_name: product.brand_id === null ? null : catalog.brands.get(product.brand_id)!.name,
    tag_ids: (catalog.tagsOf.get(product.id) ?? []).map(({ id }) => id),
    category_id: category.id,
    category_name: category.name,
    cannabis_type: category.cannabis_type,
  };
}
