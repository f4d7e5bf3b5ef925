import { expect, test } from 'vitest';
import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { rulesInForce } from '../../engines/jurisdictions/jurisdictions.ts';
import { shippedLaw } from '../../engines/jurisdictions/law-book.ts';
import { answerLimits } from './answer-limits.ts';
import { readTypedAmount } from './typed-amount.ts';

const today = '2026-11-23';
const colorado = rulesInForce(shippedLaw.find('CO')!, today, 'adult-use');
const of = (cannabisType: CannabisType, content: string) => ({ cannabisType, content, quantity: 1 });

test('an answer shows what is left, the equivalences, and examples of the remaining amount, with the source', () => {
  const { limits, mayBeSold } = answerLimits({
    rules: colorado,
    goods: [of('concentrated', '2000')],
    boughtBefore: [{ ...of('edibles', '400'), localDate: today }],
    today,
  });
  expect(mayBeSold).toBe(true);
  expect(limits).toMatchObject([
    {
      ...{ used: '0.75', remaining: '0.25', unit: 'oz', exceeded: false },
      words: '1 oz per day of flower, concentrate (8 g as 1 oz), edibles (800 mg as 1 oz)',
      counted: [
        { cannabisType: 'edibles', amount: '400', unit: 'mg', uses: '0.5', isFromBefore: true },
        { cannabisType: 'concentrated', amount: '2000', unit: 'mg', uses: '0.25', isFromBefore: false },
      ],
      roomFor: [
        { cannabisType: 'non-concentrated', amount: '7.08', unit: 'g' },
        { cannabisType: 'concentrated', amount: '2000', unit: 'mg' },
        { cannabisType: 'edibles', amount: '200', unit: 'mg' },
      ],
      source: { citation: '1 CCR 212-3 Rule 6-110; HB21-1317', readOn: today },
    },
  ]);
});

test('purchases outside a window, and types without a limit, are shown as not counting', () => {
  const { limits, uncounted } = answerLimits({
    rules: colorado,
    goods: [of('immature-plant', '2')],
    boughtBefore: [{ ...of('edibles', '400'), localDate: '2026-11-22' }],
    today,
  });
  expect(limits[0]).toMatchObject({ used: '0', counted: [] });
  expect(uncounted).toEqual(['immature-plant']);
});

test('an answer agrees with the check of carts on whether goods can be sold', () => {
  const ask = (grams: string) =>
    answerLimits({ rules: colorado, goods: [of('non-concentrated', grams)], boughtBefore: [], today });
  expect(ask('28.349523125')).toMatchObject({ mayBeSold: true, limits: [{ remaining: '0' }] });
  expect(ask('28.35')).toMatchObject({ mayBeSold: false, limits: [{ exceeded: true }] });
});

test('a limit on THC counts what goods say of it, and is not told without', () => {
  const alaska = rulesInForce(shippedLaw.find('AK')!, today, 'adult-use');
  const ask = (thcMg: string | null) =>
    answerLimits({
      rules: alaska,
      goods: [{ ...of('non-concentrated', '28'), thcMg }],
      boughtBefore: [],
      today,
    });
  expect(ask(null)).toMatchObject({ mayBeSold: false, withoutThc: ['non-concentrated'] });
  const { limits, ...rest } = ask('5700');
  expect(rest).toMatchObject({ mayBeSold: false, withoutThc: [], uncounted: [] });
  expect(limits.at(-1)).toMatchObject({
    ...{ limit: '5600', used: '5700', exceeded: true },
    counted: [{ cannabisType: 'non-concentrated', amount: '5700', unit: 'mg', isThc: true }],
  });
  expect(ask('5600')).toMatchObject({ mayBeSold: true });
});

test.each([
  ['3.5 g', 'non-concentrated', { content: '3.5' }],
  ['1/8 oz', 'non-concentrated', { content: '3.543690390625' }],
  ['1 g', 'concentrated', { content: '1000' }],
  ['10 x 10mg', 'edibles', { content: '100' }],
  ['2', 'immature-plant', { content: '2' }],
  ['2 plants', 'immature-plant', { content: '2' }],
  // An infinite decimal, rounded up.
  ['1 g', 'mi-infused-solids', { content: '0.035273961949581' }],
  ['3.5', 'non-concentrated', { problem: 'must be an amount such as 3.5 g or 1/8 oz' }],
  ['12 fl oz', 'edibles', { problem: 'must be an amount such as 100 mg' }],
  ['20%', 'concentrated', { problem: 'must be an amount such as 1 g or 500 mg' }],
  ['-1 g', 'concentrated', { problem: 'must be an amount such as 1 g or 500 mg' }],
  ['9'.repeat(41), 'immature-plant', { problem: 'must have at most 40 characters' }],
  ['3.5 g with 20 % THC', 'non-concentrated', { content: '3.5', thcPercent: '20' }],
  ['1/8 oz, 700mg', 'non-concentrated', { content: '3.543690390625', thcMg: '700' }],
  ['1,000 mg', 'concentrated', { content: '1000' }],
  ['1 g at 101%', 'concentrated', { problem: 'must have at most 100 % of THC' }],
  ['with 20 % THC', 'concentrated', { problem: 'must be an amount such as 1 g or 500 mg' }],
] as const)('the amount %s of %s is read exactly or refused', (text, type, expected) => {
  const isRead = 'content' in expected;
  expect(readTypedAmount(text, type)).toEqual({
    ...(isRead && { thcPercent: null, thcMg: null }),
    ...expected,
  });
});
