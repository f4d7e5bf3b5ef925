import { expect, test } from 'vitest';
import type { Equivalence, Jurisdiction, StateLimitRule } from './jurisdiction.ts';
import { shippedLaw } from './law-book.ts';
import { lawChanges } from './law-changes.ts';
import { isLater } from './law-edition.ts';

const california = shippedLaw.find('CA')!;
const isFlower = ({ audience, name }: StateLimitRule) => audience === 'adult-use' && name === 'Flower';
const flower = california.purchaseLimits.find(isFlower)!;

function withFlower(...rules: Partial<StateLimitRule>[]): Jurisdiction {
  const others = california.purchaseLimits.filter((rule) => !isFlower(rule));
  return { ...california, purchaseLimits: [...others, ...rules.map((rule) => ({ ...flower, ...rule }))] };
}

const wordsOf = (after: Jurisdiction | null) => lawChanges(california, after).map(({ words }) => words);
const day = 'per day of flower';

test.each<[what: string, rules: Partial<StateLimitRule>[], words: string[]]>([
  ['a newly read source changes nothing', [{ readOn: '2026-12-01', source: 'Read again.' }], []],
  [
    'a limit that changes on a day is an end and a beginning',
    [{ effectiveTo: '2026-12-02' }, { effectiveFrom: '2026-12-03', limit: { amount: '57', unit: 'g' } }],
    [
      `Limit "Flower" for adult-use customers: 28.5 g ${day} ends after 2026-12-02.`,
      `Limit "Flower" for adult-use customers: 57 g ${day}, from 2026-12-03.`,
    ],
  ],
  [
    'a correction names both amounts',
    [{ limit: { amount: '30', unit: 'g' } }],
    [`Limit "Flower" for adult-use customers: 28.5 g ${day} becomes 30 g ${day}, at once.`],
  ],
  [
    'a missing fact is no longer known',
    [],
    [`Limit "Flower" for adult-use customers: 28.5 g ${day} is no longer known.`],
  ],
])('%s', (_what, rules, words) => {
  expect(wordsOf(withFlower(...rules))).toEqual(words);
});

test('an equivalence is compared by what it says, and not by where it was read', () => {
  const nevada = shippedLaw.find('NV')!;
  const withConcentrate = (change: Partial<Equivalence>): Jurisdiction => {
    const [limit, ...others] = nevada.purchaseLimits;
    const concentrated = { ...(limit!.counts.concentrated as Equivalence), ...change };
    return {
      ...nevada,
      purchaseLimits: [{ ...limit!, counts: { ...limit!.counts, concentrated } }, ...others],
    };
  };
  const reread = {
    readOn: '2026-12-01',
    source: 'Read again.',
    confidence: 'high',
    sourceKind: 'primary',
  } as const;
  expect(lawChanges(nevada, withConcentrate(reread))).toEqual([]);
  const [change] = lawChanges(nevada, withConcentrate({ amount: { amount: '0.5', unit: 'oz' } }));
  expect(change!.words).toMatch(
    /concentrate \(0\.25 oz as 2\.5 oz\).* becomes .*concentrate \(0\.5 oz as 2\.5 oz\)/,
  );
});

test('ages, taxes and other rules are compared, also for a new state', () => {
  const kinds = (changes: ReturnType<typeof lawChanges>) =>
    [...new Set(changes.map(({ kind }) => kind))].sort();
  expect(kinds(lawChanges(null, california))).toEqual(['age', 'duty', 'limit', 'rule', 'tax']);
  expect(kinds(lawChanges(california, null))).toEqual(['age', 'duty', 'limit', 'rule', 'tax']);
  expect(lawChanges(null, null)).toEqual([]);
});

test('a later edition has a later day, or a higher number of the same day', () => {
  expect(isLater('2026-11-24.1', '2026-11-23.9')).toBe(true);
  expect(isLater('2026-11-23.10', '2026-11-23.9')).toBe(true);
  expect(isLater('2026-11-23.9', '2026-11-23.9')).toBe(false);
  expect(isLater('2026-11-22.10', '2026-11-23.9')).toBe(false);
});
