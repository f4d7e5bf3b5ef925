import { expect, test } from 'vitest';
import { paymentDueDate } from './payment-terms.ts';

test('net terms count days across the ends of months and years', () => {
  expect(paymentDueDate('net30', '2027-12-15', undefined)).toBe('2028-01-14');
  expect(paymentDueDate('net15', '2028-02-20', null)).toBe('2028-03-06');
});

test('a date that does not exist is refused', () => {
  expect(() => paymentDueDate('net15', '9999-12-31', undefined)).toThrow(/^expectedAt must be early enough/);
  expect(paymentDueDate('net15', '9999-12-31', '9999-12-31')).toBe('9999-12-31');
});
