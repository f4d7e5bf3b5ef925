import type { Schema } from '../api.ts';
import type { SaleOption } from './sale-options.ts';

type Level = Pick<Schema['StockLevel'], 'productId' | 'productOptionId' | 'inventoryLocationId' | 'sellable'>;

/** Maximum decimal places of stock. */
const places = 6;

/**
 * Sellable whole units of an option at these locations, from known levels; null: its stock is not tracked, or no level is
 * known. With stock per product, each unit uses the amount of the option. Exact.
 */
export function unitsInStock(
  { productId, productOptionId, amount, inventoryType }: SaleOption,
  levels: readonly Level[],
  locationIds: readonly number[],
): number | null {
  if (inventoryType === 'none') return null;
  const ofOption = inventoryType === 'option' ? productOptionId : null;
  const own = levels.filter((it) => it.productId === productId && it.productOptionId === ofOption);
  const each = ofOption === null ? scaled(String(amount)) : scaled('1');
  if (own.length === 0 || each === 0n) return null;
  const there = own
    .filter(({ inventoryLocationId }) => locationIds.includes(inventoryLocationId))
    .reduce((sum, { sellable }) => sum + scaled(sellable), 0n);
  return Number(there / each);
}

function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
}
