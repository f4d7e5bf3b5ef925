import { allocateByCents } from '../allocate.ts';
import { sumOf } from '../cents.ts';
import { fraction, fractionText } from '../exact-fraction.ts';
import { optionSubject, type PriceStep } from '../price-step.ts';
import { trimTo } from './discount-amount.ts';
import type { DiscountableLine } from './discount-settings.ts';

/**
 * Allocates a discount's amount to the lines by weight (cents, 0 for a line outside its targets), and trims
 * each share that would cross its line's floor: the trimmed amount is not taken from another line.
 */
export function spread(
  description: string,
  totalCents: number,
  weightsCents: readonly number[],
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  steps: PriceStep[] | null,
): number[] {
  const shares = allocateByCents(totalCents, weightsCents);
  if (steps !== null && totalCents > 0) {
    const weightSum = BigInt(sumOf(weightsCents));
    for (const [index, weight] of weightsCents.entries()) {
      if (weight === 0) continue;
      steps.push({
        step: 'discount-share',
        rule: `share of ${totalCents} by weight, largest remainders first`,
        subject: `${description}, ${optionSubject(lines[index]!)}`,
        base: `${weight}`,
        rate: null,
        exact: fractionText(fraction(BigInt(totalCents) * BigInt(weight), weightSum)),
        roundedCents: shares[index]!,
      });
    }
  }
  return shares.map((share, index) =>
    share === 0 ? 0 : leaveFloor(description, share, lines[index]!, leftCents[index]!, steps),
  );
}

/** Trims a reduction that would leave the line less than its floor (step 5). */
export function leaveFloor(
  description: string,
  wantedCents: number,
  line: DiscountableLine,
  leftCents: number,
  steps: PriceStep[] | null,
): number {
  const allowedCents = Math.max(0, leftCents - line.floorCents);
  if (wantedCents <= allowedCents) return wantedCents;
  return trimTo(
    allowedCents,
    wantedCents,
    `leaves the line its floor of ${line.floorCents}`,
    `${description}, ${optionSubject(line)}`,
    steps,
  );
}
