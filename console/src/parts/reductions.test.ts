import { expect, test } from 'vitest';
import {
  adjustmentsBody,
  incompleteInput,
  missingPart,
  noReductions,
  typedAdjustment,
} from './reductions.ts';

const blank = { amount: null, way: 'off', description: '' } as const;

test('an adjustment keeps its direction while its amount is retyped', () => {
  const onTop = typedAdjustment({ amount: 500, description: 'Gift wrap' });
  const emptied = { ...onTop, amount: null };
  expect(adjustmentsBody([{ ...emptied, amount: 700 }])).toEqual([{ amount: 700, description: 'Gift wrap' }]);
  const off = typedAdjustment({ amount: -500, description: 'Dented box' });
  expect(adjustmentsBody([off])).toEqual([{ amount: -500, description: 'Dented box' }]);
});

test('incomplete input is named, and an untouched row counts as empty', () => {
  expect(missingPart(blank)).toBeNull();
  expect(missingPart({ ...blank, amount: 500 })).toBe('description');
  expect(missingPart({ ...blank, description: 'Dented box' })).toBe('amount');
  expect(incompleteInput(noReductions)).toBeNull();
  expect(incompleteInput({ ...noReductions, adjustments: [blank] })).toBeNull();
  expect(incompleteInput({ ...noReductions, adjustments: [{ ...blank, amount: 500 }] })).toContain(
    'description',
  );
  expect(incompleteInput({ ...noReductions, taxExempt: { exempt: true, reason: ' ' } })).toContain('reason');
});
