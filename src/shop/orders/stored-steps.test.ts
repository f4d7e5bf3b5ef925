import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PriceStep } from '../../engines/pricing/price-step.ts';
import { readSteps, storedSteps } from './order-document.ts';

const shares: PriceStep[] = [
  {
    ...{ step: 'line', rule: 'unit price × 2', subject: 'option 7', base: '4400', rate: null },
    ...{ exact: '8800', roundedCents: 8800 },
  },
  {
    ...{ step: 'tax', rule: 'rate of the base, to the nearest cent', subject: 'City, county and state' },
    ...{ base: '8800', rate: '9.25', exact: '814', roundedCents: 814 },
  },
  {
    ...{ step: 'tax-share', rule: 'share of 814 by weight, largest remainders first' },
    ...{
      subject: 'City, county and state, option 7',
      base: '17600/3',
      rate: '0',
      exact: '813 1/3',
      roundedCents: null,
    },
  },
];

test('steps come back with their words as they were, which the stored JSON has', () => {
  expect(readSteps(storedSteps(shares))).toEqual(shares);
  for (const { rule } of shares) expect(storedSteps(shares)).toContain(rule);
});

test('whatever the words and figures are, they come back', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      'unit price × #',
      'unit price × 12',
      'unit price × 007',
      'share of 5 by weight, largest remainders first',
    ),
    fc.constantFrom('', ', ', 'a, b', 'a, , b', 'cart', '#', '12'),
  );
  const figure = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('0', '-0', '1.50', '00', '12345678901234567890', '1/3'),
  );
  const step = fc.record({
    ...{
      step: fc.constantFrom<PriceStep['step']>('line', 'tax', 'credit'),
      rule: word,
      subject: word,
      base: figure,
    },
    ...{ rate: fc.option(figure), exact: figure, roundedCents: fc.option(fc.integer()) },
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
      expect(readSteps(storedSteps(steps))).toEqual(steps);
    }),
  );
});
