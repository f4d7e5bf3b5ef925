import { countedContent, type LimitedLine } from '../../engines/purchase-limits/check-purchase-limits.ts';
import type { SellableOptionRow } from '../catalog/products.ts';
import type { CartRequest } from './cart-request.ts';

type Options = ReadonlyMap<number, SellableOptionRow>;

/** The lines of a cart as limits count them, in its order. */
export function countedLines({ lineItems }: Pick<CartRequest, 'lineItems'>, options: Options): LimitedLine[] {
  return lineItems.map(({ productOptionId, quantity }) => {
    const option = options.get(productOptionId)!;
    const { cannabis_type: cannabisType, option_content: content } = option;
    const { product_unit: unit, option_amount: amount } = option;
    return { cannabisType, content: countedContent({ cannabisType, content, unit, amount }), quantity };
  });
}
