import fc from 'fast-check';
import { randomTargets } from '../random-targets.test-support.ts';
import { isTouched, mayTake, worth } from '../reference-goods.test-support.ts';
import { split, sum, whole } from '../reference-rational.test-support.ts';
import type { BuyXGetY } from './buy-x-get-y.ts';
import type { ReferenceLineKind } from './reference-kind.test-support.ts';

/** The cheapest units, group by group. */
export const reference: ReferenceLineKind = {
  level: 'line',
  ownTerms: fc.record<BuyXGetY>({
    buyQuantity: fc.integer({ min: 1, max: 3 }),
    getQuantity: fc.integer({ min: 1, max: 3 }),
    buyTargets: fc.option(randomTargets, { freq: 2 }),
  }),
  ordered: (discount) => ({ ...discount, maximumAmountCents: null }),
  takes(discount, goods, watch) {
    const { buyQuantity, getQuantity, buyTargets } = discount.ownTerms as BuyXGetY;
    const units = goods
      .flatMap((good, at) => Array.from({ length: good.line.quantity }, () => ({ good, at })))
      .sort(
        (a, b) =>
          a.good.unitCents - b.good.unitCents || a.good.line.productOptionId - b.good.line.productOptionId,
      );
    const getable = units.map(({ good }) => isTouched(discount, good.line));
    const buyable = units.map(({ good }) => isTouched(discount, good.line, buyTargets ?? discount.targets));
    let got: number[] = goods.map(() => 0);
    for (let groups = 1; groups <= (discount.usesPerOrder ?? units.length); groups += 1) {
      // The cheapest first, while enough others remain to be bought.
      const tryOut = goods.map(() => 0);
      let buyableLeft = buyable.filter(Boolean).length;
      for (const [at, unit] of units.entries()) {
        const staysEnough = buyableLeft - (buyable[at] ? 1 : 0) >= groups * buyQuantity;
        if (!getable[at] || !staysEnough || sum(tryOut) === groups * getQuantity) continue;
        tryOut[unit.at]! += 1;
        if (buyable[at]) buyableLeft -= 1;
      }
      if (sum(tryOut) < groups * getQuantity || buyableLeft < groups * buyQuantity) break;
      got = tryOut;
    }
    const wish = goods.map(({ left, line }, at) =>
      got[at] === 0 ? 0 : worth(discount, left, got[at]!, line.quantity, got[at]!),
    );
    const maximum = discount.maximumAmountCents ?? sum(wish);
    const shares = sum(wish) > maximum ? split(maximum, wish.map(whole), watch) : wish;
    return shares.map((share, at) => mayTake(goods[at]!, share));
  },
};
