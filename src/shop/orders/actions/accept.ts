import Type, { type Static } from 'typebox';
import { orderRoles } from '../../../kernel/staff-roles.ts';
import { Id } from '../../../platform/http/schemas.ts';
import { orderAction } from './order-action.ts';

const AcceptBody = Type.Object({
  inventoryLocationId: Type.Optional(Id({ description: 'Take stock only from this location' })),
});

export const accept = orderAction<'accept', Static<typeof AcceptBody>>({
  id: 'accept',
  from: ['draft'],
  to: 'new',
  roles: orderRoles,
  event: 'order.accepted',
  stock: 'take',
  promotions: 'keep',
  checksLimits: false,
  endsDispatchTask: null,
  // Later edits take stock from this location, too.
  record: (order, _by, _nowMs, { inventoryLocationId }) =>
    inventoryLocationId === undefined
      ? order
      : { ...order, head: { ...order.head, asked: { ...order.head.asked, inventoryLocationId } } },
  operation: {
    summary: 'Accept a draft',
    description:
      'draft → new. Takes the stock of every line, oldest package first, from the given location, or else from ' +
      'the locations of the order type or delivery zone. If stock is short, the step is refused and changes nothing.',
    failures: ['INVENTORY_LOCATION_NOT_FOUND', 'OUT_OF_STOCK'],
    body: {
      schema: AcceptBody,
      example: {},
      read: ({ inventoryLocationId }) => (inventoryLocationId === undefined ? {} : { inventoryLocationId }),
    },
  },
  console: {
    verb: 'Accept',
    done: 'The order is accepted; its stock is taken.',
    opens: 'dialog',
    isRare: false,
  },
});
