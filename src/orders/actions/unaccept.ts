import { orderRoles } from '../../carts/carts.ts';
import { askedOf } from '../edited-order.ts';
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
  // The location that the acceptance named ends with the acceptance.
  record: (order) => ({
    ...order,
    head: { ...order.head, asked: { ...askedOf(order), inventoryLocationId: null } },
  }),
  operation: {
    source: ['D24'],
    summary: 'Take back the acceptance',
    description: 'new → draft. Gives back the stock it took.',
    failures: [],
    body: null,
  },
  console: {
    verb: 'Back to draft',
    done: 'The order is a draft again; its stock is back.',
    opens: 'nothing',
    isRare: true,
  },
});
