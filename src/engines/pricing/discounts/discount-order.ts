import {
  fraction,
  fractionText,
  multiply,
  type Percent,
  parsePercent,
  roundCents,
  sumCents,
  sumOf,
} from '../exact-amounts.ts';
import { centsStep, optionSubject, type PriceStep } from '../price-step.ts';
import type { UsedDiscount } from '../priced-cart.ts';
import type { WorkingLine } from '../working-line.ts';
import { spread, trimTo } from './discount-amount.ts';
import { type Discount, discountKinds } from './discount-kinds.ts';
import type { DiscountableLine, DiscountRule, DiscountSettings } from './discount-settings.ts';

/** The order between two reductions of its total price. */
export interface OrderStanding {
  /** The rest of each line. */
  readonly leftCents: readonly number[];
  /** The rest of the organization's cap; null: no cap. */
  readonly capLeftCents: number | null;
}

/** The amount that an organization-wide cap allows: the percent of the subtotals, rounded down to the cent. */
export function capCents(maximumPercent: Percent, subtotalCents: number, steps: PriceStep[] | null): number {
  const rate = parsePercent(maximumPercent);
  const cents = roundCents(BigInt(subtotalCents) * rate.numerator, rate.denominator, 'down');
  steps?.push({
    step: 'discount-cap',
    rule: 'rate of the subtotals, in whole cents: what order discounts and rewards may take less line discounts',
    subject: 'order',
    base: `${subtotalCents}`,
    rate: maximumPercent,
    exact: fractionText(multiply(rate, fraction(BigInt(subtotalCents)))),
    roundedCents: cents,
  });
  return cents;
}

/**
 * Step 4 without the rewards: discounts on the total price, given in order of (priority, id), each on the rest.
 * The stackable ones together are compared with each exclusive one, as in step 2, but for the whole order.
 */
export function discountOrder(
  lines: readonly DiscountableLine[],
  start: OrderStanding,
  discounts: readonly Discount[],
  steps: PriceStep[] | null,
): { standing: OrderStanding; used: UsedDiscount[] } {
  const orderLevel = discounts.filter((discount) => discountKinds[discount.kind].level === 'order');
  const stack = takeInTurn(
    lines,
    start,
    orderLevel.filter((discount) => discount.stackable),
    steps,
  );
  const usedCents = (side: { used: UsedDiscount[] }) => sumCents(side.used, (each) => each.amountUsedCents);
  let best = stack;
  let bestAlone: UsedDiscount | null = null;
  for (const discount of orderLevel) {
    if (discount.stackable) continue;
    const alone = takeInTurn(lines, start, [discount], steps);
    const [used] = alone.used;
    if (used !== undefined && used.amountUsedCents > (bestAlone?.amountUsedCents ?? 0)) bestAlone = used;
    if (usedCents(alone) > usedCents(best)) best = alone;
  }
  if (bestAlone !== null) steps?.push(bestOfStep('order', bestAlone, usedCents(stack)));
  return best;
}

/**
 * Takes an amount off the order: trimmed by the discount's maximum and by the cap, allocated to the lines by
 * weight (by default the rest of each line), each share trimmed by its line's floor. In cents; the actual
 * reduction is the difference of the two standings.
 */
export function takeFromOrder(
  description: string,
  wantedCents: number,
  maximumCents: number | null,
  lines: readonly DiscountableLine[],
  { leftCents, capLeftCents }: OrderStanding,
  steps: PriceStep[] | null,
  weightsCents: readonly number[] = leftCents,
): { standing: OrderStanding; usedCents: number } {
  let cents = wantedCents;
  if (maximumCents !== null) cents = trimTo(maximumCents, cents, 'at most its maximum', description, steps);
  if (capLeftCents !== null) {
    cents = trimTo(capLeftCents, cents, 'at most what is left of the cap', description, steps);
  }
  const taken = spread(description, cents, weightsCents, lines, leftCents, steps);
  const usedCents = sumOf(taken);
  return {
    standing: {
      leftCents: leftCents.map((left, index) => left - taken[index]!),
      capLeftCents: capLeftCents === null ? null : capLeftCents - usedCents,
    },
    usedCents,
  };
}

