import { decimal, decimalText } from '../../kernel/decimal.ts';
import type { StatedContent } from './potency.ts';

/**
 * What a weight of goods sold loose states, by what one of their options does: content and THC in proportion, to 6 decimals and rounded up,
 * as limits count them. Pure.
 */
export function weighedContent(
  { amount, content, thcMg, ...stated }: StatedContent,
  weight: string,
): StatedContent {
  const ofWeight = (text: string | null) =>
    text === null ? null : decimalText(decimal(text).times(weight).div(amount).round(6, 3));
  return {
    ...{ ...stated, amount: decimalText(decimal(weight)) },
    ...{ content: ofWeight(content), thcMg: ofWeight(thcMg) },
  };
}
