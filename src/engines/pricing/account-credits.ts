import { assert } from '../../kernel/assert.ts';
import { fraction, fractionText, multiply, parsePercent, roundCents, wholeCents } from './exact-amounts.ts';
import type { PriceStep } from './price-step.ts';
import type { UsedCredit } from './priced-cart.ts';
import type { AccountCredit } from './pricing-facts.ts';

/**
 * Step 9: promo codes first, then store credit; within each, the earliest expiry first (none comes last), then
 * the lower id. Each pays its amount, or its percent of the rest to the nearest cent, and never more than the
 * rest. A credit that pays nothing is not used. Amounts in cents.
 */
export function useCredits(
  credits: readonly AccountCredit[],
  beforeCreditsCents: number,
  steps: PriceStep[] | null,
): UsedCredit[] {
  const used: UsedCredit[] = [];
  let leftCents = beforeCreditsCents;
  for (const credit of credits.toSorted(inTurn)) {
    const amountUsedCents = Math.min(worthCents(credit, leftCents), leftCents);
    if (amountUsedCents === 0) continue;
    const { id, type, description, percent } = credit;
    steps?.push({
      step: 'credit',
      rule:
        percent === null
          ? 'what it holds, at most what is left'
          : 'rate of what is left, to the nearest cent',
      subject: description,
      base: `${leftCents}`,
      rate: percent,
      exact:
        percent === null
          ? `${credit.amountCents}`
          : fractionText(multiply(parsePercent(percent), fraction(BigInt(leftCents)))),
      roundedCents: amountUsedCents,
    });
    leftCents -= amountUsedCents;
    used.push({ id, type, amountUsedCents, description, percent });
  }
  return used;
}

function worthCents({ id, amountCents, percent }: AccountCredit, leftCents: number): number {
  assert(
    (amountCents === null) !== (percent === null),
    () => `credit ${id} must have either cents or a percent`,
  );
  if (amountCents !== null) return wholeCents(amountCents, 'credit');
  const rate = parsePercent(percent!);
  return roundCents(BigInt(leftCents) * rate.numerator, rate.denominator);
}

const turnOfType = { 'promo-code': 0, 'store-credit': 1 };

function inTurn(a: AccountCredit, b: AccountCredit): number {
  const never = Number.MAX_SAFE_INTEGER;
  return (
    turnOfType[a.type] - turnOfType[b.type] ||
    (a.expiresAtMs ?? never) - (b.expiresAtMs ?? never) ||
    a.id - b.id
  );
}
