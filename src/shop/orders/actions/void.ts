import Type, { type Static } from 'typebox';
import { failure } from '../../../kernel/failure.ts';
import { Id, Nullable, Text } from '../../../platform/http/schemas.ts';
import { orderAction } from './order-action.ts';

const VoidBody = Type.Object({
  reason: Text({ min: 1, max: 500 }),
  inventoryLocationId: Type.Optional(
    Nullable(
      Id({
        description:
          'Where its stock goes: not a vehicle. Absent: where it came from; what was delivered with a vehicle, where it was loaded from',
      }),
    ),
  ),
});

export const voidSale = orderAction<'void', Static<typeof VoidBody>>({
  id: 'void',
  from: ['fulfilled'],
  to: 'canceled',
  roles: ['owner', 'manager'],
  approvable: 'void',
  event: 'order.voided',
  stock: 'give-back',
  promotions: 'undo-sale',
  money: 'give-back',
  checksLimits: false,
  endsDispatchTask: null,
  // Who sold it stays: the reports take its sale back from that person.
  record: (order, { staff, cancelationReason }, nowMs) => ({
    ...order,
    head: {
      ...order.head,
      fulfilledAt: null,
      canceledAt: nowMs,
      cancelAdminId: staff?.id ?? null,
      cancelationReason: cancelationReason ?? null,
    },
  }),
  operation: {
    summary: 'Void a sale',
    description:
      'fulfilled → canceled, for a sale made by mistake. Stock, uses of discounts, credits, points and the money of the ' +
      'drawer go back as if there had been no sale; reports do not count it. Only on the business day of the sale, while the session of ' +
      'its drawer is open, and without returns; later, make a return.',
    failures: ['SALE_NOT_VOIDABLE', 'INVENTORY_LOCATION_NOT_FOUND'],
    body: {
      schema: VoidBody,
      example: { reason: 'Rung up twice' },
      read: ({ reason, inventoryLocationId }) => {
        const cancelationReason = reason.trim();
        if (cancelationReason === '') throw failure('INVALID_PARAMS', 'reason must not be blank');
        return { cancelationReason, ...(inventoryLocationId != null && { inventoryLocationId }) };
      },
    },
  },
  console: {
    verb: 'Void sale',
    done: 'The sale is voided. Stock, points and the drawer are as before.',
    opens: 'dialog',
    isRare: true,
  },
});
