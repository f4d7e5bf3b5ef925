import { type PricedSize, priceByWeight } from '../../engines/pricing/price-by-weight.ts';
import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { SellableOptionRow } from '../catalog/products.ts';

/* Goods that are sold loose: a line of a weight is one unit of an option of that weight, at its price. */

export interface CartLineItem {
  readonly productOptionId: number;
  readonly quantity: number;
  /** Grams of goods sold loose, as decimal text; the quantity is 1. */
  readonly weight?: string | undefined;
}

type LineItems = readonly CartLineItem[];
type Size = NonNullable<SellableOptionRow['sizes']>[number];

/** Lines of one option add up to one weight. Fails with INVALID_PARAMS for a weight with a quantity, or beside a line without one. */
export function addWeights(lineItems: LineItems): LineItems {
  const weighed = lineItems.filter(({ weight }) => weight !== undefined);
  if (weighed.length === 0) return lineItems;
  for (const [index, { productOptionId, quantity, weight }] of lineItems.entries()) {
    const others = weighed.filter((it) => it.productOptionId === productOptionId);
    if (others.length === 0) continue;
    if (weight === undefined) {
      throw failure(
        'INVALID_PARAMS',
        `lineItems[${index}].weight is required: another line of this option has one`,
      );
    }
    if (quantity !== 1) {
      throw failure('INVALID_PARAMS', `lineItems[${index}].quantity must be 1 where weight is given`);
    }
  }
  const sums = new Map<number, string>();
  for (const { productOptionId, weight } of weighed) {
    sums.set(productOptionId, decimalText(decimal(sums.get(productOptionId) ?? '0').plus(weight!)));
  }
  return [
    ...new Map(
      lineItems.map((line) => [line.weight === undefined ? line : line.productOptionId, line]),
    ).values(),
  ].map((line) => (line.weight === undefined ? line : { ...line, weight: sums.get(line.productOptionId)! }));
}

/** The options of a cart, those of weighed lines with amount, content and prices of the weight. Fails with INVALID_ORDER. */
export function withWeights(
  lineItems: LineItems,
  options: ReadonlyMap<number, SellableOptionRow>,
): ReadonlyMap<number, SellableOptionRow> {
  if (lineItems.every(({ weight }) => weight === undefined)) return options;
  const weighed = new Map(options);
  for (const [index, { productOptionId, weight }] of lineItems.entries()) {
    if (weight === undefined) continue;
    const option = options.get(productOptionId)!;
    // An edit keeps the line as it was sold.
    if (option.is_weighed) continue;
    const { weight_tolerance: tolerance, sizes } = option;
    if (
      tolerance === null ||
      sizes === null ||
      option.product_unit !== 'gram' ||
      option.inventory_type === 'option'
    ) {
      throw failure(
        'INVALID_ORDER',
        `lineItems[${index}].weight: ${option.product_name} is not sold by weight`,
      );
    }
    const priceOf = (centsOf: (size: Size) => number) =>
      priceByWeight(
        weight,
        sizes.map((size): PricedSize => ({ amount: size.amount, cents: centsOf(size) })),
        tolerance,
      );
    const { cents: priceCents } = priceOf(({ price }) => price);
    const sold = priceOf(({ price, salesPrice }) => salesPrice ?? price);
    weighed.set(productOptionId, {
      ...option,
      option_amount: decimalText(decimal(weight)),
      option_content: contentOf(option, weight),
      option_thc_mg: thcOf(option, weight),
      price_cents: priceCents,
      sales_price_cents: sold.cents < priceCents ? sold.cents : null,
      is_weighed: true,
      weight_rule: `${weight} g at the price of ${canonicalDecimalText(sold.size.amount)} g${sold.by === 'rate' ? ', by the gram' : ''}`,
    });
  }
  return weighed;
}

/** What is in a weight, by what is in the option; 6 decimals, rounded up, as limits count it. */
function contentOf({ option_content: content, option_amount: amount }: SellableOptionRow, weight: string) {
  return content === null ? null : decimalText(decimal(content).times(weight).div(amount).round(6, 3));
}

/** The THC of a weight, by that of the option; 6 decimals, rounded up, as limits count it. */
function thcOf({ option_thc_mg: thcMg, option_amount: amount }: SellableOptionRow, weight: string) {
  return thcMg === null ? null : decimalText(decimal(thcMg).times(weight).div(amount).round(6, 3));
}
