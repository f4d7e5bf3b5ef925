import { assert } from '../../../kernel/assert.ts';
import { parseCents, roundCents, sumOf, wholeQuotient } from '../exact-amounts.ts';
import { centsStep } from '../price-step.ts';
import { spread, trimTo } from './discount-amount.ts';
import {
  type DiscountableLine,
  type DiscountSettings,
  type LineLevelRule,
  touches,
} from './discount-settings.ts';

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
  const { bundleQuantity: size } = terms;
  const dearestFirst = lines
    .map((_, index) => index)
    .filter((index) => leftCents[index]! > 0 && touches(discount, lines[index]!))
    .sort((a, b) => byUnitWorth(lines[a]!, leftCents[a]!, lines[b]!, leftCents[b]!));
  const units = lines.map(() => 0);
  let groups = 0;
  let open: { readonly index: number; readonly count: number }[] = [];
  let openCount = 0;
  for (const index of dearestFirst) {
    let count = lines[index]!.quantity;
    while (count > 0 && groups < (usesPerOrder ?? Number.MAX_SAFE_INTEGER)) {
      const taken = Math.min(count, size - openCount);
      open.push({ index, count: taken });
      openCount += taken;
      count -= taken;
      if (openCount < size) continue;
      if (!isWorthMore(open, lines, leftCents, priceCents)) return { groups, units };
      // A line can hold thousands of groups: those of one line are alike, and taken at once.
      const alike = open.length === 1 ? wholeQuotient(count, size) : 0;
      const more = Math.min(alike, (usesPerOrder ?? Number.MAX_SAFE_INTEGER) - groups - 1);
      for (const part of open) units[part.index]! += part.count * (more + 1);
      count -= size * more;
      groups += more + 1;
      open = [];
      openCount = 0;
    }
  }
  return { groups, units };
}

/** The dearer unit first; `left ÷ quantity` of both, compared exactly. */
function byUnitWorth(a: DiscountableLine, aLeft: number, b: DiscountableLine, bLeft: number): number {
  const [ofA, ofB] = [BigInt(aLeft) * BigInt(b.quantity), BigInt(bLeft) * BigInt(a.quantity)];
  return ofA === ofB ? a.productOptionId - b.productOptionId : ofA > ofB ? -1 : 1;
}

/** Whether the units of a group have more left than its price. */
function isWorthMore(
  group: readonly { readonly index: number; readonly count: number }[],
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  priceCents: number,
): boolean {
  let numerator = 0n;
  let denominator = 1n;
  for (const { index, count } of group) {
    const quantity = BigInt(lines[index]!.quantity);
    numerator = numerator * quantity + BigInt(leftCents[index]!) * BigInt(count) * denominator;
    denominator *= quantity;
  }
  return numerator > BigInt(priceCents) * denominator;
}
