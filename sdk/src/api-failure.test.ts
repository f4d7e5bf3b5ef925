import { expect, test } from 'vitest';
import { ApiFailure, failureOf } from './api-failure.ts';

const refusal = (message: string, meta?: Record<string, unknown>): ApiFailure =>
  new ApiFailure({ message, code: 'INVALID_PARAMS', status: 400, meta });

test('a refusal names its fields: the missing ones, or those at the start of its message', () => {
  expect(refusal('Required but absent: email.', { missing: ['email'] }).fields).toEqual(['email']);
  expect(refusal('orderMinimums.pickup must be a whole number.').fields).toEqual(['orderMinimums.pickup']);
  expect(refusal('lines[0].quantity must be 1 or more').fields).toEqual(['lines[0].quantity']);
  expect(refusal('[2].package.label must be text.').fields).toEqual(['[2].package.label']);
  expect(refusal('hasDelivery, hasPickup: at least one must be true').fields).toEqual([
    'hasDelivery',
    'hasPickup',
  ]);
  expect(refusal('The body must be an object.').fields).toEqual([]);
});

test('a reply in another shape, such as that of a proxy, is a failure with its status', () => {
  const response = new Response('<html>', { status: 502, headers: { 'x-request-id': 'r-1' } });
  expect(failureOf(response, null)).toMatchObject({ code: 'INTERNAL_ERROR', status: 502, requestId: 'r-1' });
});
