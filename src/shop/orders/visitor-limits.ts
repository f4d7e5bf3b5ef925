import { addressLimits, failureLimit, type UnprovenLimits } from '../../platform/http/rate-limits.ts';

/**
 * Orders of visitors who have not signed in: each may take stock, and no one answers for it. A household in a day, and a
 * bound for a page: who signs in by a code can still order when it is reached (D67).
 */
export const ordersOfVisitors: UnprovenLimits = {
  ofAddress: addressLimits('orders', { perSecond: 1 / 7_200, burst: 10 }),
  ofKey: failureLimit('ordersOfKey', { perSecond: 1 / 60, burst: 300 }),
  refusal: 'Too many orders of customers who have not signed in: sign in with a code, or come back later.',
};

/**
 * Orders that are refused to callers who have not proven who the customer is, also by the emails and phones that they name: what
 * could tell of a person is asked as seldom as a code is guessed.
 */
export const refusedOrdersOfVisitors: UnprovenLimits = {
  ofName: failureLimit('refusalsOfContact', { perSecond: 1 / 360, burst: 10 }),
  ofAddress: addressLimits('refusals', { perSecond: 1 / 60, burst: 30 }),
  ofKey: failureLimit('refusalsOfKey', { perSecond: 1 / 2, burst: 300 }),
  refusal:
    'Too many refused orders of customers who have not signed in: sign in with a code, or come back later.',
};
