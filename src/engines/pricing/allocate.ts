import { assert } from '../../kernel/assert.ts';
import { sumOf } from './exact-amounts.ts';

/**
 * Splits cents by weight with the largest-remainder rule: every part gets the whole cents of its exact share,
 * and the remaining cents go one each to the largest remainders, ties to the earlier part. Works on the
 * absolute amount and restores the sign, so splitting −x mirrors splitting x. The parts add up to the total,
 * each differs from its exact share by less than a cent, and a weight of 0 gets nothing. Weights are not
 * negative; all weights may be 0 only for a total of 0.
 */
export function allocate(totalCents: number, weights: readonly bigint[]): number[] {
  if (totalCents === 0) return weights.map(() => 0);
  let weightSum = 0n;
  for (const weight of weights) {
    assert(weight >= 0n, 'a negative weight');
    weightSum += weight;
  }
  assert(weightSum > 0n, () => `nothing to allocate ${totalCents} cents to`);

  const absoluteCents = totalCents < 0 ? -totalCents : totalCents;
  const absolute = BigInt(absoluteCents);
  const remainders: bigint[] = [];
  let leftCents = absoluteCents;
  const parts = weights.map((weight) => {
    const share = absolute * weight;
    const wholeShare = share / weightSum;
    remainders.push(share - wholeShare * weightSum);
    leftCents -= Number(wholeShare);
    return Number(wholeShare);
  });
  if (leftCents > 0) {
    const byRemainder = remainders
      .map((_, index) => index)
      .sort((a, b) => compare(remainders[b]!, remainders[a]!) || a - b);
    for (const index of byRemainder.slice(0, leftCents)) parts[index]! += 1;
  }
  return totalCents < 0 ? parts.map((part) => (part === 0 ? 0 : -part)) : parts;
}

/**
 * The same with weights in cents. Where no product exceeds the safe integers (any cart below some millions of
 * dollars), plain integers are used: their products and remainders are exact.
 */
export function allocateByCents(totalCents: number, weightsCents: readonly number[]): number[] {
  if (totalCents === 0) return weightsCents.map(() => 0);
  const weightSum = sumOf(weightsCents);
  const absoluteCents = totalCents < 0 ? -totalCents : totalCents;
  if (!Number.isSafeInteger(absoluteCents * weightSum) || weightSum === 0) {
    return allocate(totalCents, weightsCents.map(BigInt));
  }
  const remainders: number[] = [];
  const parts: number[] = [];
  let leftCents = absoluteCents;
  for (let index = 0; index < weightsCents.length; index++) {
    const weight = weightsCents[index]!;
    assert(weight >= 0, 'a negative weight');
    const share = absoluteCents * weight;
    const remainder = share % weightSum;
    remainders.push(remainder);
    // Whole: the dividend is a multiple.
    const part = (share - remainder) / weightSum;
    leftCents -= part;
    parts.push(part);
  }
  // Mostly a few cents: searching the largest remainder for each is faster than sorting.
  for (; leftCents > 0; leftCents--) {
    let largest = 0;
    for (let index = 1; index < remainders.length; index++) {
      if (remainders[index]! > remainders[largest]!) largest = index;
    }
    parts[largest]! += 1;
    remainders[largest] = -1;
  }
  return totalCents < 0 ? parts.map((part) => (part === 0 ? 0 : -part)) : parts;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
