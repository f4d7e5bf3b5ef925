import { amountOff } from './discount-amount.ts';
import type { OrderLevelRule } from './discount-settings.ts';

/**
 * Kind `order`: off the rest of the total price, as one amount. Targets, if any, only require a matching line
 * in the cart.
 */
export const orderDiscount = {
  level: 'order',
  terms: { perUnit: false, maximumOf: 'order', usesCount: null, own: {} },
  console: {
    label: 'Off the whole order',
    targetsHint: 'The order must contain one of these. Leave empty for any order.',
    effect: '{amount} off {orders}',
  },
  want(discount, totalLeftCents, steps) {
    return amountOff(discount, { leftCents: totalLeftCents }, () => 'total price', steps);
  },
} as const satisfies OrderLevelRule;
