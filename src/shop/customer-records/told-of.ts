import type { DeliveredResource } from '../webhooks/deliveries-of-customer.ts';

/** What the changes of a customer are told of, to name deliveries of webhooks by. */
export function toldOf(of: {
  /** The customer, and those merged into it. */
  readonly ids: readonly number[];
  readonly orderIds: readonly string[];
  readonly points: readonly { readonly id: number }[];
  readonly entries: readonly { readonly id: number }[];
}): DeliveredResource[] {
  const { ids, orderIds, points, entries } = of;
  return [
    ...ids.map((id): DeliveredResource => `customer:${id}`),
    ...orderIds.map((id): DeliveredResource => `order:${id}`),
    ...points.map(({ id }): DeliveredResource => `loyalty_event:${id}`),
    ...entries.map(({ id }): DeliveredResource => `queue_entry:${id}`),
  ];
}
