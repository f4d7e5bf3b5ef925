import { expect, test } from 'vitest';
import { waitingTime } from './waiting-time.ts';

test('waiting time shows whole minutes, hours and days, and is never negative when clocks differ', () => {
  const minute = 60_000;
  const told = [-5, 0, 1, 59, 60, 65, 24 * 60].map((minutes) => waitingTime(0, minutes * minute));
  expect(told).toEqual(['just now', 'just now', '1 min', '59 min', '1 h 00 min', '1 h 05 min', '1 d']);
});
