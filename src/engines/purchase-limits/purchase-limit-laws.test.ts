import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { addDays } from '../../kernel/local-time.ts';
import type { CannabisType } from '../goods/cannabis-type.ts';
import {
  type CheckPurchaseLimitsInput,
  checkPurchaseLimits,
  type EarlierPurchase,
  type LimitedLine,
  type PurchaseLimit,
} from './check-purchase-limits.ts';
import type { Counting, PurchaseLimitRule } from './purchase-limit-rule.ts';

const runs = { numRuns: casesOf({ everyRun: 100, long: 2_000 }) };
const today = '2026-11-20';

const weights = ['non-concentrated', 'concentrated', 'mi-infused-solids', 'edibles'] as const;
const amount = fc
  .tuple(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 0, max: 3 }))
  .map(([digits, decimals]) => scaled(BigInt(digits), decimals));
const massUnit = fc.constantFrom('mg', 'g', 'oz');
const quantity = fc.record({ amount, unit: massUnit });
const counting: fc.Arbitrary<Counting> = fc.oneof(
  fc.constant('one-to-one' as const),
  fc.record({ amount: quantity, uses: quantity }),
);
const window = fc.oneof(
  fc.constantFrom({ kind: 'transaction' }, { kind: 'local-day' }, { kind: 'calendar-month' }),
  fc.integer({ min: 1, max: 90 }).map((days) => ({ kind: 'rolling-days', days })),
) as fc.Arbitrary<PurchaseLimitRule['window']>;

const massRule: fc.Arbitrary<PurchaseLimitRule> = fc.record({
  name: fc.constant('rule'),
  window,
  cannabisType: fc.constant<CannabisType>('non-concentrated'),
  limit: quantity,
  counts: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...weights), counting), {
      selector: ([type]) => type,
      minLength: 1,
    })
    .map((entries) => Object.fromEntries(entries)),
});

/** The one law with an equivalence by volume: a 36th of an ounce is an infinite fraction of a gram. */
const volumeRule: fc.Arbitrary<PurchaseLimitRule> = fc.record({
  name: fc.constant('rule'),
  window,
  cannabisType: fc.constant<CannabisType>('non-concentrated'),
  limit: quantity,
  counts: fc.constant({
    'non-concentrated': 'one-to-one',
    'mi-infused-fluids': { amount: { amount: '36', unit: 'fl oz' }, uses: { amount: '1', unit: 'oz' } },
  } as const),
});

const rules = fc.array(fc.oneof(massRule, volumeRule), { minLength: 1, maxLength: 4 });
const line: fc.Arbitrary<LimitedLine> = fc.record({
  cannabisType: fc.constantFrom<CannabisType>(...weights, 'mi-infused-fluids', 'none'),
  content: fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(null) }),
  quantity: fc.integer({ min: 0, max: 20 }),
});
const purchase: fc.Arbitrary<EarlierPurchase> = fc
  .tuple(line, fc.integer({ min: 0, max: 100 }))
  .map(([bought, daysAgo]) => ({ ...bought, localDate: addDays(today, -daysAgo) }));
const input: fc.Arbitrary<CheckPurchaseLimitsInput> = fc.record({
  rules,
  cartLines: fc.array(line, { maxLength: 6 }),
  history: fc.array(purchase, { maxLength: 6 }),
  today: fc.constant(today),
});

