import { expect, test } from 'vitest';
import { amountLeft } from './amount-left.ts';

test('what is left of an order is exact, and nothing once more has come than was ordered', () => {
  expect([
    amountLeft('24', '0'),
    amountLeft('10.5', '0.25'),
    amountLeft('0.3', '0.1'),
    amountLeft('24', '24'),
    amountLeft('24', '30.5'),
  ]).toEqual(['24', '10.25', '0.2', '0', '0']);
});
