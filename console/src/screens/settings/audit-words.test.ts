import { expect, test } from 'vitest';
import { actionInWords, auditSubject, subjectPath } from './audit-words.ts';

test('an action is shown in words', () => {
  expect(actionInWords('customer_group.created')).toBe('Customer group created');
});

test('a subject links to its screen, and an address accepts only known kinds', () => {
  expect(subjectPath('package', '17')).toBe('/inventory/packages/17');
  expect(subjectPath('payment_type', '17')).toBe('/settings/payment-types');
  expect(subjectPath('stock_balance', '17')).toBeNull();
  expect([auditSubject('payment_type'), auditSubject('payment-type'), auditSubject(undefined)]).toEqual([
    'payment_type',
    null,
    null,
  ]);
});
