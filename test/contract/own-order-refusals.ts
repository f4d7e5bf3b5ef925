import { randomUUID } from 'node:crypto';
import { createTestShop, pickupBody } from '../harness/test-shop.ts';
import { collideOn } from './collisions.ts';
import type { Refusal, Stage } from './refusal.ts';

const manyIds = Array.from({ length: 101 }, (_, at) => at).join(',');

/** Refusals of what a key does with its own orders (D69). */
export function ownOrderRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'listOrderStatuses':
      return [
        statusesRefusal('MISSING_PARAMS', 'no ids are sent', {}, /^Required but absent: ids\.$/),
        statusesRefusal(
          'INVALID_PARAMS',
          'there are too many',
          { ids: manyIds },
          /^ids must name at most 100 orders, not 101\.$/,
        ),
      ];
    case 'listPageOrders':
      return [randomUUID(), 'first'].map((startingAfter) => ({
        endpointId,
        code: 'INVALID_CURSOR',
        when: `startingAfter is ${startingAfter === 'first' ? startingAfter : 'the id of no order'}`,
        arrange: () => ({ request: { params: {}, query: { startingAfter }, body: undefined } }),
        message: /^startingAfter must be /,
      }));
    case 'cancelOwnOrder':
    case 'cancelPageOrder':
      return cancelRefusals(endpointId);
    default:
      return [];
  }
}

function statusesRefusal(
  code: 'MISSING_PARAMS' | 'INVALID_PARAMS',
  when: string,
  query: Readonly<Record<string, string>>,
  message: RegExp,
): Refusal {
  return {
    endpointId: 'listOrderStatuses',
    code,
    when,
    arrange: () => ({ request: { params: {}, query, body: undefined } }),
    message,
    ...(code === 'MISSING_PARAMS' && { meta: { missing: ['ids'] } }),
  };
}

function cancelRefusals(endpointId: string): Refusal[] {
  const cancel = (orderId: unknown) => ({ params: { orderId }, query: {}, body: {} });
  return [
    {
      endpointId,
      code: 'INVALID_ORDER_TRANSITION',
      when: 'the order is fulfilled',
      arrange: ({ home }) => ({ request: cancel(home.ids['listOrders.startingAfter']) }),
      message:
        /^(An order that is fulfilled cannot be changed by cancel|This order is canceled by the shop only)\.$/,
      meta: { status: 'fulfilled', action: 'cancel' },
    },
    {
      endpointId,
      code: 'TRANSACTION_RETRY_EXCEEDED',
      when: 'every attempt collides with another transaction',
      arrange: async ({ service, witness }: Stage) => {
        const shop = await createTestShop(service.context);
        const body = pickupBody(shop);
        const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
        await collideOn(witness, 'orders', shop.organizationId);
        return { shop, request: cancel(data.id) };
      },
      message: /try again/,
    },
  ];
}
