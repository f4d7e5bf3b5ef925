import type { Schema } from '../api.ts';
import type { SaleOption } from './sale-options.ts';

/** Maximum decimal places of stock. */
const places = 6;

/**
 * Sellable whole units of an option, from known stock; null: its stock is not tracked, or none is known. With stock per product,
 * each unit uses the amount of the option. Exact.
 */
export function unitsInStock(
  { productId, productOptionId, amount, inventoryType }: SaleOption,
  known: readonly Schema['SellableStock'][],
): number | null {
  if (inventoryType === 'none') return null;
  const ofOption = inventoryType === 'option' ? productOptionId : null;
  const own = known.find((it) => it.productId === productId && it.productOptionId === ofOption);
  const each = ofOption === null ? scaled(String(amount)) : scaled('1');
  return own === undefined || each === 0n ? null : Number(scaled(own.sellable) / each);
}

function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
}
