import { expect, test } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { RateLimits } from './rate-limits.ts';

test('visitors of a page have limits of their own, and one of all together', () => {
  const clock = new ManualClock(0);
  const limits = new RateLimits(clock);
  const visit = (address: string) => limits.takeVisit(7, 'menu', 4, address).allowed;
  const served = (address: string) => Array.from({ length: 20 }, () => visit(address)).filter(Boolean).length;
  expect(served('203.0.113.1')).toBe(8);
  // What was refused does not count for other visitors.
  for (let host = 2; host <= 20; host++) expect(served(`203.0.113.${host}`)).toBe(8);
  expect(visit('203.0.113.21')).toBe(false);
  clock.advance(1_000);
  expect(served('203.0.113.1')).toBe(4);
  // An IPv6 visitor is a network of 64 bits.
  expect(served('2001:db8:1:1::1') + served('2001:db8:1:1::2')).toBe(8);
  // Other keys have their own.
  expect(limits.takeVisit(8, 'menu', 4, '203.0.113.1').allowed).toBe(true);
});
