import { expect, test } from 'vitest';
import { InvariantError } from '../../kernel/assert.ts';
import { checkPurchaseLimits, type EarlierPurchase, type LimitedLine } from './check-purchase-limits.ts';
import type { PurchaseLimitRule } from './purchase-limit-rule.ts';

const flowerRule: PurchaseLimitRule = {
  name: 'Flower',
  window: { kind: 'local-day' },
  cannabisType: 'non-concentrated',
  limit: { amount: '28.5', unit: 'g' },
  counts: { 'non-concentrated': 'one-to-one' },
};

const ounceRule: PurchaseLimitRule = {
  name: 'All forms together',
  window: { kind: 'transaction' },
  cannabisType: 'non-concentrated',
  limit: { amount: '1', unit: 'oz' },
  counts: {
    'non-concentrated': 'one-to-one',
    concentrated: { amount: { amount: '8', unit: 'g' }, uses: { amount: '1', unit: 'oz' } },
  },
};

const eighths = (quantity: number): LimitedLine => ({
  cannabisType: 'non-concentrated',
  content: '3.5',
  quantity,
});
const today = '2026-11-20';

const check = (rules: PurchaseLimitRule[], cartLines: LimitedLine[], history: EarlierPurchase[] = []) =>
  checkPurchaseLimits({ rules, cartLines, history, today });

test('a limit shows what is used and what remains, in the unit of the law', () => {
  expect(check([flowerRule], [eighths(2)], [{ ...eighths(1), localDate: today }])).toEqual({
    limits: [
      {
        name: 'Flower',
        cannabisType: 'non-concentrated',
        unit: 'g',
        limit: '28.5',
        used: '10.5',
        remaining: '18',
        exceeded: false,
      },
    ],
    overages: [],
  });
});

test('an overage shows by how much the cart and earlier purchases exceed the limit', () => {
  const { limits, overages } = check([flowerRule], [eighths(2)], [{ ...eighths(7), localDate: today }]);
  expect(limits[0]).toMatchObject({ used: '31.5', remaining: '0', exceeded: true });
  expect(overages).toEqual([
    { rule: flowerRule, cannabisType: 'non-concentrated', limit: '28.5', total: '31.5', overage: '3' },
  ]);
});

test('the used part of an infinite fraction is rounded up, and the remaining part down', () => {
  const [limit] = check([ounceRule], [eighths(1)]).limits;
  expect(limit).toMatchObject({ unit: 'oz', used: '0.123459', remaining: '0.876541' });
});

test('the smallest excess counts as an excess, and is never shown as 0', () => {
  const grams = (content: string): LimitedLine => ({
    cannabisType: 'non-concentrated',
    content,
    quantity: 1,
  });
  expect(check([ounceRule], [grams('28.349523125')]).overages).toEqual([]);
  expect(check([ounceRule], [grams('28.3495231250000000000000000001')]).overages).toMatchObject([
    { total: '1.000001', overage: '0.000001' },
  ]);
});

test('parts of a sum add up exactly', () => {
  const extract = (content: string): LimitedLine => ({ cannabisType: 'concentrated', content, quantity: 1 });
  const half: LimitedLine = { cannabisType: 'non-concentrated', content: '14.1747615625', quantity: 1 };
  expect(check([ounceRule], [half, extract('4000')]).limits[0]).toMatchObject({ used: '1', exceeded: false });
  expect(check([ounceRule], [half, extract('4000.001')]).limits[0]).toMatchObject({ exceeded: true });
});

test('an exceeded limit of one type does not block the sale of another', () => {
  const { limits, overages } = check(
    [flowerRule],
    [{ cannabisType: 'none', content: null, quantity: 1 }],
    [{ ...eighths(9), localDate: today }],
  );
  expect(limits[0]).toMatchObject({ exceeded: true });
  expect(overages).toEqual([]);
});

test('types without a rule, and lines without content, do not count', () => {
  const { limits } = check(
    [flowerRule],
    [
      { cannabisType: 'edibles', content: '100', quantity: 10 },
      { cannabisType: 'non-concentrated', content: null, quantity: 1 },
    ],
  );
  expect(limits[0]).toMatchObject({ used: '0', remaining: '28.5' });
});

test('an empty cart leaves every limit unused', () => {
  expect(check([flowerRule, ounceRule], []).limits.map((limit) => limit.remaining)).toEqual(['28.5', '1']);
});

test('a rule that compares weight with volume makes the check fail', () => {
  const rule: PurchaseLimitRule = { ...flowerRule, counts: { 'mi-infused-fluids': 'one-to-one' } };
  const drink: LimitedLine = { cannabisType: 'mi-infused-fluids', content: '12', quantity: 1 };
  expect(() => check([rule], [drink])).toThrow(InvariantError);
});
