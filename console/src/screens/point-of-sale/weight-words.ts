import { priceByWeight } from '../../../../src/engines/offline-pricing/price-offline.ts';
import { dollars } from '../../parts/dollars.ts';
import type { LooseGoods } from '../../parts/sale-options.ts';
import { t } from '../../words/words.ts';

/** `$25.00, the price of 3.5 g`; by which size, and why. */
export function priceInWords(goods: LooseGoods, grams: string): string {
  const { cents, size, by } = priceByWeight(grams, goods.sizes, goods.tolerance);
  const price = dollars(cents);
  if (by === 'rate') return t`${price}, at the price by the gram of ${size.amount} g`;
  if (Number(size.amount) < Number(grams))
    return t`${price}, the price of ${size.amount} g: the rest is within the tolerance`;
  if (Number(size.amount) > Number(grams))
    return t`${price}, the price of ${size.amount} g: it is no more than that`;
  return t`${price}, the price of ${size.amount} g`;
}
