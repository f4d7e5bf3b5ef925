import { assert } from '../../kernel/assert.ts';
import type { CartLine } from './pricing-facts.ts';

/**
 * One line per product option, at the place of its first line, with the quantities added up (D19). Lines of the
 * same option must be equal in everything except the quantity.
 */
export function mergeLines(lines: readonly CartLine[]): CartLine[] {
  const merged = new Map<number, CartLine>();
  for (const line of lines) {
    assert(
      Number.isSafeInteger(line.quantity) && line.quantity >= 1,
      () => `not a quantity: ${line.quantity}`,
    );
    const earlier = merged.get(line.productOptionId);
    if (earlier === undefined) {
      merged.set(line.productOptionId, line);
      continue;
    }
    assert(
      earlier.productId === line.productId &&
        earlier.productCategoryId === line.productCategoryId &&
        earlier.priceCents === line.priceCents &&
        earlier.salesPriceCents === line.salesPriceCents &&
        earlier.givenPriceCents === line.givenPriceCents &&
        earlier.productBrandId === line.productBrandId &&
        earlier.isCannabis === line.isCannabis &&
        earlier.productTagIds?.join() === line.productTagIds?.join(),
      `lines of option ${line.productOptionId} contradict each other`,
    );
    merged.set(line.productOptionId, { ...line, quantity: earlier.quantity + line.quantity });
  }
  return [...merged.values()];
}
