import { expect, test } from 'vitest';
import { allEventTypes } from '../../../app/app.ts';
import { offeredActions } from '../order-lifecycle.ts';
import { StaffOrder } from '../staff-order-schemas.ts';
import { orderActions } from './order-actions.ts';

test('each action has its own id and event', () => {
  expect(new Set(orderActions.map(({ id }) => id)).size).toBe(orderActions.length);
  expect(new Set(orderActions.map(({ event }) => event)).size).toBe(orderActions.length);
});

test('staff read every action in allowedActions and its event in the catalog', () => {
  const shown = StaffOrder.properties.allowedActions.items as unknown as { enum: readonly string[] };
  expect(shown.enum).toEqual([...offeredActions]);
  for (const { id, event } of orderActions) {
    expect(offeredActions).toContain(id);
    expect(allEventTypes).toContain(event);
  }
});

test('an action with a required field opens a dialog in the console', () => {
  for (const { id, operation, console } of orderActions) {
    const required = (operation.body?.schema as { required?: readonly string[] } | undefined)?.required ?? [];
    if (required.length > 0) expect([id, console.opens]).toEqual([id, 'dialog']);
  }
});
