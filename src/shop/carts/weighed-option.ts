import { weighedContent } from '../../engines/goods/weighed-content.ts';
import { type PricedSize, priceByWeight } from '../../engines/pricing/price-by-weight.ts';
import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { type SellableOptionRow, statedContent } from '../catalog/products.ts';

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
      ...ofWeight(option, weight),
      price_cents: priceCents,
      sales_price_cents: sold.cents < priceCents ? sold.cents : null,
      weight_rule: `${weight} g at the price of ${canonicalDecimalText(sold.size.amount)} g${sold.by === 'rate' ? ', by the gram' : ''}`,
    });
  }
  return weighed;
}

/** The option with amount and content of a weight, at the price of the option. */
function ofWeight(option: SellableOptionRow, weight: string): SellableOptionRow {
  const { amount, content, thcMg } = weighedContent(statedContent(option), weight);
  return {
    ...option,
    ...{ option_amount: amount, option_content: content, option_thc_mg: thcMg, is_weighed: true },
  };
}
