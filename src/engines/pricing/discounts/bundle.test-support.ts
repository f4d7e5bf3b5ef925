import fc from 'fast-check';
import { isTouched, mayTake } from '../reference-goods.test-support.ts';
import { isLess, nearest, over, plus, split, sum, whole, zero } from '../reference-rational.test-support.ts';
import type { Bundle } from './bundle.ts';
import type { ReferenceLineKind } from './reference-kind.test-support.ts';

/** Unit by unit, the dearest first, group by group. */
export const reference: ReferenceLineKind = {
  level: 'line',
  ownTerms: fc.record<Bundle>({ bundleQuantity: fc.integer({ min: 1, max: 4 }) }),
  // A lower price makes more groups, and so moves cents from one line to another.
  ordered: (discount) => ({ ...discount, kind: 'line', ownTerms: null }),
  takes(discount, goods, watch) {
    const { bundleQuantity } = discount.ownTerms as Bundle;
    const price = Number(discount.amount);
    const units = goods
      .flatMap((good, at) =>
        good.left > 0 && isTouched(discount, good.line)
          ? Array.from({ length: good.line.quantity }, () => ({
              at,
              optionId: good.line.productOptionId,
              worth: over(whole(good.left), whole(good.line.quantity)),
            }))
          : [],
      )
      .sort((a, b) =>
        isLess(b.worth, a.worth) ? -1 : isLess(a.worth, b.worth) ? 1 : a.optionId - b.optionId,
      );
    const grouped = goods.map(() => 0);
    let groups = 0;
    while (groups < (discount.usesPerOrder ?? units.length)) {
      const group = units.slice(groups * bundleQuantity, (groups + 1) * bundleQuantity);
      const worth = group.reduce((all, unit) => plus(all, unit.worth), zero);
      if (group.length < bundleQuantity || !isLess(whole(price), worth)) break;
      for (const { at } of group) grouped[at]! += 1;
      groups += 1;
    }
    const worths = goods.map(({ left, line }, at) =>
      nearest(over(whole(left * grouped[at]!), whole(line.quantity))),
    );
    const off = Math.max(0, sum(worths) - groups * price);
    const shares = split(Math.min(off, discount.maximumAmountCents ?? off), worths.map(whole), watch);
    return shares.map((share, at) => mayTake(goods[at]!, share));
  },
};
