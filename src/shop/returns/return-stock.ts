import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { StockMovement } from '../inventory/move-stock.ts';
import { stockNeedOf } from '../inventory/stock.ts';
import type { OrderFulfillment, OrderLine } from '../orders/order-record.ts';

/** The part of a line's stock that belongs to some of its units. */
export interface ReturnedFulfillment {
  readonly fulfillmentId: number;
  readonly amount: string;
  /** Where it went, if not where it came from: quarantine, what was delivered, and what staff said. */
  readonly locationId?: number;
}

/** Whether goods are the shop's again, for sale or in quarantine. */
export function isPutBack(action: 'inventory' | 'quarantine' | 'waste' | 'vendor'): boolean {
  return action === 'inventory' || action === 'quarantine';
}

/**
 * What happens to returned goods unless staff say otherwise (D39): cannabis that left the shop is looked at before it is
 * sold again. What a state forbids besides belongs here, and into the refusals of `decideReturn`.
 */
export function defaultAction({ productCannabisType: type }: Pick<OrderLine, 'productCannabisType'>) {
  return type === 'none' ? ('inventory' as const) : ('quarantine' as const);
}

/**
 * The stock of the units that are returned now: what was taken last is returned first. `returned` are earlier returned
 * units, whatever their inventory action. A product without stock tracking has none.
 */
export function stockOfReturn(
  line: OrderLine,
  quantity: number,
  fulfillments: readonly OrderFulfillment[],
  returned: readonly ReturnedFulfillment[],
): ReturnedFulfillment[] {
  let wanted = stockNeedOf(0, { ...line, optionId: line.productOptionId, quantity })?.amount ?? zero;
  const shares: ReturnedFulfillment[] = [];
  for (const { id, orderLineItemId, amount } of fulfillments.toReversed()) {
    if (orderLineItemId !== line.id || wanted.lte(zero)) continue;
    const left = returned
      .filter(({ fulfillmentId }) => fulfillmentId === id)
      .reduce((sum, it) => sum.minus(it.amount), decimal(amount));
    const share = left.lt(wanted) ? left : wanted;
    if (share.lte(zero)) continue;
    shares.push({ fulfillmentId: id, amount: decimalText(share) });
    wanted = wanted.minus(share);
  }
  return shares;
}

/**
 * The changes of balances when the stock of returned units is restocked or removed again: one movement for each
 * package and place of a line, however often a return names it.
 */
export function returnMovements(
  shares: readonly ReturnedFulfillment[],
  fulfillments: readonly OrderFulfillment[],
  direction: 'put-back' | 'take-again',
): StockMovement[] {
  const moved = fulfillments.flatMap((fulfillment) =>
    shares
      .filter(({ fulfillmentId }) => fulfillmentId === fulfillment.id)
      .map(({ amount, locationId = fulfillment.locationId }) => ({
        productId: fulfillment.productId,
        optionId: fulfillment.productOptionId,
        locationId,
        packageId: fulfillment.packageId,
        orderLineItemId: fulfillment.orderLineItemId,
        delta: direction === 'put-back' ? decimal(amount) : zero.minus(amount),
      })),
  );
  const ofOne = ({ delta: _, ...balance }: StockMovement) => Object.values(balance).join(' ');
  return [...groupBy(moved, ofOne).values()].map((same) => ({
    ...same[0]!,
    delta: same.reduce((sum, { delta }) => sum.plus(delta), zero),
  }));
}

/** The units of each line; a return may name a line several times. */
export function quantitiesByLine(
  lines: readonly { readonly orderLineItemId: number; readonly quantity: number }[],
  sign: 1 | -1,
): { ids: number[]; quantities: number[] } {
  const sums = new Map<number, number>();
  for (const { orderLineItemId: id, quantity } of lines) sums.set(id, (sums.get(id) ?? 0) + sign * quantity);
  return { ids: [...sums.keys()], quantities: [...sums.values()] };
}
