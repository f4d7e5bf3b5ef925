import { naiveBuyXGetY } from './buy-x-get-y.test-support.ts';
import type { DiscountKind, discountKinds } from './discount-kinds.ts';
import { naiveLine } from './line.test-support.ts';
import type { NaiveKind } from './naive-kind.test-support.ts';
import { naiveOrder } from './order.test-support.ts';

/** The naive twin of each kind, of the same level. Random discounts and the laws of pricing use them. */
export const naiveKinds: {
  readonly [Kind in DiscountKind]: Extract<NaiveKind, { level: (typeof discountKinds)[Kind]['level'] }>;
} = {
  line: naiveLine,
  product: naiveLine,
  'buy-x-get-y': naiveBuyXGetY,
  order: naiveOrder,
};
