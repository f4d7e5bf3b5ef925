import { describe, expect, test } from 'vitest';
import { decimal } from '../../kernel/decimal.ts';
import { checkPurchaseLimits, type PurchaseLimitsVerdict } from '../purchase-limits/check-purchase-limits.ts';
import { jurisdictions, rulesInForce } from './jurisdictions.ts';
import { shippedLaw } from './law-book.ts';
import type { AudienceCases, LimitCase } from './limit-cases.test-support.ts';
import { easternCases } from './limit-cases-east.test-support.ts';
import { westernCases } from './limit-cases-west.test-support.ts';

const allCases = [...westernCases, ...easternCases];

function check(
  { state, audience }: AudienceCases,
  { cart, history, today }: LimitCase,
): PurchaseLimitsVerdict {
  const rules = rulesInForce(shippedLaw.find(state)!, today, audience);
  return checkPurchaseLimits({ rules, cartLines: cart, history, today });
}

function caseName({ cart, history, today, broken }: LimitCase): string {
  const earlier = history.map(
    (it) => `after ${it.quantity} × ${it.content} ${it.cannabisType} on ${it.localDate}, `,
  );
  const lines = cart.map((it) => `${it.quantity} × ${it.content} ${it.cannabisType}`).join(' and ');
  const outcome = broken.length === 0 ? 'keeps every limit' : `breaks ${broken.join(' and ')}`;
  return `on ${today}, ${earlier.join('')}${lines} ${outcome}`;
}

describe.each(allCases)('$state, $audience:', (its) => {
  test.each(its.cases.map((it) => [caseName(it), it] as const))('%s', (_name, it) => {
    const { limits, overages } = check(its, it);
    expect(limits.filter((limit) => limit.exceeded).map((limit) => limit.name)).toEqual(it.broken);
    expect(overages).toHaveLength(it.broken.length);
  });
});

test('every limit of every state has a case just below it, at it and just above it', () => {
  /** Within a quarter, because plants are whole. */
  const isClose = (used: string, limit: string) => decimal(used).minus(limit).abs().times(4).lte(limit);
  const keyOf = (state: string, audience: string, name: string, limit: string) =>
    `${state} ${audience} ${name} ${limit}`;
  const seen = new Map<string, Set<string>>();
  for (const its of allCases) {
    for (const it of its.cases) {
      for (const { name, limit, used } of check(its, it).limits) {
        if (!isClose(used, limit)) continue;
        const side = ['under', 'at', 'over'][decimal(used).cmp(limit) + 1]!;
        const key = keyOf(its.state, its.audience, name, limit);
        seen.set(key, (seen.get(key) ?? new Set()).add(side));
      }
    }
  }
  const incomplete = jurisdictions.flatMap(({ state, purchaseLimits }) =>
    purchaseLimits
      .map(({ audience, name, limit }) => keyOf(state, audience, name, limit.amount))
      .filter((key) => seen.get(key)?.size !== 3),
  );
  expect(incomplete).toEqual([]);
});

test('every type that a limit counts has a case that breaks the limit, alone or in a sum', () => {
  const broken = new Set(
    allCases.flatMap((its) =>
      its.cases.flatMap((it) =>
        it.broken.flatMap((name) =>
          it.cart.map((line) => `${its.state} ${its.audience} ${name} ${line.cannabisType}`),
        ),
      ),
    ),
  );
  const untried = jurisdictions.flatMap(({ state, purchaseLimits }) =>
    purchaseLimits.flatMap(({ audience, name, counts }) =>
      Object.keys(counts)
        .map((type) => `${state} ${audience} ${name} ${type}`)
        .filter((key) => !broken.has(key)),
    ),
  );
  expect(untried).toEqual([]);
});
