import fc from 'fast-check';
import { type Good, isTouched, mayTake, worth } from '../reference-goods.test-support.ts';
import type { ReferenceLineKind } from './reference-kind.test-support.ts';

/** Off each line separately. */
export const reference: ReferenceLineKind = {
  level: 'line',
  ownTerms: fc.constant(null),
  ordered: (discount) => ({ ...discount, usesPerOrder: null }),
  takes(discount, goods) {
    const gain = (good: Good) => {
      if (!isTouched(discount, good.line)) return 0;
      const wish = worth(discount, good.left, 1, 1, discount.perUnit ? good.line.quantity : 1);
      return mayTake(good, Math.min(wish, discount.maximumAmountCents ?? wish));
    };
    const beats = (other: Good, good: Good) =>
      gain(other) > gain(good) ||
      (gain(other) === gain(good) && other.line.productOptionId < good.line.productOptionId);
    return goods.map((good) => {
      const better = goods.filter((other) => beats(other, good)).length;
      return discount.usesPerOrder !== null && better >= discount.usesPerOrder ? 0 : gain(good);
    });
  },
};
