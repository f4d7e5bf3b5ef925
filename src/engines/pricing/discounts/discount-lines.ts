import { sumCents } from '../cents.ts';
import { centsStep, optionSubject, type PriceStep } from '../price-step.ts';
import type { UsedDiscount } from '../priced-cart.ts';
import type { WorkingLine } from '../working-line.ts';
import { type Discount, discountKinds } from './discount-kinds.ts';
import type { DiscountRule } from './discount-settings.ts';
import { usedDiscount } from './used-discount.ts';

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
