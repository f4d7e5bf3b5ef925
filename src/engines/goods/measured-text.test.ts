import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { amountIn, measuresWithin, readMeasure } from './measured-text.ts';

const said = (text: string) => {
  const measure = readMeasure(text);
  return measure === null ? null : `${decimalText(measure.amount)} ${measure.unit ?? 'plain'}`;
};

test.each([
  ['3.5', '3.5 plain'],
  ['0%', '0 %'],
  ['1,000', '1000 plain'],
  ['3.5g', '3.5 g'],
  ['.1g', '0.1 g'],
  ['3.5 Grams', '3.5 g'],
  ['1 kg', '1000 g'],
  ['1,000mg', '1000 mg'],
  ['1oz', '1 oz'],
  ['1 oz.', '1 oz'],
  ['1/8oz', '0.125 oz'],
  ['1/8 OZ', '0.125 oz'],
  ['1 1/2 oz', '1.5 oz'],
  ['1-1/2 oz', '1.5 oz'],
  ['⅛ oz', '0.125 oz'],
  ['1½oz', '1.5 oz'],
  ['1/4 lb', '4 oz'],
  ['12 fl oz', '12 fl oz'],
  ['12 fl. oz.', '12 fl oz'],
  ['5 x 0.5g', '2.5 g'],
  ['5pk × .5 g', '2.5 g'],
  ['0.5g x 5', '2.5 g'],
  ['1-2 g', '2 g'],
  ['1g – 3.5g', '3.5 g'],
  ['500 mg to 1 g', '1 g'],
  ['1/8 - 1/4 oz', '0.25 oz'],
  ['10 ct', '10 count'],
  ['1 each', '1 count'],
  ['22.5 %', '22.5 %'],
])('%s means %s', (text, expected) => {
  expect(said(text)).toBe(expected);
});

test.each([
  ...['', 'eighth', 'about 3', '3.5 g jar', '3.5g (1/8 oz)', '-1 g', '1e3 g', '3,5 g', '1.2.3 g'],
  // A fraction or a range needs a unit; a third of an ounce is not a finite decimal.
  ...['1/8', '1-2', '1/3 oz', '1/0 oz', '2-1 g', '1 oz - 3.5 g', '1 g - 2 fl oz', '1-3/2 oz'],
  // Grains, and other unknown units.
  ...['3 gr', '12 ml', '2 x 3', '0 x 1 g', '5 x 10%', 'g', '3.5 gg', `${'1'.repeat(101)}`],
])('%s is not recognized', (text) => {
  expect(readMeasure(text)).toBeNull();
});

test('any fraction of an ounce converts to grams exactly', () => {
  const eighths = fc.integer({ min: 1, max: 8_000 });
  fc.assert(
    fc.property(eighths, (count) => {
      const { amount, unit } = readMeasure(`${count}/8 oz`)!;
      const grams = amountIn(amount, unit!, 'g')!;
      expect(grams.times(8).eq(decimal('28.349523125').times(count))).toBe(true);
      expect(amountIn(grams, 'g', 'oz')!.eq(amount)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('an amount of another dimension, or without a finite decimal, is not converted', () => {
  expect(amountIn(decimal(1), 'g', 'oz')).toBeNull();
  expect(amountIn(decimal(1), 'g', 'count')).toBeNull();
  expect(amountIn(decimal(1), 'fl oz', 'oz')).toBeNull();
  expect(amountIn(decimal(1), '%', 'mg')).toBeNull();
  expect(amountIn(decimal('0.0000000000001'), 'mg', 'g')).toBeNull();
});

test('sizes are found within a name, without similar texts', () => {
  const within = (text: string) =>
    measuresWithin(text).map(({ amount, unit }) => `${decimalText(amount)} ${unit}`);
  expect(within('Moonlit Grove 1/8oz jar')).toEqual(['0.125 oz']);
  expect(within('Gummies 10mg, 100 mg a bag')).toEqual(['10 mg', '100 mg']);
  expect(within('OG 24 grapes, 1:1, v2.5gen, 3/gram')).toEqual([]);
});
