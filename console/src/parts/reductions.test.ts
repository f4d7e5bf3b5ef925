import { expect, test } from 'vitest';
import { adjustmentsBody, halfTyped, lackOf, noReductions, typedAdjustment } from './reductions.ts';

const blank = { amount: null, way: 'off', description: '' } as const;

test('an adjustment keeps its direction while its amount is typed anew', () => {
  const onTop = typedAdjustment({ amount: 500, description: 'Gift wrap' });
  const emptied = { ...onTop, amount: null };
  expect(adjustmentsBody([{ ...emptied, amount: 700 }])).toEqual([{ amount: 700, description: 'Gift wrap' }]);
  const off = typedAdjustment({ amount: -500, description: 'Dented box' });
  expect(adjustmentsBody([off])).toEqual([{ amount: -500, description: 'Dented box' }]);
});

test('what is half typed is named, and what was only begun is nothing', () => {
  expect(lackOf(blank)).toBeNull();
  expect(lackOf({ ...blank, amount: 500 })).toBe('description');
  expect(lackOf({ ...blank, description: 'Dented box' })).toBe('amount');
  expect(halfTyped(noReductions)).toBeNull();
  expect(halfTyped({ ...noReductions, adjustments: [blank] })).toBeNull();
  expect(halfTyped({ ...noReductions, adjustments: [{ ...blank, amount: 500 }] })).toContain(
    'what it is for',
  );
  expect(halfTyped({ ...noReductions, taxExempt: { exempt: true, reason: ' ' } })).toContain('reason');
});
