import { api, dataOf } from '../../api.ts';
import type { Order } from './order-words.ts';

export type OrderAction = Order['allowedActions'][number];

/** The steps that need nothing but the order. */
export type PlainStep = 'unaccept' | 'pack' | 'unpack';

const paths = {
  unaccept: '/staff/v1/orders/{orderId}/unaccept',
  pack: '/staff/v1/orders/{orderId}/pack',
  unpack: '/staff/v1/orders/{orderId}/unpack',
} as const;

export function takePlainStep(step: PlainStep, orderId: string): Promise<Order> {
  return dataOf(api.POST(paths[step], { params: { path: { orderId } } }));
}

/** Accepts a draft; its stock comes from where its type is sold from, or from one place only. */
export function acceptOrder(orderId: string, inventoryLocationId?: number): Promise<Order> {
  const body = inventoryLocationId === undefined ? {} : { inventoryLocationId };
  return dataOf(api.POST('/staff/v1/orders/{orderId}/accept', { params: { path: { orderId } }, body }));
}

/** What a step is called on a button, and what is said when it is done. */
export const stepWords: Readonly<Record<OrderAction, { readonly verb: string; readonly done: string }>> = {
  accept: { verb: 'Accept', done: 'The order is accepted; its stock is taken.' },
  unaccept: { verb: 'Back to draft', done: 'The order is a draft again; its stock is back.' },
  pack: { verb: 'Mark as packed', done: 'The order is packed.' },
  unpack: { verb: 'Unpack', done: 'The order is unpacked.' },
  fulfill: { verb: 'Take payment', done: 'The order is handed over.' },
  cancel: { verb: 'Cancel order', done: 'The order is canceled; what it took is given back.' },
  edit: { verb: 'Edit', done: 'The order is saved and priced again.' },
  dispatch: { verb: 'Dispatch', done: 'The delivery is updated.' },
  return: { verb: 'Return goods', done: 'The return is recorded.' },
};

/** The step that comes next in the lifecycle; an order at the counter is not packed first. */
export function nextStep({
  allowedActions,
  type,
}: Pick<Order, 'allowedActions' | 'type'>): 'accept' | 'pack' | 'fulfill' | undefined {
  const steps =
    type === 'in-store' ? (['accept', 'fulfill', 'pack'] as const) : (['accept', 'pack', 'fulfill'] as const);
  return steps.find((step) => allowedActions.includes(step));
}
