import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellProblem, cellValue, conversions } from './cell-values.ts';

test('dollars in any notation become exact cents', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000_000 });
  fc.assert(
    fc.property(cents, fc.boolean(), fc.boolean(), (amount, hasSign, hasCommas) => {
      const whole = Math.floor(amount / 100);
      const dollars = hasCommas ? whole.toLocaleString('en-US') : String(whole);
      const text = `${hasSign ? '$' : ''}${dollars}.${String(amount % 100).padStart(2, '0')}`;
      expect(conversions['dollars-to-cents'](text)).toBe(String(amount));
    }),
  );
  expect(conversions['dollars-to-cents']('12.5')).toBe('1250');
  expect(conversions['dollars-to-cents']('$ 7')).toBe('700');
});

test('weights are converted exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (milligrams) => {
      const grams = conversions['milligrams-to-grams'](`${milligrams} mg`, 'text');
      expect(conversions['grams-to-milligrams'](`${grams}g`, 'text')).toBe(String(milligrams));
    }),
  );
  expect(conversions['milligrams-to-grams']('0.1 mg', 'text')).toBe('0.0001');
  // A measure keeps its unit; the category's rules check it.
  expect(conversions['grams-to-milligrams']('.5', 'measure')).toBe('500 mg');
  expect(conversions['leading-number']('1/8oz', 'measure')).toBe('1/8oz');
  expect(conversions.percent('22.5', 'measure')).toBe('22.5%');
});

test.each([
  ['leading-number', '3.5g', '3.5'],
  ['leading-number', '1,000mg', '1000'],
  ['leading-number', '.5 g', '0.5'],
  ['percent', '22.5 %', '22.5'],
  ['percent', '22.5', '22.5'],
  ['yes-no', 'Y', 'true'],
  ['yes-no', 'no', 'false'],
  ['us-date', '3/4/1990', '1990-03-04'],
  ['lowercase', 'Hybrid', 'hybrid'],
] as const)('%s converts %s to %s', (name, text, expected) => {
  expect(conversions[name](text, 'text')).toBe(expected);
});

test.each([
  ['dollars-to-cents', '12.345'],
  ['dollars-to-cents', '-1'],
  ['dollars-to-cents', '1e3'],
  ['dollars-to-cents', 'some'],
  ['dollars-to-cents', '12,50'],
  ['leading-number', 'about 3'],
  ['leading-number', '1/8oz'],
  ['leading-number', '1-2 g'],
  ['leading-number', '5 x 0.5 g'],
  ['leading-number', '3.5 g jar'],
  ['grams-to-milligrams', '5mg'],
  ['grams-to-milligrams', '1/8 oz'],
  ['milligrams-to-grams', '5 g'],
  ['milligrams-to-grams', '10 ct'],
  ['percent', '225 mg'],
  ['dollars-to-cents', '12.50 EUR'],
  ['percent', 'high'],
  ['yes-no', 'perhaps'],
  ['us-date', '1990-03-04'],
] as const)('%s refuses %s', (name, text) => {
  expect(() => conversions[name](text, 'text')).toThrow(CellProblem);
});

test('a cell becomes the value for a request, or is refused', () => {
  expect(cellValue('3.50 g', 'measure')).toBe('3.50 g');
  expect(cellValue('007', 'cents')).toBe(7);
  expect(cellValue('TRUE', 'flag')).toBe(true);
  expect(cellValue(' a | b ||', 'list')).toEqual(['a', 'b']);
  expect(cellValue('a; b', 'list', ';')).toEqual(['a', 'b']);
  for (const [text, kind] of [
    ['1.5', 'cents'],
    ['-1', 'measure'],
    ['1/8', 'measure'],
    ['Infinity', 'measure'],
    ['yes', 'flag'],
  ] as const) {
    expect(() => cellValue(text, kind)).toThrow(CellProblem);
  }
});
