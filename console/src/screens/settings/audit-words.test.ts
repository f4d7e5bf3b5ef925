import { expect, test } from 'vitest';
import { actionInWords, auditSubject, detailInWords, detailsInWords, subjectPath } from './audit-words.ts';

test('an action is told in words', () => {
  expect(actionInWords('customer_group.created')).toBe('Customer group created');
});

test('a change is told from what to what, also of parts', () => {
  expect(detailInWords({ from: 'C10-1', to: null })).toBe('C10-1 → –');
  expect(detailInWords({ from: { pickup: 0 }, to: { pickup: 1250 } })).toBe('pickup: 0 → pickup: 1250');
});

test('details stand in a line, lists with commas', () => {
  expect(detailsInWords({ fields: ['role', 'firstName'], staffId: 9 })).toBe(
    'Fields: role, firstName · Staff id: 9',
  );
});

test('a change of state comes first', () => {
  expect(detailsInWords({ reason: 'No stock', to: 'canceled', from: 'draft' })).toBe(
    'draft → canceled · Reason: No stock',
  );
});

test('a subject is shown where the console has it, and an address names only kinds that there are', () => {
  expect(subjectPath('package', '17')).toBe('/inventory/packages/17');
  expect(subjectPath('payment_type', '17')).toBe('/settings/payment-types');
  expect(subjectPath('stock_balance', '17')).toBeNull();
  expect([auditSubject('payment_type'), auditSubject('payment-type'), auditSubject(undefined)]).toEqual([
    'payment_type',
    null,
    null,
  ]);
});
