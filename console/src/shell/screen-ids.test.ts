import { expect, test } from 'vitest';
import { isWellFormed } from './screen-ids.ts';

test('an address with a malformed id opens no screen', () => {
  expect(isWellFormed({ customerId: '5001' })).toBe(true);
  expect(isWellFormed({ discountId: 'new' })).toBe(true);
  expect(isWellFormed({ orderId: '0c5e7bb8-3f4c-4a55-9a0a-2f1d7f3d9f11', paper: 'receipt' })).toBe(true);
  for (const customerId of ['abc', '0', '-1', '1e3', '5001x', '99999999999999999']) {
    expect(isWellFormed({ customerId })).toBe(false);
  }
  expect(isWellFormed({ orderId: '5001' })).toBe(false);
});
