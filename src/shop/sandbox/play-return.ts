import { Failure, failure } from '../../kernel/failure.ts';
import { returnOrder, voidReturn } from '../returns/returns.ts';
import type { PlayedOrder, Playing } from './played-order.ts';

/**
 * Takes back every unit of an order that is not returned, onto the shelf, and refunds it by the first payment type (D39). Resolves to
 * false if nothing is left. Fails with INVALID_ORDER_TRANSITION.
 */
export async function playReturn({
  context,
  origin,
  organization,
  order,
  by,
  paymentTypeId,
}: Playing): Promise<boolean> {
  const left = leftOf(order);
  if (left.length === 0) return false;
  return unlessDone('RETURN_QUANTITY_EXCEEDED', () =>
    returnOrder(
      context,
      origin,
      organization,
      order.id,
      {
        refundType: paymentTypeId === null ? 'none' : 'payment-method',
        paymentTypeId,
        lines: left.map((line) => ({
          ...line,
          type: 'return',
          inventoryAction: 'inventory',
          reason: 'Returned in the sandbox',
        })),
        adjustmentCents: 0,
        adjustmentDescription: '',
        idempotencyKey: null,
      },
      by,
    ),
  );
}

/**
 * Voids the last return of an order. Resolves to false if it is voided already. Fails with INVALID_ORDER_TRANSITION
 * without a return, and with OUT_OF_STOCK or STORE_CREDIT_SPENT.
 */
export async function playVoidedReturn({
  context,
  origin,
  organization,
  order,
  by,
}: Playing): Promise<boolean> {
  if (order.returns.length === 0) {
    throw failure(
      'INVALID_ORDER_TRANSITION',
      'An order without a return cannot be changed by void-return: play return first',
      { status: order.status, action: 'void-return' },
    );
  }
  const last = order.returns.findLast(({ voidedAt }) => voidedAt === null);
  if (last === undefined) return false;
  const reason = 'Voided in the sandbox';
  return unlessDone('ORDER_RETURN_VOIDED', () =>
    voidReturn(context, origin, organization, last.id, { reason, by }),
  );
}

/** The units of each line that are not returned. */
function leftOf({ lineItems, returns }: PlayedOrder): { orderLineItemId: number; quantity: number }[] {
  const returned = returns
    .filter(({ voidedAt }) => voidedAt === null)
    .flatMap(({ lineItems: lines }) => lines);
  return lineItems
    .map(({ id, quantity }) => ({
      orderLineItemId: id,
      quantity: returned
        .filter(({ orderLineItemId }) => orderLineItemId === id)
        .reduce((left, line) => left - line.quantity, quantity),
    }))
    .filter(({ quantity }) => quantity > 0);
}

/** Another request may take the same step at the same time: then it is taken. */
async function unlessDone(code: string, work: () => Promise<unknown>): Promise<true> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure && error.code === code)) throw error;
  }
  return true;
}