function takeInTurn(
  lines: readonly DiscountableLine[],
  start: OrderStanding,
  discounts: readonly Discount[],
  steps: PriceStep[] | null,
): { standing: OrderStanding; used: UsedDiscount[] } {
  let standing = start;
  const used: UsedDiscount[] = [];
  for (const discount of discounts) {
    const rule: DiscountRule = discountKinds[discount.kind];
    if (rule.level !== 'order') continue;
    const { description, maximumAmountCents, conditions } = discount;
    const baseCents = conditions.excludeSaleItems
      ? standing.leftCents.map((left, index) => (lines[index]!.isOnSale ? 0 : left))
      : standing.leftCents;
    const wantedCents = rule.want(discount, sumOf(baseCents), steps);
    const taken = takeFromOrder(
      ...([description, wantedCents, maximumAmountCents, lines, standing, steps, baseCents] as const),
    );
    standing = taken.standing;
    if (taken.usedCents > 0) used.push(usedDiscount(discount, taken.usedCents));
  }
  return { standing, used };
}

/**
 * Step 2: discounts on the lines, given in order of (priority, id). The stackable ones apply one after the
 * other, each to the rest; each exclusive one is tried alone. Then each line keeps its better side, the stack
 * or the best exclusive discount, ties to the stack (among exclusive ones, to the first).
 */
export function discountLines(
  lines: readonly WorkingLine[],
  discounts: readonly Discount[],
  steps: PriceStep[] | null,
): void {
  const subtotalsCents = lines.map((line) => line.subtotalPriceCents);

  const leftCents = [...subtotalsCents];
  const stacks: UsedDiscount[][] = lines.map(() => []);
  for (const discount of discounts) {
    const rule: DiscountRule = discountKinds[discount.kind];
    if (rule.level !== 'line' || !discount.stackable) continue;
    const taken = rule.take(discount, lines, leftCents, steps);
    for (let index = 0; index < taken.length; index++) {
      const cents = taken[index]!;
      if (cents === 0) continue;
      leftCents[index]! -= cents;
      stacks[index]!.push(usedDiscount(discount, cents));
    }
  }

  const bestAlone: (UsedDiscount | null)[] = lines.map(() => null);
  for (const discount of discounts) {
    const rule: DiscountRule = discountKinds[discount.kind];
    if (rule.level !== 'line' || discount.stackable) continue;
    for (const [index, cents] of rule.take(discount, lines, subtotalsCents, steps).entries()) {
      if (cents > (bestAlone[index]?.amountUsedCents ?? 0)) bestAlone[index] = usedDiscount(discount, cents);
    }
  }

  for (const [index, line] of lines.entries()) {
    const stackCents = subtotalsCents[index]! - leftCents[index]!;
    const alone = bestAlone[index]!;
    const isAlone = alone !== null && alone.amountUsedCents > stackCents;
    line.discounts = isAlone ? [alone] : stacks[index]!;
    const usedCents = sumCents(line.discounts, (used) => used.amountUsedCents);
    line.finalPriceCents = line.subtotalPriceCents - usedCents;
    line.grossCents = line.finalPriceCents;
    if (alone !== null) steps?.push(bestOfStep(optionSubject(line), alone, stackCents));
  }
}

/** The total of the stack and of the best exclusive discount, and which of them applies. */
export function bestOfStep(
  subject: string,
  alone: { readonly description: string; readonly amountUsedCents: number },
  stackCents: number,
): PriceStep {
  const { description, amountUsedCents } = alone;
  const better = amountUsedCents > stackCents ? 'it counts alone' : 'the others count';
  const rule = `${description} alone takes ${amountUsedCents}, the others together ${stackCents}: ${better}`;
  return centsStep('best-of', rule, subject, stackCents, Math.max(amountUsedCents, stackCents));
}

/** A discount with its reduction, as results list it. */
function usedDiscount(
  { id, type, amount, description }: DiscountSettings,
  amountUsedCents: number,
): UsedDiscount {
  return { id, type, amount, amountUsedCents, description };
}
