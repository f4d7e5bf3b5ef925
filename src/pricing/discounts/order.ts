import { amountOff } from './discount-amount.ts';
import type { OrderLevelRule } from './discount-settings.ts';

/**
 * Kind `order`: off what is left of the total price, as one amount. Targets, if it has any, only ask that
 * the cart holds a matching line.
 */
export const orderDiscount = {
  level: 'order',
  terms: { perUnit: false, maximumOf: 'order', usesCount: null, own: {} },
  want(discount, totalLeftCents, steps) {
    return amountOff(discount, { leftCents: totalLeftCents }, () => 'total price', steps);
  },
} as const satisfies OrderLevelRule;
