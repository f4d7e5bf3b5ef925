import { type Decimal, decimal, wholeTimes, zero } from '../../kernel/decimal.ts';
import type { SellableStockRow } from './inventory-queries.ts';

/** The stock that one line needs (D47): the stock item and the total amount. */
export interface StockNeed {
  readonly lineIndex: number;
  readonly productId: number;
  /** 0 when stock is kept per product. */
  readonly optionId: number;
  readonly amount: Decimal;
}

/** The amount that a line takes from one balance. */
export interface StockPick {
  readonly lineIndex: number;
  readonly stock: SellableStockRow;
  readonly amount: Decimal;
}

type AllocationVerdict =
  | { readonly ok: true; readonly picks: readonly StockPick[] }
  /** The first line, in cart order, without enough stock after the lines before it. */
  | { readonly ok: false; readonly shortLineIndex: number };

/**
 * Allocates stock to every line (D24): locations in the given order, and in each the oldest package first (the rows
 * are sorted by age). Demand is summed over the lines: stock that one line takes is not available to the next.
 */
export function allocateStock(
  needs: readonly StockNeed[],
  stock: readonly SellableStockRow[],
  locationIds: readonly number[],
): AllocationVerdict {
  const left = new Map<SellableStockRow, Decimal>();
  const rowsInOrder = locationIds.flatMap((id) => stock.filter((row) => row.inventory_location_id === id));
  const picks: StockPick[] = [];
  for (const need of needs) {
    let missing = need.amount;
    for (const row of rowsInOrder) {
      if (missing.lte(zero)) break;
      if (row.product_id !== need.productId || row.product_option_id !== need.optionId) continue;
      const available = left.get(row) ?? decimal(row.on_hand);
      if (available.lte(zero)) continue;
      const amount = available.lt(missing) ? available : missing;
      left.set(row, available.minus(amount));
      missing = missing.minus(amount);
      picks.push({ lineIndex: need.lineIndex, stock: row, amount });
    }
    if (missing.gt(zero)) return { ok: false, shortLineIndex: need.lineIndex };
  }
  return { ok: true, picks };
}

/** The number of units of an option that can be sold (D47); null when its stock is not tracked. */
export function maxQuantity(
  option: { readonly inventoryType: 'option' | 'product' | 'none'; readonly amount: string },
  available: Decimal,
): number | null {
  switch (option.inventoryType) {
    case 'none':
      return null;
    case 'option':
      return wholeTimes(available, decimal(1));
    case 'product':
      return wholeTimes(available, decimal(option.amount));
  }
}

/** The stock that a line needs (D47), or null when its stock is not tracked. */
export function stockNeedOf(
  lineIndex: number,
  line: {
    readonly inventoryType: 'option' | 'product' | 'none';
    readonly productId: number;
    readonly optionId: number;
    readonly optionAmount: string;
    readonly quantity: number;
  },
): StockNeed | null {
  switch (line.inventoryType) {
    case 'none':
      return null;
    case 'option':
      return {
        lineIndex,
        productId: line.productId,
        optionId: line.optionId,
        amount: decimal(line.quantity),
      };
    case 'product':
      return {
        lineIndex,
        productId: line.productId,
        optionId: 0,
        amount: decimal(line.optionAmount).times(line.quantity),
      };
  }
}
