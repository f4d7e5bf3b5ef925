import { expect, test } from 'vitest';
import { roundedDollars } from './rounded-dollars.ts';

test.each([
  ['12750.4375', '$12,750.44'],
  ['0', '$0.00'],
  ['7', '$7.00'],
  ['0.004', '$0.00'],
  ['0.005', '$0.01'],
  ['999.995', '$1,000.00'],
  ['-3.5', '−$3.50'],
  ['-0.001', '$0.00'],
  ['90071992547409931.12', '$90,071,992,547,409,931.12'],
])('%s dollars are shown as %s', (exact, shown) => {
  expect(roundedDollars(exact)).toBe(shown);
});
