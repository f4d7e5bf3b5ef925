import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, OneOf } from '../../platform/http/schemas.ts';
import { paymentDeskOf } from './payment-desk.ts';
import { intentExample, PaymentIntent, shownIntent } from './payment-schemas.ts';
import { readOwnIntent, requestOrderPayment } from './request-intent.ts';

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
  ];
}
