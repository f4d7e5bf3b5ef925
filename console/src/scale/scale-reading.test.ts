import { expect, test } from 'vitest';
import { readScaleLine, readScaleReport, typedGrams } from './scale-reading.ts';

test.each([
  ['S S      3.52 g', '3.52', true],
  ['S D      3.49 g', '3.49', false],
  ['ST,+00003.52  g', '3.52', true],
  ['US,+00003.50  g', '3.50', false],
  ['     3.52 g  ', '3.52', true],
  ['     3.52 g ?', '3.52', false],
  ['+     3.52 g  ', '3.52', true],
  ['+     3.52    ', '3.52', false],
  ['N     +   1.000 oz', '28.35', true],
  ['S S    0.00352 kg', '3.52', true],
  // Half a hundredth goes up, also where a binary fraction would be just below.
  ['S S      1.005 g', '1.01', true],
  ['S S      8.575 g', '8.58', true],
])('%s is a weight', (line, grams, isStable) => {
  expect(readScaleLine(line)).toEqual({ grams, isStable });
});

test.each(['', 'ES', 'S I', 'S +', 'OL,+9999999E+19', '-    0.12 g', '     0.00 g', 'ready'])(
  '%j is no weight',
  (line) => {
    expect(readScaleLine(line)).toBe(null);
  },
);

const report = (...bytes: number[]) => readScaleReport(new DataView(Uint8Array.from(bytes).buffer));

test('a HID report has status, unit, power of ten and weight', () => {
  // 352 hundredths of a gram, stable and in motion; 12.4 oz; zero; a fault; an unknown unit.
  expect(report(4, 2, 0xfe, 0x60, 0x01)).toEqual({ grams: '3.52', isStable: true });
  expect(report(3, 2, 0xfe, 0x60, 0x01)).toEqual({ grams: '3.52', isStable: false });
  expect(report(4, 11, 0xff, 124, 0)).toEqual({ grams: '351.53', isStable: true });
  expect([report(2, 2, 0, 0, 0), report(1, 2, 0, 9, 0), report(4, 5, 0, 9, 0), report(4)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test.each([
  ['3.52', '3.52'],
  ['3.5 g', '3.5'],
  ['003.520', '3.52'],
  ['.5', '0.5'],
  ['7', '7'],
  ['0', null],
  ['3.525', null],
  ['3,5', null],
  ['', null],
])('typed as %j it is %j grams', (typed, grams) => {
  expect(typedGrams(typed)).toBe(grams);
});
