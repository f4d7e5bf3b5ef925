import { countedThc } from '../../engines/goods/potency.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import {
  countedContent,
  type LimitedLine,
  typesCountedByThc,
} from '../../engines/purchase-limits/check-purchase-limits.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import { type SellableOptionRow, statedContent } from '../catalog/products.ts';
import type { PurchaseLimitRuleRow } from '../settings/purchase-limit-setting.ts';
import type { CartRequest } from './cart-request.ts';

type Options = ReadonlyMap<number, SellableOptionRow>;

/** The lines of a cart as limits count them, in its order; `withThc`: also their milligrams of THC. */
export function countedLines(
  { lineItems }: Pick<CartRequest, 'lineItems'>,
  options: Options,
  withThc: boolean,
): LimitedLine[] {
  return lineItems.map(({ productOptionId, quantity }) => {
    const option = options.get(productOptionId)!;
    const { cannabis_type: cannabisType, option_content: content } = option;
    const { product_unit: unit, option_amount: amount } = option;
    return {
      cannabisType,
      content: countedContent({ cannabisType, content, unit, amount }),
      thcMg: withThc ? countedThc(statedContent(option)) : null,
      quantity,
    };
  });
}

const thcOfState = memoizeByObject(({ purchaseLimits }: Jurisdiction) => ({
  isCounted: purchaseLimits.some((rule) => typesCountedByThc(rule).length > 0),
}));

/** Whether any limit of a state or of the shop, at any time, counts milligrams of THC. */
export function countsThc(
  jurisdiction: Jurisdiction | null,
  ownRules: readonly Pick<PurchaseLimitRuleRow, 'counts'>[],
): boolean {
  if (jurisdiction !== null && thcOfState(jurisdiction).isCounted) return true;
  return ownRules.some((rule) => typesCountedByThc(rule).length > 0);
}
