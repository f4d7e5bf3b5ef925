import { orderRoles } from '../../../kernel/staff-roles.ts';
import { orderAction } from './order-action.ts';

export const unaccept = orderAction({
  id: 'unaccept',
  from: ['new'],
  to: 'draft',
  roles: orderRoles,
  event: 'order.unaccepted',
  stock: 'give-back',
  promotions: 'keep',
  checksLimits: false,
  endsDispatchTask: null,
  // The location that was given at acceptance no longer applies.
  record: (order) => ({
    ...order,
    head: { ...order.head, asked: { ...order.head.asked, inventoryLocationId: null } },
  }),
  operation: {
    summary: 'Return to draft',
    description: 'new → draft. Returns the stock.',
    failures: [],
    body: null,
  },
  console: {
    verb: 'Back to draft',
    done: 'The order is a draft again; its stock is returned.',
    opens: 'nothing',
    isRare: true,
  },
});
