import type { Order } from './order-words.ts';

/** The number of units of a line in returns that are not voided. */
export function returnedUnits({ returns }: Pick<Order, 'returns'>, lineId: number): number {
  return returns
    .filter(({ voidedAt }) => voidedAt === null)
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ orderLineItemId }) => orderLineItemId === lineId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
