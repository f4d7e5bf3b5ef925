import Type, { type Static } from 'typebox';
import { failure } from '../../../kernel/failure.ts';
import { orderRoles } from '../../../kernel/staff-roles.ts';
import { Text } from '../../../platform/http/schemas.ts';
import { orderAction } from './order-action.ts';

const CancelBody = Type.Object({ reason: Text({ min: 1, max: 500 }) });

export const cancel = orderAction<'cancel', Static<typeof CancelBody>>({
  id: 'cancel',
  from: ['draft', 'new', 'packed'],
  to: 'canceled',
  roles: orderRoles,
  event: 'order.canceled',
  // A draft holds no stock: the list of returned stock is empty.
  stock: 'give-back',
  promotions: 'give-back',
  money: 'give-back',
  checksLimits: false,
  tells: 'canceled',
  endsDispatchTask: 'failed',
  record: (order, { staff, cancelationReason }, nowMs) => ({
    ...order,
    head: {
      ...order.head,
      canceledAt: nowMs,
      cancelAdminId: staff?.id ?? null,
      cancelationReason: cancelationReason ?? null,
    },
  }),
  operation: {
    summary: 'Cancel',
    description:
      'draft, new or packed → canceled. Returns stock, uses of discounts, credits and points. An ' +
      'open `dispatchTask` becomes `failed`.',
    failures: [],
    body: {
      schema: CancelBody,
      example: { reason: 'Customer did not come' },
      read: ({ reason }) => {
        const cancelationReason = reason.trim();
        if (cancelationReason === '') throw failure('INVALID_PARAMS', 'reason must not be blank');
        return { cancelationReason };
      },
    },
  },
  console: {
    verb: 'Cancel order',
    done: 'The order is canceled; stock, discounts, credits and points are returned.',
    opens: 'dialog',
    isRare: true,
  },
});
