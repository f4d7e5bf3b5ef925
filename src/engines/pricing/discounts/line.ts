import { optionSubject, type PriceStep } from '../price-step.ts';
import { amountOff, leaveFloor, trimTo } from './discount-amount.ts';
import {
  type DiscountableLine,
  type DiscountSettings,
  type LineLevelRule,
  touches,
} from './discount-settings.ts';

/**
 * Kind `line` (and `product`, its other name): off each matching line separately. A percent is of the rest of
 * the line; a flat amount is per line, or per unit where the discount says so. The maximum is per line, too. If
 * the uses per order are limited, the lines with the largest reductions get it, ties to the lower option id.
 */
export const lineDiscount = {
  level: 'line',
  terms: { perUnit: true, maximumOf: 'line', usesCount: 'lines', own: {} },
  console: {
    label: 'Off each matching line',
    targetsHint: 'Products in any of these lists. Leave empty for all products.',
    effect: '{amount} off {each}{goods}',
  },
  take(discount, lines, leftCents, steps) {
    const taken = lines.map(() => 0);
    const off = (index: number, explained: PriceStep[] | null) =>
      offLine(discount, lines[index]!, leftCents[index]!, explained);
    let chosen: number[] = [];
    for (let index = 0; index < lines.length; index++) {
      if (leftCents[index]! > 0 && touches(discount, lines[index]!)) chosen.push(index);
    }
    if (discount.usesPerOrder !== null && chosen.length > discount.usesPerOrder) {
      const gains = new Map(chosen.map((index) => [index, off(index, null)]));
      chosen = chosen
        .sort(
          (a, b) => gains.get(b)! - gains.get(a)! || lines[a]!.productOptionId - lines[b]!.productOptionId,
        )
        .slice(0, discount.usesPerOrder);
    }
    for (const index of chosen) taken[index] = off(index, steps);
    return taken;
  },
} as const satisfies LineLevelRule;

function offLine(
  discount: DiscountSettings,
  line: DiscountableLine,
  leftCents: number,
  steps: PriceStep[] | null,
): number {
  const flatTimes = discount.perUnit ? line.quantity : 1;
  let cents = amountOff(discount, { leftCents, flatTimes }, () => optionSubject(line), steps);
  if (discount.maximumAmountCents !== null && cents > discount.maximumAmountCents) {
    const subject = `${discount.description}, ${optionSubject(line)}`;
    cents = trimTo(discount.maximumAmountCents, cents, 'at most its maximum for a line', subject, steps);
  }
  return leaveFloor(discount.description, cents, line, leftCents, steps);
}
