import { expect, test } from 'vitest';
import { amount, explainedSteps } from './explained-steps.ts';

const step = {
  step: 'tax',
  rule: 'rate of the base, to the nearest cent',
  subject: 'Sales tax',
  base: '11305',
  rate: '9.25',
  exact: '1045.7125',
  roundedCents: 1_046,
};

test('a tax shows its base, its exact amount and its rounding', () => {
  expect(explainedSteps([step], () => undefined)).toEqual([
    {
      title: 'Tax',
      subject: 'Sales tax',
      how: '9.25% of $113.05 = $10.457125, to the nearest cent',
      cents: 1_046,
      isShare: false,
      isSum: false,
    },
  ]);
});

test('lines show the name of their item', () => {
  const line = {
    ...step,
    step: 'line',
    rule: 'unit price × 2',
    subject: 'option 7',
    base: '3500',
    rate: null,
  };
  expect(explainedSteps([line], (id) => (id === 7 ? 'Moonlit Grove' : undefined))[0]).toMatchObject({
    subject: 'Moonlit Grove',
    how: '2 × $35.00',
  });
});

test('exact cents stay exact, as decimals or fractions', () => {
  expect(amount('3700')).toBe('$37.00');
  expect(amount('0.5')).toBe('$0.005');
  expect(amount('123456.5')).toBe('$1,234.565');
  expect(amount('582 1863/1966')).toBe('582 1863/1966 ¢');
});

test('points show their value each, not a percentage', () => {
  const reward = {
    ...step,
    step: 'loyalty-reward',
    rule: '250 points at the rate of cents a point, to the nearest cent, at most what is left',
    subject: 'A penny a point, total price',
    base: '8600',
    rate: '1',
    exact: '250',
    roundedCents: 250,
  };
  expect(explainedSteps([reward], () => undefined)[0]?.how).toBe('250 points at 1 ¢ each, at most $86.00');
});
