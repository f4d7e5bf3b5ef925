import { assert } from '../../kernel/assert.ts';
import { sumOf } from '../cents.ts';
import { parseCents } from '../exact-fraction.ts';
import { centsStep } from '../price-step.ts';
import { roundCents } from '../rounding.ts';
import { trimTo } from './discount-amount.ts';
import type { DiscountableLine, DiscountSettings, LineLevelRule } from './discount-settings.ts';
import { spread } from './spread.ts';
import { touches } from './targets.ts';

/** How many units cost the amount together. Whole, at least 1. */
export interface Bundle {
  readonly bundleQuantity: number;
}

/**
 * Kind `bundle` ("3 for $60"): every `bundleQuantity` units of the matching lines, of one option or mixed, cost the amount together.
 * The dearest units, by the rest of their lines, make the first group, ties to the lower option id: a customer never pays more than
 * without it, so a group that is worth no more than the amount is no group. The reduction is allocated by what each line has in the
 * groups.
 */
export const bundleDiscount = {
  level: 'line',
  terms: {
    perUnit: false,
    maximumOf: 'order',
    usesCount: 'groups',
    amountIsPrice: true,
    own: { bundleQuantity: { is: 'units', required: true } },
  },
  console: {
    label: 'Several units for one price',
    targetsHint: 'The products that make up a group, also mixed. Leave empty for all products.',
    effect: '{bundleQuantity} of {bought} for {amount}',
  },
  take(discount, lines, leftCents, steps) {
    const { description, maximumAmountCents } = discount;
    const priceCents = parseCents(discount.amount);
    const { groups, units } = groupsOf(discount, lines, leftCents, priceCents);
    if (groups === 0) return lines.map(() => 0);
    const worthCents = units.map((count, index) =>
      roundCents(BigInt(leftCents[index]!) * BigInt(count), BigInt(lines[index]!.quantity)),
    );
    const togetherCents = sumOf(worthCents);
    let cents = Math.max(0, togetherCents - groups * priceCents);
    const rule = `worth of ${sumOf(units)} units, less ${groups} × ${priceCents}`;
    steps?.push(centsStep('discount', rule, description, togetherCents, cents));
    if (maximumAmountCents !== null) {
      cents = trimTo(maximumAmountCents, cents, 'at most its maximum for an order', description, steps);
    }
    return spread(description, cents, worthCents, lines, leftCents, steps);
  },
} as const satisfies LineLevelRule<Bundle>;

/** The number of groups that cost less with the discount, and the units of each line in them. */
function groupsOf(
  discount: DiscountSettings<Bundle>,
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  priceCents: number,
): { groups: number; units: number[] } {
  const { ownTerms: terms, usesPerOrder } = discount;
  assert(terms !== null, () => `discount ${discount.id} does not say how many units make a group`);
  const size = BigInt(terms.bundleQuantity);
  const dearestFirst = lines
    .map((_, index) => index)
    .filter((index) => leftCents[index]! > 0 && touches(discount, lines[index]!))
    .sort((a, b) => byUnitWorth(lines[a]!, leftCents[a]!, lines[b]!, leftCents[b]!));
  // A line can hold thousands of groups: whole groups of one line are taken at once.
  const units = lines.map(() => 0);
  let groupsLeft = BigInt(usesPerOrder ?? Number.MAX_SAFE_INTEGER);
  let groups = 0n;
  let open: { index: number; count: bigint }[] = [];
  let openCount = 0n;
  const close = (times: bigint) => {
    for (const { index, count } of open) units[index]! += Number(count * times);
    groups += times;
    groupsLeft -= times;
    open = [];
    openCount = 0n;
  };
  for (const index of dearestFirst) {
    let count = BigInt(lines[index]!.quantity);
    while (count > 0n && groupsLeft > 0n) {
      const wanted = size - openCount;
      const taken = count < wanted ? count : wanted;
      open.push({ index, count: taken });
      openCount += taken;
      const isFull = openCount === size;
      if (isFull && !isWorthMore(open, lines, leftCents, priceCents))
        return { groups: Number(groups), units };
      const isOfOneLine = isFull && open.length === 1;
      const times = isOfOneLine ? min(count / size, groupsLeft) : 1n;
      count -= taken * times;
      if (isFull) close(times);
    }
  }
  return { groups: Number(groups), units };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** The dearer unit first; `left ÷ quantity` of both, compared exactly. */
function byUnitWorth(a: DiscountableLine, aLeft: number, b: DiscountableLine, bLeft: number): number {
  const [ofA, ofB] = [BigInt(aLeft) * BigInt(b.quantity), BigInt(bLeft) * BigInt(a.quantity)];
  return ofA === ofB ? a.productOptionId - b.productOptionId : ofA > ofB ? -1 : 1;
}

/** Whether the units of a group have more left than its price. */
function isWorthMore(
  group: readonly { readonly index: number; readonly count: bigint }[],
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  priceCents: number,
): boolean {
  let numerator = 0n;
  let denominator = 1n;
  for (const { index, count } of group) {
    const quantity = BigInt(lines[index]!.quantity);
    numerator = numerator * quantity + BigInt(leftCents[index]!) * count * denominator;
    denominator *= quantity;
  }
  return numerator > BigInt(priceCents) * denominator;
}
