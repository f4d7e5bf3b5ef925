import { describe, expect, test } from 'vitest';
import { type OrderActionId, orderActions } from './actions/order-actions.ts';
import { afterStep, allowedActions } from './order-lifecycle.ts';
import type { OrderRecord, OrderStatus } from './order-record.ts';

const statuses: readonly OrderStatus[] = ['draft', 'new', 'packed', 'fulfilled', 'canceled'];

/** A second reading of D24, row by row. */
const allowed: Readonly<Record<string, OrderStatus>> = {
  'draft accept': 'new',
  'new unaccept': 'draft',
  'new pack': 'packed',
  'packed unpack': 'new',
  'new fulfill': 'fulfilled',
  'packed fulfill': 'fulfilled',
  'draft cancel': 'canceled',
  'new cancel': 'canceled',
  'packed cancel': 'canceled',
  'fulfilled void': 'canceled',
};

const placedAtMs = Date.parse('2026-03-10T18:00:00Z');
const steppedAtMs = placedAtMs + 60_000;
const clerk = { id: 7, email: 'clerk@shop.example.com', firstName: 'Cle', lastName: 'Rk' };
const by = { staff: clerk, cancelationReason: 'Changed their mind' };

/** A paid order of one status, with the given changes. */
function orderIn(status: OrderStatus, paidCents: readonly number[] = [600, 400]): OrderRecord {
  const head = {
    status,
    customerGrandTotalCents: 1000,
    updatedAt: placedAtMs,
    packedAt: status === 'packed' ? placedAtMs : null,
    packedByStaffId: status === 'packed' ? 3 : null,
    fulfilledAt: null,
    fulfilledByStaffId: null,
    canceledAt: null,
    cancelAdminId: null,
    cancelationReason: null,
  };
  const payments = paidCents.map((finalAmountCents) => ({ finalAmountCents }));
  return {
    head,
    payments,
    lines: [],
    fulfillments: [],
    fulfilledBy: null,
    dispatchTask: null,
  } as unknown as OrderRecord;
}

describe.each(statuses)('an order that is %s', (status) => {
  test.each(orderActions.map(({ id }) => id))(
    'allows or refuses %s as the table says, and the input is not changed',
    (action) => {
      const order = orderIn(status);
      const before = structuredClone(order);
      const to = allowed[`${status} ${action}`];
      if (to === undefined) {
        expect(() => afterStep(order, action, by, steppedAtMs)).toThrow(
          expect.objectContaining({ code: 'INVALID_ORDER_TRANSITION', meta: { status, action } }),
        );
      } else {
        expect(afterStep(order, action, by, steppedAtMs).head).toMatchObject({
          status: to,
          updatedAt: steppedAtMs,
        });
      }
      expect(order).toEqual(before);
      expect(allowedActions(status).includes(action)).toBe(to !== undefined);
    },
  );
});

test('a fulfilled order has no further action but a void and a return, a canceled one none', () => {
  expect(allowedActions('fulfilled')).toEqual(['void']);
  expect(allowedActions('canceled')).toEqual([]);
});

test('only acceptance takes stock, and only its reversal, cancelation and void return it', () => {
  const effects = orderActions.map(({ id, stock }) => [id, stock]);
  expect(Object.fromEntries(effects)).toEqual({
    accept: 'take',
    unaccept: 'give-back',
    pack: 'none',
    unpack: 'none',
    fulfill: 'none',
    cancel: 'give-back',
    void: 'give-back',
  });
});

test("each step records when and by whom, and changes no other step's record", () => {
  const stamps = (status: OrderStatus, action: OrderActionId) => {
    const { head, fulfilledBy } = afterStep(orderIn(status), action, by, steppedAtMs);
    const { customerGrandTotalCents: _, status: __, updatedAt: ___, ...rest } = head;
    return { ...rest, fulfilledBy };
  };
  const none = {
    packedAt: null,
    packedByStaffId: null,
    fulfilledAt: null,
    fulfilledByStaffId: null,
    canceledAt: null,
    cancelAdminId: null,
    cancelationReason: null,
    fulfilledBy: null,
  };
  const packed = { packedAt: placedAtMs, packedByStaffId: 3 };
  expect(stamps('draft', 'accept')).toEqual(none);
  expect(stamps('new', 'unaccept')).toEqual({ ...none, asked: { inventoryLocationId: null } });
  expect(stamps('new', 'pack')).toEqual({ ...none, packedAt: steppedAtMs, packedByStaffId: 7 });
  expect(stamps('packed', 'unpack')).toEqual(none);
  const fulfilled = {
    fulfilledAt: steppedAtMs,
    fulfilledByStaffId: 7,
    fulfilledBy: clerk,
    isUnproven: false,
  };
  expect(stamps('new', 'fulfill')).toEqual({ ...none, ...fulfilled });
  expect(stamps('packed', 'fulfill')).toEqual({ ...none, ...packed, ...fulfilled });
  const canceled = { canceledAt: steppedAtMs, cancelAdminId: 7, cancelationReason: 'Changed their mind' };
  expect(stamps('packed', 'cancel')).toEqual({ ...none, ...packed, ...canceled });
});

test('an order is fulfilled only when its payments cover it to the cent', () => {
  for (const paid of [[], [999], [600, 401], [600]]) {
    expect(() => afterStep(orderIn('packed', paid), 'fulfill', by, steppedAtMs)).toThrow(
      expect.objectContaining({ code: 'INVALID_ORDER' }),
    );
  }
  expect(afterStep(orderIn('packed', [1000]), 'fulfill', by, steppedAtMs).head.status).toBe('fulfilled');
});
