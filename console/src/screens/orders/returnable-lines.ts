import type { Order } from './order-words.ts';

/** How many units of a line came back by returns that hold. */
export function returnedUnits({ returns }: Pick<Order, 'returns'>, lineId: number): number {
  return returns
    .filter(({ voidedAt }) => voidedAt === null)
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ orderLineItemId }) => orderLineItemId === lineId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
