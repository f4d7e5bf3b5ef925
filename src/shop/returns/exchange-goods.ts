import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import type { StepSettings } from '../orders/actions/order-action.ts';
import type { OrderRecord, StaffName } from '../orders/order-record.ts';
import { loadOrder, stepOrder } from '../orders/orders.ts';
import type { ReturnRequest } from './decide-return.ts';
import { previewReturn } from './preview-return.ts';
import { returnOrder, type UnprovenRefund } from './return-order.ts';

/** Goods of one order that come back, and how the goods of another one are handed over for them. */
export interface ExchangeRequest {
  readonly returnedOrderId: string;
  readonly back: Pick<ReturnRequest, 'lines' | 'brokenRewards' | 'role' | 'giftCard' | 'inventoryLocationId'>;
  /** The payment type of what the customer gets; null: the customer pays, or the amounts are equal. */
  readonly refundPaymentTypeId: number | null;
  /** `payments` cover what the customer pays. */
  readonly handOver: StepSettings;
}

export interface Exchange {
  readonly orderReturnId: number;
  /** What came back came to this. */
  readonly refundCents: number;
  /** What the customer paid before payment fees; negative: what the customer got. */
  readonly dueCents: number;
  readonly order: OrderRecord;
}

/**
 * Takes goods of an order back and hands over another order for them, in one transaction: one amount is due, either way. Both keep their
 * own books: the refund and the payment that it is stand under one payment type, so that only the difference moves. The first payment's type;
 * that of the refund; or, for equal amounts, the one that the returned goods were paid by. Limits count the goods as returned. Fails as a
 * return and a hand-over would, and with INVALID_PARAMS when the customer gets money and `refundPaymentTypeId` is missing.
 */
export function exchangeGoods(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  request: ExchangeRequest,
  by: StaffName,
  unprovenMax: UnprovenRefund | null,
): Promise<Exchange> {
  const { returnedOrderId, back, handOver } = request;
  const { registerId = null } = handOver;
  return writeTogether(context.database, organization, async () => {
    if (orderId === returnedOrderId) {
      throw failure(
        'INVALID_PARAMS',
        'returned.orderId must be another order than the one that is handed over',
      );
    }
    const [sold, returned] = await loadBoth(context, organization, orderId, returnedOrderId);
    const { status } = sold.head;
    if (status !== 'new' && status !== 'packed') {
      const words = `Goods are exchanged for a new or packed order: this one is ${status}`;
      throw failure('INVALID_ORDER_TRANSITION', words, { status, action: 'exchange' });
    }
    const asked: ReturnRequest = {
      ...back,
      ...{ refundType: 'payment-method', paymentTypeId: null, registerId },
      ...{ adjustmentCents: 0, adjustmentDescription: '', idempotencyKey: orderId },
    };
    const anyType = firstTypeOf(request, returned);
    const previewed = { ...asked, paymentTypeId: anyType };
    const { refundTotal } = await previewReturn(context, organization, returnedOrderId, previewed);
    const totalCents = sold.head.netPriceCents + (sold.head.deliveryFeeCents ?? 0);
    const cents = Math.min(totalCents, -refundTotal);
    const dueCents = totalCents + refundTotal;
    const paymentTypeId = typeOf(request, dueCents, returned);
    const made = { ...asked, paymentTypeId, exchangedCents: cents };
    const { shown } = await returnOrder(
      context,
      origin,
      organization,
      returnedOrderId,
      made,
      by,
      unprovenMax,
    );
    if (shown.refundTotal !== refundTotal) {
      throw failure('TRANSACTION_RETRY_EXCEEDED', 'Goods of this order were returned meanwhile; try again.');
    }
    const exchange = {
      ...{ returnedOrderId, orderReturnId: shown.id, cents, paymentTypeId },
      paymentTypeName: shown.paymentTypeName,
    };
    const settings = { ...handOver, payments: dueCents > 0 ? (handOver.payments ?? []) : [], exchange };
    const order = await stepOrder(context, origin, organization, orderId, 'fulfill', { staff: by }, settings);
    return { orderReturnId: shown.id, refundCents: -refundTotal, dueCents, order };
  });
}

async function loadBoth(
  { database }: Context,
  organizationId: OrganizationId,
  ...ids: readonly [string, string]
): Promise<[OrderRecord, OrderRecord]> {
  const run: TenantTransaction['run'] = (...statements) => database.read(organizationId, ...statements);
  const found = [];
  for (const id of ids) {
    const order = await loadOrder({ organizationId, run }, id, { lock: false });
    if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    found.push(order);
  }
  return found as [OrderRecord, OrderRecord];
}

/** The payment type under which the goods that came back pay for the others. */
function typeOf(request: ExchangeRequest, dueCents: number, returned: OrderRecord): number {
  const { refundPaymentTypeId, handOver } = request;
  const { payments = [] } = handOver;
  if (dueCents < 0 && refundPaymentTypeId === null) {
    throw failure('INVALID_PARAMS', `refundPaymentTypeId must name how the customer gets ${-dueCents} cents`);
  }
  if (dueCents >= 0 && refundPaymentTypeId !== null) {
    throw failure('INVALID_PARAMS', 'refundPaymentTypeId must be left out: the customer gets no money');
  }
  const givenCents = sumCents(payments, ({ amountCents }) =>
    amountCents === 'remaining' ? dueCents : amountCents,
  );
  if (dueCents <= 0 && givenCents > 0) {
    throw failure('INVALID_PARAMS', 'payments must be left out: the customer owes nothing');
  }
  const type = dueCents > 0 ? payments[0]?.paymentTypeId : undefined;
  return type ?? firstTypeOf(request, returned);
}

/** The type of the refund, else that of the goods that came back, else that of the payment. */
function firstTypeOf({ refundPaymentTypeId, handOver }: ExchangeRequest, { payments }: OrderRecord): number {
  const type = refundPaymentTypeId ?? payments[0]?.paymentTypeId ?? handOver.payments?.[0]?.paymentTypeId;
  if (type === undefined) throw failure('INVALID_PARAMS', 'payments must name how the customer pays');
  return type;
}
