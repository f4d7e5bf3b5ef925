import { expect, test } from 'vitest';
import { hasUnsavedWork, holdUnsavedWork } from './unsaved-work.ts';

test('leaving asks while a form has unsaved work, and not after', () => {
  expect(hasUnsavedWork('screen')).toBe(false);
  const [first, second] = [holdUnsavedWork('screen'), holdUnsavedWork('screen')];
  first();
  first();
  expect(hasUnsavedWork('screen')).toBe(true);
  expect(hasUnsavedWork('page')).toBe(true);
  second();
  expect(hasUnsavedWork('screen')).toBe(false);
  expect(hasUnsavedWork('page')).toBe(false);
});

test('work that outlives its screen asks only before the page closes', () => {
  const giveBack = holdUnsavedWork('page');
  expect(hasUnsavedWork('screen')).toBe(false);
  expect(hasUnsavedWork('page')).toBe(true);
  giveBack();
  expect(hasUnsavedWork('page')).toBe(false);
});
