import { type Decimal, decimal, wholeTimes, zero } from '../../kernel/decimal.ts';
import type { SellableStockRow } from './inventory-queries.ts';

/** The stock that one line needs (D47): the stock item and the total amount. */
export interface StockNeed {
  readonly lineIndex: number;
  readonly productId: number;
  /** 0 when stock is kept per product. */
  readonly optionId: number;
  readonly amount: Decimal;
  /** What of the amount comes from packages that staff chose; absent: nothing. */
  readonly chosen?: readonly ChosenStock[];
}

/** Stock that a line takes from one package and no other. */
export interface ChosenStock {
  readonly packageId: number;
  readonly amount: Decimal;
}

/** The amount that a line takes from one balance. */
export interface StockPick {
  readonly lineIndex: number;
  readonly stock: SellableStockRow;
  readonly amount: Decimal;
}

/** The first line, in cart order, without enough stock after the lines before it. */
export interface Shortage {
  readonly shortLineIndex: number;
  /** The chosen package that has too little; null: all stock together has. */
  readonly packageId: number | null;
}

type AllocationVerdict =
  | { readonly ok: true; readonly picks: readonly StockPick[] }
  | ({ readonly ok: false } & Shortage);

/**
 * Allocates stock to every line (D24): locations in the given order, and in each the oldest package first (the rows
 * are sorted by age). Demand is summed over the lines: stock that one line takes is not available to the next. Chosen packages
 * come first, so that no other line takes what staff weighed out of them.
 */
export function allocateStock(
  needs: readonly StockNeed[],
  stock: readonly SellableStockRow[],
  locationIds: readonly number[],
): AllocationVerdict {
  const left = new Map<SellableStockRow, Decimal>();
  const rowsInOrder = locationIds.flatMap((id) => stock.filter((row) => row.inventory_location_id === id));
  const picks: StockPick[] = [];
  /** What is missing after all that there is was taken, of one package or of any. */
  const take = ({ lineIndex, productId, optionId }: StockNeed, wanted: Decimal, packageId: number | null) => {
    let missing = wanted;
    for (const row of rowsInOrder) {
      if (missing.lte(zero)) break;
      if (row.product_id !== productId || row.product_option_id !== optionId) continue;
      if (packageId !== null && row.package_id !== packageId) continue;
      const available = left.get(row) ?? decimal(row.on_hand);
      if (available.lte(zero)) continue;
      const amount = available.lt(missing) ? available : missing;
      left.set(row, available.minus(amount));
      missing = missing.minus(amount);
      const before = picks.findIndex((pick) => pick.lineIndex === lineIndex && pick.stock === row);
      // A line has one part of a balance.
      if (before === -1) picks.push({ lineIndex, stock: row, amount });
      else picks[before] = { ...picks[before]!, amount: picks[before]!.amount.plus(amount) };
    }
    return missing;
  };
  for (const need of needs) {
    for (const { packageId, amount } of need.chosen ?? []) {
      if (take(need, amount, packageId).gt(zero)) {
        return { ok: false, shortLineIndex: need.lineIndex, packageId };
      }
    }
  }
  for (const need of needs) {
    const chosen = (need.chosen ?? []).reduce((sum, { amount }) => sum.plus(amount), zero);
    if (take(need, need.amount.minus(chosen), null).gt(zero)) {
      return { ok: false, shortLineIndex: need.lineIndex, packageId: null };
    }
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

interface StockedLine {
  readonly inventoryType: 'option' | 'product' | 'none';
  readonly productId: number;
  readonly optionId: number;
  readonly optionAmount: string;
  readonly quantity: number;
}

/** What of a line comes from a package: so many units, or a weight of goods sold loose. */
interface ChosenPart {
  readonly packageId: number;
  readonly quantity: number;
  readonly weight?: string | undefined;
}

/** The stock that a line needs (D47), and what of it from which packages; null when its stock is not tracked. */
export function stockNeedOf(
  lineIndex: number,
  { inventoryType, productId, optionId, optionAmount, quantity }: StockedLine,
  parts: readonly ChosenPart[] = [],
): StockNeed | null {
  if (inventoryType === 'none') return null;
  const isOfProduct = inventoryType === 'product';
  const amountOf = (count: number) => (isOfProduct ? decimal(optionAmount).times(count) : decimal(count));
  const chosen = parts.map((part) => ({
    packageId: part.packageId,
    amount: part.weight === undefined ? amountOf(part.quantity) : decimal(part.weight),
  }));
  return {
    ...{ lineIndex, productId, optionId: isOfProduct ? 0 : optionId, amount: amountOf(quantity) },
    ...(chosen.length > 0 && { chosen }),
  };
}
