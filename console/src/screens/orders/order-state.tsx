import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Order } from './order-words.ts';
import { returnedInWords } from './return-state.ts';

/** The status of an order, and whether goods of it came back. */
export function OrderState({ order }: { order: Pick<Order, 'status' | 'lineItems' | 'returns'> }) {
  const returned = returnedInWords(order);
  return returned === null ? (
    <StatusBadge status={order.status} />
  ) : (
    <StatusBadge status={order.status} label={returned} tone="waiting" />
  );
}
