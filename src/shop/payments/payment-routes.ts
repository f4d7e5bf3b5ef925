import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, OneOf } from '../../platform/http/schemas.ts';
import { selectIntentsOfOrder, selectPaidOrder } from './intent-queries.ts';
import { paymentDeskOf } from './payment-desk.ts';
import { intentExample, PaidOrderId, PaymentIntent, shownIntent } from './payment-schemas.ts';
import { readOwnIntent, requestOrderPayment } from './request-intent.ts';

const intentsMax = 1_000;
const shared = {
  address: 'base',
  permission: 'create-orders',
  publishableKey: 'refused',
  namesNoContact: true,
  tag: 'Orders',
} as const;

/** Payments at providers, for integrators (D106). */
export function paymentRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      ...shared,
      id: 'createPaymentIntent',
      method: 'POST',
      path: '/api/v1/payment-intents',
      kind: 'write',
      ignoresIdempotencyKey: true,
      summary: 'Ask for a payment of an order',
      description:
        'Asks the provider of the payment type for an intended payment of an order that these keys placed: `link` is where the ' +
        'customer pays. One payment of an order is open at a time; asking again for the same answers the open one, so an ' +
        'Idempotency-Key is ignored. Its states follow in `order.payment_changed`. A change of the order’s price ends it first.',
      body: Type.Object({
        orderPaymentId: Id({ description: 'The id of an entry of `payments` of the order' }),
        source: OneOf(['e-commerce', 'retail'], { description: 'Where the customer is' }),
      }),
      requestExample: { orderPaymentId: 4401, source: 'e-commerce' },
      success: {
        status: 201,
        data: PaymentIntent,
        description: 'The payment intent',
        example: intentExample,
      },
      failures: [
        'ORDER_PAYMENT_NOT_FOUND',
        'INVALID_ORDER',
        'PAYMENT_TYPE_NOT_CONNECTED',
        'PAYMENT_IN_PROGRESS',
      ],
      handle: async ({ caller, requestId, body }) => {
        const { organizationId, clientKeyId, integratorId } = caller;
        const origin = { actor: `key:${clientKeyId}`, requestId } as const;
        const asked = { ...body, integratorId };
        const intent = await requestOrderPayment(paymentDeskOf(context), origin, organizationId, asked);
        return reply(shownIntent(intent, organizationId));
      },
    }),
    endpoint({
      ...shared,
      id: 'getPaymentIntent',
      method: 'GET',
      path: '/api/v1/payment-intents/{paymentIntentId}',
      kind: 'read',
      emptyInDemo: 'the payments of a demo are made by who tries it',
      summary: 'Retrieve a payment intent',
      description: 'A payment intent of an order that these keys placed.',
      params: Type.Object({ paymentIntentId: Id({ description: 'The payment intent' }) }),
      resourceParams: { paymentIntentId: 'PAYMENT_INTENT_NOT_FOUND' },
      success: {
        status: 200,
        data: PaymentIntent,
        description: 'The payment intent',
        example: intentExample,
      },
      failures: ['PAYMENT_INTENT_NOT_FOUND'],
      handle: async ({ caller, params }) => {
        const { organizationId, integratorId } = caller;
        const intent = await readOwnIntent(context, organizationId, params.paymentIntentId, integratorId);
        return reply(shownIntent(intent, organizationId));
      },
    }),
    endpoint({
      ...shared,
      id: 'listPaymentIntents',
      method: 'GET',
      path: '/api/v1/orders/{orderId}/payment-intents',
      kind: 'read',
      readsFrom: { primary: 'an integrator acts on what has just changed' },
      list: { staysSmall: 'of one order', unsorted: 'the tries of one order, in their order' },
      emptyInDemo: 'the payments of a demo are made by who tries it',
      summary: 'List the payment intents of an order',
      description:
        'What was asked for an order that these keys placed, oldest first: also what staff asked for. So an integrator needs to keep no ids of payment intents.',
      params: Type.Object({ orderId: PaidOrderId() }),
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      success: {
        status: 200,
        data: List(PaymentIntent, { max: intentsMax }),
        description: 'The payment intents',
        example: [intentExample],
      },
      failures: ['ORDER_NOT_FOUND'],
      handle: async ({ caller, params: { orderId } }) => {
        const { organizationId, integratorId } = caller;
        const [[order], rows] = await context.database.read(
          organizationId,
          selectPaidOrder({ orderId }),
          selectIntentsOfOrder({ orderId }),
        );
        if (order === undefined || order.integratorId !== integratorId) {
          throw failure('ORDER_NOT_FOUND', 'There is no such order.');
        }
        return reply(rows.map((row) => shownIntent(row, organizationId)));
      },
    }),
  ];
}
