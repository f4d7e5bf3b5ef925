import { expect, test } from 'vitest';
import { amountLeft } from './amount-left.ts';

test('the remaining amount is exact, and 0 if more was received than ordered', () => {
  expect([
    amountLeft('24', '0'),
    amountLeft('10.5', '0.25'),
    amountLeft('0.3', '0.1'),
    amountLeft('24', '24'),
    amountLeft('24', '30.5'),
  ]).toEqual(['24', '10.25', '0.2', '0', '0']);
});
