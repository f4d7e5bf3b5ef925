import { isoTimestamp } from '../src/kernel/local-time.ts';
import type { Context } from '../src/platform/database/context.ts';
import { selectSellableStockOfOptions } from '../src/shop/inventory/stock.ts';
import type { TradingShop } from './loaded-shop.ts';
import type { CategoryContent, OptionContent, ProductContent } from './shop-content.ts';

/** The stock for sale at a location, of a product whose stock is kept per option. */
export interface ShelvedOption {
  readonly product: ProductContent;
  readonly option: OptionContent;
  readonly cannabisType: CategoryContent['cannabisType'];
  readonly productId: number;
  readonly optionId: number;
  /** In whole pieces, in the order of sale; null: without a package. */
  readonly lots: readonly { readonly packageId: number | null; readonly onHand: number }[];
  /** Over all lots. */
  readonly onHand: number;
}

/** The options in stock at a location now, in the order of the content. */
export async function shelvedAt(
  context: Context,
  { organization, content, optionIds, locationIds }: TradingShop,
  locationName: string,
): Promise<ShelvedOption[]> {
  const [rows] = await context.database.read(
    organization,
    selectSellableStockOfOptions({
      optionIds: [...optionIds.values()],
      at: isoTimestamp(context.clock.now()),
    }),
  );
  const typeOf = new Map(content.categories.map(({ name, cannabisType }) => [name, cannabisType]));
  const here = rows.filter((row) => row.inventory_location_id === locationIds.get(locationName));
  return content.products
    .filter(({ isActive, inventoryType }) => isActive && inventoryType === 'option')
    .flatMap((product) =>
      product.options.flatMap((option) => {
        const optionId = optionIds.get(option.key)!;
        const held = here.filter((row) => row.product_option_id === optionId);
        if (held.length === 0) return [];
        const lots = held.map((row) => ({ packageId: row.package_id || null, onHand: Number(row.on_hand) }));
        return [
          {
            product,
            option,
            cannabisType: typeOf.get(product.categoryName)!,
            productId: held[0]!.product_id,
            optionId,
            lots,
            onHand: lots.reduce((sum, lot) => sum + lot.onHand, 0),
          },
        ];
      }),
    );
}

/** The location of the counter, and the location of the back stock. */
export function placesOf({ content }: TradingShop): { readonly floor: string; readonly vault: string } {
  const { locationNames } = content.organization;
  return { floor: locationNames['in-store'][0]!, vault: locationNames.delivery.at(-1)! };
}
