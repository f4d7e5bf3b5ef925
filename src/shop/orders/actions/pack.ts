import { orderRoles } from '../../../kernel/staff-roles.ts';
import { orderAction } from './order-action.ts';

export const pack = orderAction({
  id: 'pack',
  from: ['new'],
  to: 'packed',
  roles: orderRoles,
  event: 'order.packed',
  stock: 'none',
  promotions: 'keep',
  checksLimits: false,
  tells: 'ready',
  endsDispatchTask: null,
  record: (order, { staff }, nowMs) => ({
    ...order,
    head: { ...order.head, packedAt: nowMs, packedByStaffId: staff?.id ?? null },
  }),
  operation: {
    summary: 'Mark as packed',
    description:
      'new → packed. Sets `packedAt` and the staff member who packed it. Goods of a package that the state or the shop has blocked since are not packed.',
    failures: ['PACKAGE_BLOCKED'],
    body: null,
  },
  console: { verb: 'Mark as packed', done: 'The order is packed.', opens: 'nothing', isRare: false },
});
