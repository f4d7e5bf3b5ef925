import { orderRoles } from '../../../kernel/staff-roles.ts';
import { orderAction } from './order-action.ts';

export const unpack = orderAction({
  id: 'unpack',
  from: ['packed'],
  to: 'new',
  roles: orderRoles,
  event: 'order.unpacked',
  stock: 'none',
  promotions: 'keep',
  checksLimits: false,
  endsDispatchTask: null,
  record: (order) => ({ ...order, head: { ...order.head, packedAt: null, packedByStaffId: null } }),
  operation: {
    summary: 'Unpack',
    description: 'packed → new. Clears `packedAt`.',
    failures: [],
    body: null,
  },
  console: { verb: 'Unpack', done: 'The order is unpacked.', opens: 'nothing', isRare: false },
});
