import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import type { ShopContent } from './shop-content.ts';
import { isSellable } from './stocking.ts';

/** An option on sale at one location. */
export interface ShelfItem {
  readonly optionKey: string;
  /** The counted item: the option, or the whole product if it is sold by weight; null if stock is not kept. */
  readonly stockKey: string | null;
  /** Pieces or grams per unit. */
  readonly need: number;
  /** Relative frequency of sales: goods that sell well are stocked well. */
  readonly weight: number;
  readonly unitPriceCents: number;
  readonly cannabisType: CannabisType;
  readonly content: number;
  readonly receipts: readonly { readonly daysAgo: number; readonly amount: number }[];
}

/**
 * The stock of a shop while the script plays. Every placed order takes its share permanently, drafts and canceled
 * ones too. This is stricter than the shop itself, so the script never sells missing stock.
 */
export class ScriptedStock {
  readonly #shelves = new Map<string, ShelfItem[]>();
  readonly #taken = new Map<ShelfItem['receipts'], number>();

  constructor(shop: ShopContent) {
    const receiptsByStock = new Map<string, { daysAgo: number; amount: number }[]>();
    const arrivals = [...shop.packages.filter(isSellable), ...shop.looseStock];
    for (const { optionKey, productKey, locationName, initialAmount, receivedDaysAgo } of arrivals) {
      const key = `${locationName}/${optionKey ?? productKey}`;
      const receipts = receiptsByStock.get(key) ?? [];
      receipts.push({ daysAgo: receivedDaysAgo, amount: Number(initialAmount) });
      receiptsByStock.set(key, receipts);
    }
    const typeByCategory = new Map(shop.categories.map(({ name, cannabisType }) => [name, cannabisType]));

    for (const { name, type } of shop.locations) {
      const shelf: ShelfItem[] = [];
      for (const product of shop.products.filter(({ isActive }) => isActive)) {
        for (const option of product.options) {
          const weighedOut = product.inventoryType === 'product';
          const counted = product.inventoryType !== 'none';
          if (!counted && type === 'vehicle') continue;
          const stockKey = weighedOut ? product.key : option.key;
          const receipts = receiptsByStock.get(`${name}/${stockKey}`) ?? [];
          if (counted && receipts.length === 0) continue;
          const supply = receipts.reduce((sum, { amount }) => sum + amount, 0);
          // A jar sells in every size, large ones more rarely.
          const sharers = weighedOut ? product.options.length * 4 * Math.sqrt(option.amount) : 1;
          shelf.push({
            optionKey: option.key,
            stockKey: counted ? stockKey : null,
            need: weighedOut ? option.amount : 1,
            weight: counted ? supply / sharers : 8,
            unitPriceCents: option.salesPriceCents ?? option.priceCents,
            cannabisType: typeByCategory.get(product.categoryName)!,
            content: Number(option.content ?? 0),
            receipts,
          });
        }
      }
      this.#shelves.set(name, shelf);
    }
  }

  shelfOf(locationName: string): readonly ShelfItem[] {
    return this.#shelves.get(locationName)!;
  }

  /** Whether one more line fits beside the cart's lines, with the stock received before that day. */
  has(item: ShelfItem, cart: ReadonlyMap<ShelfItem, number>, quantity: number, daysAgo: number): boolean {
    if (item.stockKey === null) return true;
    let left = -(this.#taken.get(item.receipts) ?? 0);
    for (const receipt of item.receipts) if (receipt.daysAgo > daysAgo) left += receipt.amount;
    for (const [other, pieces] of cart) {
      if (other.receipts === item.receipts) left -= other.need * pieces;
    }
    return left >= item.need * quantity;
  }

  take(cart: ReadonlyMap<ShelfItem, number>): void {
    for (const [item, quantity] of cart) {
      this.#taken.set(item.receipts, (this.#taken.get(item.receipts) ?? 0) + item.need * quantity);
    }
  }
}
