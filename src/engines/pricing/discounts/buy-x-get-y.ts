import { assert } from '../../../kernel/assert.ts';
import { sumOf, wholeQuotient } from '../exact-amounts.ts';
import { optionSubject } from '../price-step.ts';
import { amountOff, leaveFloor, spread, trimTo } from './discount-amount.ts';
import {
  type DiscountableLine,
  type DiscountSettings,
  type DiscountTargets,
  type LineLevelRule,
  touches,
} from './discount-settings.ts';

/** For every `buyQuantity` units, `getQuantity` further units are cheaper. Both are whole and at least 1. */
export interface BuyXGetY {
  readonly buyQuantity: number;
  readonly getQuantity: number;
  /** The units to buy; null: the discount's own targets. */
  readonly buyTargets: DiscountTargets | null;
}

/**
 * Kind `buy-x-get-y`: a group is X units to buy and Y units to get, and each unit is in one group and on one
 * side. There are as many groups as the cart and the uses per order allow. The units to get are the cheapest of
 * the matching lines by unit price, ties to the lower option id. Each such unit has the percent off its share
 * of the rest of its line, or the flat amount. The maximum is for the order, allocated by each line's reduction
 * before it.
 */
export const buyXGetYDiscount = {
  level: 'line',
  terms: {
    perUnit: false,
    maximumOf: 'order',
    usesCount: 'groups',
    own: {
      buyQuantity: { is: 'units', required: true },
      getQuantity: { is: 'units', required: true },
      buyTargets: { is: 'targets', required: false },
    },
  },
  console: {
    label: 'Buy some, get some cheaper',
    targetsHint: 'The products that get cheaper. Leave empty for all products.',
    effect: 'Buy {buyQuantity} of {bought}, get {getQuantity} {more} {reduced}',
  },
  take(discount, lines, leftCents, steps) {
    const { description, maximumAmountCents } = discount;
    const wantedCents = unitsGot(discount, lines).map((units, index) => {
      const line = lines[index]!;
      if (units === 0) return 0;
      const part = { units, ofUnits: line.quantity };
      const base = { leftCents: leftCents[index]!, part, flatTimes: units };
      return amountOff(discount, base, () => optionSubject(line), steps);
    });
    const togetherCents = sumOf(wantedCents);
    if (maximumAmountCents !== null && togetherCents > maximumAmountCents) {
      trimTo(maximumAmountCents, togetherCents, 'at most its maximum for an order', description, steps);
      return spread(description, maximumAmountCents, wantedCents, lines, leftCents, steps);
    }
    return wantedCents.map((cents, index) =>
      leaveFloor(description, cents, lines[index]!, leftCents[index]!, steps),
    );
  },
} as const satisfies LineLevelRule<BuyXGetY>;

/** The number of units to get of each line, parallel to the lines. */
function unitsGot(discount: DiscountSettings<BuyXGetY>, lines: readonly DiscountableLine[]): number[] {
  const { ownTerms: terms, usesPerOrder } = discount;
  assert(terms !== null, () => `discount ${discount.id} does not name what to buy and what to get`);
  const { buyQuantity, getQuantity, buyTargets } = terms;
  assert(buyQuantity >= 1 && getQuantity >= 1, () => `discount ${discount.id} has a quantity below 1`);

  const canGet = lines.map((line) => touches(discount, line));
  const canBuy = buyTargets === null ? canGet : lines.map((line) => touches(discount, line, buyTargets));
  let buyOnly = 0;
  let getOnly = 0;
  let either = 0;
  for (const [at, { quantity }] of lines.entries()) {
    if (canGet[at] && canBuy[at]) either += quantity;
    else if (canGet[at]) getOnly += quantity;
    else if (canBuy[at]) buyOnly += quantity;
  }
  const groups = Math.min(
    wholeQuotient(buyOnly + either, buyQuantity),
    wholeQuotient(getOnly + either, getQuantity),
    wholeQuotient(buyOnly + getOnly + either, buyQuantity + getQuantity),
    usesPerOrder ?? Number.MAX_SAFE_INTEGER,
  );

  const units = lines.map(() => 0);
  if (groups === 0) return units;
  let toGet = groups * getQuantity;
  // Units that match both sides must not all be on the get side when some are needed on the buy side.
  let eitherToGet = either - Math.max(0, groups * buyQuantity - buyOnly);
  const cheapestFirst = lines
    .map((_, at) => at)
    .filter((at) => canGet[at])
    .sort(
      (a, b) =>
        lines[a]!.unitPriceCents - lines[b]!.unitPriceCents ||
        lines[a]!.productOptionId - lines[b]!.productOptionId,
    );
  for (const at of cheapestFirst) {
    units[at] = Math.min(toGet, lines[at]!.quantity, canBuy[at] ? eitherToGet : toGet);
    toGet -= units[at];
    if (canBuy[at]) eitherToGet -= units[at];
  }
  return units;
}
