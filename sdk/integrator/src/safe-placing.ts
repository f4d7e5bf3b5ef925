import type { Answer, CommonOptions } from './client-options.ts';
import { CommerceError } from './commerce-error.ts';
import type { DataOf, Schema } from './operation-types.ts';
import { freshKey } from './request-key.ts';
import type { Send } from './transport.ts';

/** An order without its key: a new one is made. */
export type OrderToPlace = Omit<Schema['PlaceOrderRequest'], 'idempotencyKey'> & {
  readonly idempotencyKey?: string;
};

export interface PlaceOptions extends Omit<CommonOptions, 'idempotencyKey'> {
  /**
   * Gets the preview before the order is placed, for example to show it. Without `true` nothing is placed: `NOT_CONFIRMED`.
   */
  readonly confirm?: (preview: Schema['CartPricing']) => boolean | Promise<boolean>;
}

export interface PlacedOrder<Order extends Schema['CreatedOrder'] = Schema['CreatedOrder']> {
  readonly order: Order;
  /** What was checked; null: the order brought its total, or had been placed before. */
  readonly preview: Schema['CartPricing'] | null;
  /** Whether the order had been placed before, with the same key. */
  readonly isReplay: boolean;
  readonly requestId: string;
}

const paths = { orders: '/api/v1/orders', pricing: '/api/v1/orders/pricing' };

/** What a preview takes of an order. */
function cartOf(order: OrderToPlace): Schema['CartPricingRequest'] {
  const {
    address,
    deliveryNotes: _,
    idempotencyKey: _key,
    expectedCustomerGrandTotal: _total,
    ...cart
  } = order;
  return { ...cart, ...(address && { postalCode: address.postalCode }) };
}

/**
 * Places an order at the total of its preview, once.
 *
 * Without `expectedCustomerGrandTotal` the cart is priced first, and the order is placed at that total only: when anything has
 * changed in between, `PRICE_CHANGED` is thrown and nothing is placed. A request without an answer is sent again with the same
 * key. When no try gets an answer, the error has that `idempotencyKey`: call again with it, also after a restart, and the order
 * that may be there already is answered (`isReplay`), and no second one placed.
 */
export async function placeOrder(
  send: Send,
  order: OrderToPlace,
  { confirm, ...common }: PlaceOptions,
  findsByKey: boolean,
): Promise<PlacedOrder> {
  const idempotencyKey = order.idempotencyKey ?? freshKey();
  let preview: Schema['CartPricing'] | null = null;
  let expected = order.expectedCustomerGrandTotal;
  const mayBePlaced = order.idempotencyKey !== undefined && findsByKey;
  if (expected === undefined && !(mayBePlaced && (await isPlaced(send, idempotencyKey, common)))) {
    const priced = await send('POST', paths.pricing, { ...common, body: cartOf(order) });
    preview = priced.data as Schema['CartPricing'];
    expected = preview.customerGrandTotal;
    if (confirm !== undefined && !(await confirm(preview))) {
      const parts = { code: 'NOT_CONFIRMED', idempotencyKey };
      throw new CommerceError('The preview was not confirmed: nothing is placed.', parts);
    }
  }
  const total = expected === undefined ? {} : { expectedCustomerGrandTotal: expected };
  const { data, isReplay, requestId } = (await send('POST', paths.orders, {
    ...common,
    // The header has no effect here. It puts the key into errors.
    idempotencyKey,
    body: { ...order, ...total, idempotencyKey },
  })) as Answer<DataOf<'placeOrder'>>;
  return { order: data, preview, isReplay, requestId };
}

/** Its preview would be refused, or differ, because its stock and its discounts are taken. */
async function isPlaced(send: Send, idempotencyKey: string, common: CommonOptions): Promise<boolean> {
  const found = await send('GET', paths.orders, { ...common, query: { idempotencyKey } });
  return (found.data as readonly unknown[]).length > 0;
}
