import { ApiFailure, api, dataOf, type Schema, type StaffPaths } from '../../api.ts';
import { atOwnRegister } from '../../parts/own-register.ts';
import { givenBack, type PaymentRow, paymentsOf, sumsOf } from '../../parts/payment-sums.ts';
import { isUnanswered, isUnsent, UnansweredWrite } from '../../parts/unanswered.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { type ChargeWatch, chargeProviders } from './charge-providers.ts';
import type { PendingSale } from './saved-sale.ts';

/** `back`: the cents that the customer gets where goods that came back cost more. */
export type SoldOrder = Schema['FulfilledOrder'] & { readonly back: number };
export type PlacedOrder = NonNullable<PendingSale['placed']>;
/** Resolves once the sale would be there after a crash. */
type Keep = (sale: PendingSale) => void | Promise<void>;

/** One payment with the first type, the most common case. `due`: null while the price is loading. */
export function firstPayments(due: number | null, types: readonly PaymentType[]): readonly PaymentRow[] {
  return types.slice(0, 1).map(({ id }) => ({ key: 0, paymentTypeId: id, amount: due, tendered: null }));
}

/**
 * Places the order of a sale, unless that is done, and takes the payments. `keep` saves the sale before and after each step, so
 * a sale resumed after a lost answer or a reload is sold once. Fails with the service's refusal, or with `UnansweredWrite` when
 * the outcome is unknown.
 */
export async function sell(
  sale: PendingSale,
  payments: readonly PaymentRow[],
  types: readonly PaymentType[],
  keep: Keep,
  idSeen = false,
  watch: ChargeWatch = unwatched,
): Promise<SoldOrder> {
  const drafted = { ...sale, payments };
  const placed = drafted.placed ?? (await place(drafted, keep));
  const sold = { ...drafted, isSent: true, placed };
  if (sale.due > 0 && sale.sentPayments === null) {
    await keep(sold);
    await chargeProviders(placed.id, payments, types, watch);
  }
  const order = await pay(sold, types, keep, { idSeen, isLeft: watch.isLeft() });
  const { refund, amount } = order.exchange ?? { refund: 0, amount: 0 };
  const refundType = types.find(({ id }) => id === payments[0]?.paymentTypeId);
  return { ...order, back: givenBack(refund - amount, refundType) };
}

const unwatched: ChargeWatch = { onCharge: () => {}, isLeft: () => false };

async function place(sale: PendingSale, keep: Keep): Promise<PlacedOrder> {
  const { idempotencyKey, customerGrandTotal } = sale;
  const body = JSON.parse(sale.body) as Schema['StaffPlaceOrderRequest'];
  await keep({ ...sale, isSent: true });
  try {
    const { id, number } = await dataOf(
      api.POST('/staff/v1/orders', {
        body: { ...body, idempotencyKey, expectedCustomerGrandTotal: customerGrandTotal },
      }),
    );
    return { id, number };
  } catch (error) {
    if (isUnanswered(error)) throw new UnansweredWrite(error);
    void keep({ ...sale, isSent: isRefused(error) ? false : sale.isSent });
    throw sale.isSent && isUnsent(error) ? new UnansweredWrite(error as ApiFailure) : error;
  }
}

/** Takes the payments of a placed order. */
async function pay(
  sale: PendingSale & { readonly placed: PlacedOrder },
  types: readonly PaymentType[],
  keep: Keep,
  { idSeen, isLeft }: { readonly idSeen: boolean; readonly isLeft: boolean },
): Promise<Schema['FulfilledOrder']> {
  const { due, payments, sentPayments, goodsBack } = sale;
  const idCheck = sale.idScanned ? ('scan' as const) : idSeen ? ('eye' as const) : null;
  const params = { path: { orderId: sale.placed.id } };
  const paid = due <= 0 ? {} : { payments: paymentsOf(payments, types) };
  const body = {
    ...{ ...paid, ...atOwnRegister(), ...(idCheck && { idCheck }) },
    ...(isLeft && { leavesUnknownPayment: true }),
  };
  await keep({ ...sale, sentPayments: sentPayments ?? payments });
  try {
    if (goodsBack)
      return await exchange(params, { ...paid, ...atOwnRegister(), ...(idCheck && { idCheck }) }, sale);
    return await dataOf(api.POST('/staff/v1/orders/{orderId}/fulfill', { params, body }));
  } catch (error) {
    if (isUnanswered(error)) throw new UnansweredWrite(error);
    if (sentPayments !== null && isFulfilled(error)) {
      // The lost answer was a success: it is fulfilled.
      const order = await dataOf(api.GET('/staff/v1/orders/{orderId}', { params }));
      return { ...order, change: Math.max(0, sumsOf(due, sentPayments, types).change) };
    }
    void keep({ ...sale, sentPayments: isRefused(error) ? null : sentPayments });
    throw sentPayments !== null && isUnsent(error) ? new UnansweredWrite(error as ApiFailure) : error;
  }
}

type ExchangeRequest = NonNullable<
  StaffPaths['/staff/v1/orders/{orderId}/exchange']['post']['requestBody']
>['content']['application/json'];

/** Goods back and goods out as one act; the reply is the order as sold. */
async function exchange(
  params: { readonly path: { readonly orderId: string } },
  handOver: Omit<ExchangeRequest, 'returned'>,
  { goodsBack, due, payments: [refund] }: PendingSale,
): Promise<Schema['FulfilledOrder']> {
  const { orderId, lineItems, takesRewardsBack, inventoryLocationId = null } = goodsBack!;
  const { change } = await dataOf(
    api.POST('/staff/v1/orders/{orderId}/exchange', {
      params,
      body: {
        ...handOver,
        ...(due < 0 && {
          refundPaymentTypeId: refund?.paymentTypeId,
          ...(refund?.giftCard?.trim() && { refundGiftCard: refund.giftCard.trim() }),
        }),
        returned: {
          orderId,
          lineItems: lineItems.map(({ name: _, ...line }) => line),
          ...(takesRewardsBack && { brokenRewards: 'take-back' as const }),
          ...(inventoryLocationId !== null && { inventoryLocationId }),
        },
      },
    }),
  );
  return { ...(await dataOf(api.GET('/staff/v1/orders/{orderId}', { params }))), change };
}

/** Whether the service examined the request and refused it; false if it did not admit the request. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && [400, 404, 409, 422].includes(error.status);
}

function isFulfilled(error: unknown): boolean {
  return (
    error instanceof ApiFailure &&
    error.code === 'INVALID_ORDER_TRANSITION' &&
    error.meta.status === 'fulfilled'
  );
}
