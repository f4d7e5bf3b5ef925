import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import { actionsOf, type ModelOrder, refundedCents } from './order-model.ts';
import { feeOf } from './simulated-shop.ts';
import type { TradingWorld } from './trading-world.ts';

type Data = TestReply['data'];

const sum = (rows: readonly Data[], name: string): number =>
  rows.reduce((total: number, row: Data) => total + row[name], 0);

/** They are shown by their times, and a clock that is corrected goes back. */
const byId = (returns: Data[][]) => returns.toSorted(([a], [b]) => a - b);

/** The prediction for an order. */
function predicted(order: ModelOrder) {
  const { amounts, cart, status } = order;
  return {
    id: order.id,
    type: cart.type,
    status,
    totalPrice: amounts.totalCents,
    netPrice: amounts.netCents,
    customerGrandTotal: amounts.grandCents,
    refundTotal: 0 - refundedCents(order),
    taxExempt: cart.isExempt,
    tax: amounts.taxCents,
    credits: amounts.creditCents,
    adjustments: cart.adjustmentCents === 0 ? [] : 'some',
    payments: order.paid.map(({ type, amountCents }) => [type.name, amountCents, feeOf(type, amountCents)]),
    lines: order.lines.map(({ option, quantity, parts }) => [
      option.name,
      quantity,
      option.finalCents * quantity,
      parts.map(({ shelf, amount }) => [shelf.label, 0 - amount]),
    ]),
    returns: byId(order.returns.map(({ id, refundCents, isVoided }) => [id, 0 - refundCents, isVoided])),
    dispatch: order.dispatch,
    fulfilledAt: order.fulfilledAtMs === null ? null : new Date(order.fulfilledAtMs).toISOString(),
    isCanceled: status === 'canceled',
    allowedActions: actionsOf(order).toSorted(),
  };
}

/** The same values from the staff's view of an order. */
function shown(world: TradingWorld, order: ModelOrder, data: Data) {
  const nameOf = (optionId: number) =>
    order.lines.find(({ option }) => world.shop.optionId(option.name) === optionId)?.option.name;
  return {
    id: data.id,
    type: data.type,
    status: data.status,
    totalPrice: data.totalPrice,
    netPrice: data.netPrice,
    customerGrandTotal: data.customerGrandTotal,
    refundTotal: data.refundTotal,
    taxExempt: data.taxExempt,
    tax: sum(data.taxes, 'amount'),
    credits: sum(data.credits, 'amountUsed'),
    adjustments: data.adjustments.length === 0 ? [] : 'some',
    payments: data.payments.map((payment: Data) => [payment.name, payment.amount, payment.feeAmount]),
    lines: data.lineItems.map((line: Data) => [
      nameOf(line.optionId),
      line.quantity,
      line.finalPrice,
      line.fulfillAs.map((part: Data) => [part.pkg?.label ?? null, part.optionSum]),
    ]),
    returns: byId(data.returns.map((it: Data) => [it.id, it.refundTotal, it.voidedAt !== null])),
    dispatch: data.dispatchTask?.status ?? null,
    fulfilledAt: data.fulfilledAt,
    isCanceled: data.canceledAt !== null,
    allowedActions: data.allowedActions.toSorted(),
  };
}

/** Reads an order, as staff and as the caller that placed it, and expects the prediction. */
export async function expectOrder(world: TradingWorld, order: ModelOrder): Promise<void> {
  const { data } = await world.askStaff('GET', `/staff/v1/orders/${order.id}`);
  expect(shown(world, order, data)).toEqual(predicted(order));
}

/** The integrators' view of an order, in a list or alone. */
export function expectListed(order: ModelOrder, data: Data): void {
  const { status, netPrice, customerGrandTotal, refundTotal } = predicted(order);
  expect(data).toMatchObject({ status, netPrice, customerGrandTotal, refundTotal });
}
