import { canonicalDecimalText, decimal } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type OptionRow,
  optionView,
  type ProductRow,
  photosByOwner,
  photosView,
  productStatements,
  type ShownPhotoRow,
  shownProductView,
  unitPlural,
} from '../catalog/products.ts';
import { maxQuantity, type StockLevelRow, selectStockLevelsOfProducts } from '../inventory/stock.ts';

/** A product as `GET products/all` shows it (D17). */

type PhotosOf = ReturnType<typeof photosByOwner>;
type LevelsOf = ReadonlyMap<string, readonly StockLevelRow[]>;

/** Products that are not deleted, in the shape of that list. */
export async function catalogProductsById(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  ids: readonly number[],
  photoUrl: (location: string) => string,
) {
  const [products, options, photos, subCategories, levels] = await database.read(
    organization,
    ...productStatements(ids),
    selectStockLevelsOfProducts({ productIds: ids, at: isoTimestamp(clock.now()) }),
  );
  const subCategoryOf = new Map(subCategories.map((row) => [row.id, row]));
  const optionsOf = groupBy(options, (row) => row.product_id);
  const photosOf = photosByOwner(photos);
  const stockOf = groupBy(levels, (row) => stockKey(row.product_id, row.product_option_id));
  return products
    .filter((row) => row.deleted_at === null)
    .map((row) =>
      catalogProduct(shownProductView(row, subCategoryOf), row, {
        options: optionsOf.get(row.id) ?? [],
        photosOf,
        levelsOf: stockOf,
        photoUrl,
      }),
    );
}

/** `fields` are those of every response; the others are added to them, because a copy of so many took longer than their values. */
export function catalogProduct<Fields extends { readonly id: number }>(
  fields: Fields,
  product: Pick<ProductRow, 'id' | 'unit' | 'inventory_type' | 'moving_average_cost_per_unit'>,
  {
    options,
    photosOf,
    levelsOf: stock,
    photoUrl,
  }: {
    readonly options: readonly OptionRow[];
    readonly photosOf: PhotosOf;
    readonly levelsOf: LevelsOf;
    readonly photoUrl: (location: string) => string;
  },
) {
  const byProduct = product.inventory_type === 'product';
  const byOption = product.inventory_type === 'option';
  return Object.assign(fields, shelfFields(product, photosOf.ofProduct.get(product.id) ?? [], photoUrl), {
    locationInventory: byProduct
      ? (stock.get(stockKey(product.id, 0)) ?? []).map((level) => ({
          inventoryLocationId: level.inventory_location_id,
          amount: canonicalDecimalText(level.on_hand),
        }))
      : [],
    movingAverageCostPerUnit: byProduct ? textOrNull(product.moving_average_cost_per_unit) : null,
    options: options.map((option) =>
      Object.assign(optionView(option, product.unit), {
        photos: photosView(photosOf.ofOption.get(option.id) ?? [], photoUrl),
        productId: product.id,
        locationInventory: byOption
          ? levelsOf(stock, product, option).map((level) => ({
              inventoryLocationId: level.inventory_location_id,
              amount: canonicalDecimalText(level.on_hand),
              maxQuantity: maxQuantity(
                { inventoryType: product.inventory_type, amount: option.amount },
                decimal(level.sellable),
              ),
            }))
          : [],
        movingAverageCostPerUnit: byOption ? textOrNull(option.moving_average_cost_per_unit) : null,
      }),
    ),
  });
}

/** The levels of the item that holds an option's stock (D47). */
export function levelsOf(
  stock: LevelsOf,
  product: Pick<ProductRow, 'id' | 'inventory_type'>,
  option: Pick<OptionRow, 'id'>,
): readonly StockLevelRow[] {
  return stock.get(stockKey(product.id, product.inventory_type === 'product' ? 0 : option.id)) ?? [];
}

/** The fields of a product that the menu and the list of all products add to those of every response (D17, D17a). */
export function shelfFields(
  product: Pick<ProductRow, 'unit'>,
  photos: readonly ShownPhotoRow[],
  photoUrl: (location: string) => string,
) {
  return {
    unitPlural: unitPlural(product.unit),
    photos: photosView(photos, photoUrl),
  };
}

/** The key of an item's stock; an option of 0 is the product as a whole. */
export function stockKey(productId: number, optionId: number): string {
  return `${productId}/${optionId}`;
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : canonicalDecimalText(text);
}
