import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';
import { returnedUnits } from './returnable-lines.ts';

/** `Returned` or `Partly returned`; null: nothing came back. */
export function returnedInWords(order: Pick<Order, 'lineItems' | 'returns'>): string | null {
  if (order.returns.every(({ voidedAt }) => voidedAt !== null)) return null;
  const isAll = order.lineItems.every(({ id, quantity }) => returnedUnits(order, id) >= quantity);
  return isAll ? t`Returned` : t`Partly returned`;
}
