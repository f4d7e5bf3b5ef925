import { sumCents } from '../cents.ts';
import { amountOff, trimTo } from './discount-amount.ts';
import type { LineLevelRule } from './discount-settings.ts';
import { spread } from './spread.ts';
import { matchesTargets } from './targets.ts';

/**
 * Kind `product`: off the matching lines together, as if they were one. A percent is rounded once, a flat
 * amount and the maximum count once for the order; what comes off is allocated to the lines by what is left
 * of them.
 */
export const productDiscount: LineLevelRule = {
  level: 'line',
  take(discount, lines, leftCents, steps) {
    const { description, targets, maximumAmountCents } = discount;
    const matchingCents = lines.map((line, index) => (matchesTargets(targets, line) ? leftCents[index]! : 0));
    const togetherCents = sumCents(matchingCents, (cents) => cents);
    if (togetherCents === 0) return matchingCents;
    let cents = amountOff(discount, { leftCents: togetherCents }, 'matching lines together', steps);
    if (maximumAmountCents !== null) {
      cents = trimTo(maximumAmountCents, cents, 'at most its maximum for an order', description, steps);
    }
    return spread(description, cents, matchingCents, lines, leftCents, steps);
  },
};