/** Decimal text without a float: 12345 with 3 decimals is "12.345". */
function scaled(digits: bigint, decimals: number): string {
  const text = digits.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** In millionths: every amount of a verdict is a whole number of them. */
function millionths(text: string): bigint {
  const [whole, decimals = ''] = text.split('.') as [string, string?];
  return BigInt(whole + decimals.padEnd(6, '0'));
}

const usedOf = (limits: readonly PurchaseLimit[]) => limits.map((limit) => millionths(limit.used));

describe('for any rules, cart and history,', () => {
  test('a limit is exceeded exactly when the used amount is above it, and the remainder is the difference', () => {
    fc.assert(
      fc.property(input, (facts) => {
        for (const { limit, used, remaining, exceeded } of checkPurchaseLimits(facts).limits) {
          const left = millionths(limit) - millionths(used);
          expect(exceeded).toBe(left < 0n);
          expect(millionths(remaining)).toBe(left < 0n ? 0n : left);
        }
      }),
      runs,
    );
  });

  test('the used amount is the exact sum, at most a millionth too high', () => {
    fc.assert(
      fc.property(input, (facts) => {
        const exact = facts.rules.map((rule) => usedExactly(rule, facts));
        const used = usedOf(checkPurchaseLimits(facts).limits);
        exact.forEach(({ numerator, denominator }, index) => {
          const aboveBy = used[index]! * denominator - numerator * 1_000_000n;
          expect(aboveBy >= 0n && aboveBy < denominator).toBe(true);
        });
      }),
      runs,
    );
  });

  test('splitting a line changes nothing', () => {
    fc.assert(
      fc.property(input, fc.nat(), (facts, seed) => {
        const cartLines = facts.cartLines.flatMap((it) => {
          const part = seed % (it.quantity + 1);
          return [
            { ...it, quantity: part },
            { ...it, quantity: it.quantity - part },
          ];
        });
        expect(checkPurchaseLimits({ ...facts, cartLines })).toEqual(checkPurchaseLimits(facts));
      }),
      runs,
    );
  });

  test('the order of lines and of purchases does not matter', () => {
    fc.assert(
      fc.property(input, (facts) => {
        const { cartLines, history } = facts;
        const turned = { ...facts, cartLines: cartLines.toReversed(), history: history.toReversed() };
        expect(checkPurchaseLimits(turned)).toEqual(checkPurchaseLimits(facts));
      }),
      runs,
    );
  });

  test('adding a line never lowers what is used, nor takes an overage away', () => {
    fc.assert(
      fc.property(input, line, (facts, added) => {
        const before = checkPurchaseLimits(facts);
        const now = checkPurchaseLimits({ ...facts, cartLines: [...facts.cartLines, added] });
        const [usedBefore, usedNow] = [usedOf(before.limits), usedOf(now.limits)];
        expect(usedNow.every((used, index) => used >= usedBefore[index]!)).toBe(true);
        expect(now.overages.length).toBeGreaterThanOrEqual(before.overages.length);
      }),
      runs,
    );
  });

  test('a full return frees what the purchase used, and a partial return never uses more', () => {
    fc.assert(
      fc.property(input, purchase, fc.nat(), (facts, bought, seed) => {
        const withQuantity = (quantity: number) =>
          checkPurchaseLimits({ ...facts, history: [...facts.history, { ...bought, quantity }] });
        const [kept, part] = [usedOf(withQuantity(bought.quantity).limits), seed % (bought.quantity + 1)];
        expect(withQuantity(0)).toEqual(checkPurchaseLimits(facts));
        expect(usedOf(withQuantity(part).limits).every((used, index) => used <= kept[index]!)).toBe(true);
      }),
      runs,
    );
  });

  test('a purchase counts like a line of the cart inside the window, and not at all outside of it', () => {
    fc.assert(
      fc.property(input, line, fc.integer({ min: 0, max: 100 }), (facts, bought, daysAgo) => {
        const localDate = addDays(today, -daysAgo);
        const without = usedOf(checkPurchaseLimits(facts).limits);
        const inCart = usedOf(
          checkPurchaseLimits({ ...facts, cartLines: [...facts.cartLines, bought] }).limits,
        );
        const history = [...facts.history, { ...bought, localDate }];
        const used = usedOf(checkPurchaseLimits({ ...facts, history }).limits);
        facts.rules.forEach(({ window: { kind, ...rest } }, index) => {
          const counts =
            (kind === 'local-day' && daysAgo === 0) ||
            (kind === 'calendar-month' && daysAgo < 20) ||
            (kind === 'rolling-days' && daysAgo < (rest as { days: number }).days);
          expect(used[index]).toBe(counts ? inCart[index] : without[index]);
        });
      }),
      runs,
    );
  });
});

interface Exact {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** An independent implementation in fractions of integers, line by line, as the law is written. */
function usedExactly(rule: PurchaseLimitRule, { cartLines, history }: CheckPurchaseLimitsInput): Exact {
  const earlier = history.filter(({ localDate }) => {
    if (rule.window.kind === 'transaction') return false;
    if (rule.window.kind === 'local-day') return localDate === today;
    if (rule.window.kind === 'calendar-month') return localDate.slice(0, 7) === today.slice(0, 7);
    const daysAgo = (Date.parse(today) - Date.parse(localDate)) / 86_400_000;
    return daysAgo < rule.window.days;
  });
  const inGrams = { mg: '0.001', g: '1', oz: '28.349523125', 'fl oz': '1', count: '1' } as const;
  const units = {
    'non-concentrated': 'g',
    concentrated: 'mg',
    'mi-infused-solids': 'oz',
    'mi-infused-fluids': 'fl oz',
    edibles: 'mg',
    'immature-plant': 'count',
    seeds: 'count',
    inhalables: 'mg',
    'low-dose-drinks': 'mg',
    'other-units': 'count',
  } as const;
  const inNanograms = (of: string, unit: keyof typeof inGrams) =>
    exactInteger(of) * exactInteger(inGrams[unit]);
  let sum: Exact = { numerator: 0n, denominator: 1n };
  for (const { cannabisType, content, quantity: pieces } of [...cartLines, ...earlier]) {
    const how = rule.counts[cannabisType];
    if (cannabisType === 'none' || content === null || how === undefined) continue;
    const part = inNanograms(content, units[cannabisType]) * BigInt(pieces);
    const limitUnit = inNanograms('1', rule.limit.unit);
    const [numerator, denominator] =
      how === 'one-to-one'
        ? [part, limitUnit]
        : [
            part * inNanograms(how.uses.amount, how.uses.unit),
            inNanograms(how.amount.amount, how.amount.unit) * limitUnit,
          ];
    sum = {
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    };
  }
  return sum;
}

/** In units of 10⁻⁹. */
function exactInteger(text: string): bigint {
  const [whole, decimals = ''] = text.split('.') as [string, string?];
  return BigInt(whole + decimals.padEnd(9, '0'));
}
