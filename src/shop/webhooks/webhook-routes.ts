import Type from 'typebox';
import { type Caller, type Endpoint, endpoint, reply, replyEmpty } from '../../platform/http/endpoint.ts';
import { List } from '../../platform/http/schemas.ts';
import { deliveriesPerPage } from './delivery-queries.ts';
import { deliveryPage } from './list-deliveries.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type WebhookManager,
  type WebhookService,
} from './manage-endpoints.ts';
import { sendAgain, sendSince, sendTest } from './send-again.ts';
import { selectWebhookEndpoints } from './webhook-queries.ts';
import {
  CreateWebhookEndpointBody,
  DeliveryPage,
  deliveryExample,
  endpointExample,
  endpointsMax,
  SendSinceBody,
  secretExample,
  shownDelivery,
  shownEndpoint,
  testedExample,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookDeliveryParams,
  WebhookEndpoint,
  WebhookEndpointParams,
  WebhookEndpointWithSecret,
} from './webhook-schemas.ts';
import { strangerDelivery, strangerEndpoint, webhookWords } from './webhook-words.ts';

/** Integrators' operations on their own webhook endpoints. */
export function webhookRoutes(service: WebhookService): Endpoint[] {
  const { context } = service;
  const managerOf = (caller: Caller, requestId: string): WebhookManager => ({
    origin: { actor: `key:${caller.clientKeyId}`, requestId },
    organization: caller.organizationId,
    integratorId: caller.integratorId,
    mayCarryCodes: false,
    permissions: caller.permissions,
  });
  const shared = {
    address: 'base',
    permission: null,
    publishableKey: 'refused',
    source: ['D66'],
    tag: 'Webhooks',
  } as const;
  return [
    endpoint({
      ...shared,
      id: 'listWebhookEndpoints',
      method: 'GET',
      path: '/api/v1/webhook-endpoints',
      kind: 'read',
      readsFrom: { primary: 'what the sender of webhooks goes by' },
      list: { staysSmall: 'settings of the shop' },
      emptyInDemo: 'integrators register their addresses',
      namesNoContact: true,
      summary: 'List webhook endpoints',
      description: 'The endpoints of the integrator in this organization.',
      success: {
        status: 200,
        data: List(WebhookEndpoint, { max: endpointsMax }),
        description: 'The endpoints',
        example: [endpointExample],
      },
      failures: [],
      handle: async ({ caller }) => {
        const { integratorId, organizationId } = caller;
        const [rows] = await context.database.read(organizationId, selectWebhookEndpoints({ integratorId }));
        return reply(rows.map((row) => shownEndpoint(row, context.clock.now())));
      },
    }),

    endpoint({
      ...shared,
      id: 'createWebhookEndpoint',
      method: 'POST',
      path: '/api/v1/webhook-endpoints',
      kind: 'write',
      answersSecret: true,
      namesNoContact: true,
      summary: 'Create a webhook endpoint',
      description: `${webhookWords.create} It gets the events that this client key may read.`,
      body: CreateWebhookEndpointBody,
      requestExample: { url: endpointExample.url, types: endpointExample.types },
      success: {
        status: 201,
        data: WebhookEndpointWithSecret,
        description: 'The endpoint with its secret',
        example: secretExample,
      },
      failures: ['WEBHOOK_ENDPOINT_LIMIT', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, body, requestId }) => {
        const { row, secret } = await createWebhookEndpoint(service, managerOf(caller, requestId), {
          clientKeyId: caller.clientKeyId,
          url: body.url,
          types: body.types ?? [],
        });
        return reply({ ...shownEndpoint(row, context.clock.now()), secret });
      },
    }),

    endpoint({
      ...shared,
      id: 'updateWebhookEndpoint',
      method: 'PATCH',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
      kind: 'write',
      namesNoContact: true,
      summary: 'Update a webhook endpoint',
      description: webhookWords.update,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      body: UpdateWebhookEndpointBody,
      requestExample: { url: endpointExample.url, types: endpointExample.types, enabled: true },
      success: { status: 200, data: WebhookEndpoint, description: 'The endpoint', example: endpointExample },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, body, requestId }) => {
        const manager = managerOf(caller, requestId);
        const row = await updateWebhookEndpoint(service, manager, params.webhookEndpointId, body);
        return reply(shownEndpoint(row, context.clock.now()));
      },
    }),

    endpoint({
      ...shared,
      id: 'deleteWebhookEndpoint',
      method: 'DELETE',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
      kind: 'write',
      namesNoContact: true,
      summary: 'Delete a webhook endpoint',
      description: webhookWords.delete,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      success: { status: 204, description: 'Deleted' },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, requestId }) => {
        await deleteWebhookEndpoint(service, managerOf(caller, requestId), params.webhookEndpointId);
        return replyEmpty();
      },
    }),

    endpoint({
      ...shared,
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret',
      kind: 'write',
      answersSecret: true,
      namesNoContact: true,
      summary: 'Rotate the secret of a webhook endpoint',
      description: webhookWords.rotate,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      success: {
        status: 200,
        data: WebhookEndpointWithSecret,
        description: 'The endpoint with its new secret',
        example: { ...secretExample, previousSecretEndsAt: '2026-03-02T17:05:09.123Z' },
      },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, requestId }) => {
        const manager = managerOf(caller, requestId);
        const { row, secret } = await rotateWebhookSecret(service, manager, params.webhookEndpointId);
        return reply({ ...shownEndpoint(row, context.clock.now()), secret });
      },
    }),

    endpoint({
      ...shared,
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries',
      kind: 'read',
      readsFrom: { primary: 'what the sender of webhooks goes by' },
      list: { order: { descending: ['createdAt', 'id'] } },
      emptyInDemo: 'integrators register their addresses',
      namesNoContact: true,
      summary: 'List deliveries of a webhook endpoint',
      description: webhookWords.deliveries,
      source: ['D66', 'D76'],
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      query: Type.Object(DeliveryPage),
      success: {
        status: 200,
        data: List(WebhookDelivery, { max: deliveriesPerPage }),
        description: 'A page of deliveries',
        example: [deliveryExample],
      },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_CURSOR'],
      handle: async ({ caller, params, query }) => {
        const { integratorId, permissions, organizationId } = caller;
        const of = { integratorId, permissions, endpointId: params.webhookEndpointId };
        const rows = await deliveryPage(context, organizationId, of, query);
        return reply(rows.map(shownDelivery));
      },
    }),

    endpoint({
      ...shared,
      id: 'sendWebhookAgain',
      method: 'POST',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{webhookDeliveryId}/send',
      kind: 'write',
      namesNoContact: true,
      summary: 'Send a delivery again',
      description: webhookWords.sendAgain,
      params: WebhookDeliveryParams,
      resourceParams: strangerDelivery,
      success: {
        status: 200,
        data: WebhookDelivery,
        description: 'The delivery, which waits to be sent',
        example: { ...deliveryExample, status: 'pending', nextAttemptAt: deliveryExample.createdAt },
      },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, requestId }) => {
        const { webhookEndpointId, webhookDeliveryId } = params;
        const manager = managerOf(caller, requestId);
        return reply(shownDelivery(await sendAgain(service, manager, webhookEndpointId, webhookDeliveryId)));
      },
    }),

    endpoint({
      ...shared,
      id: 'sendWebhooksSince',
      method: 'POST',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}/send-since',
      kind: 'write',
      namesNoContact: true,
      summary: 'Send all events since a cursor again',
      description: webhookWords.sendSince,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      body: SendSinceBody,
      requestExample: { cursor: '0-0' },
      success: { status: 204, description: 'The events will be sent' },
      failures: [
        'WEBHOOK_ENDPOINT_NOT_FOUND',
        'INVALID_CURSOR',
        'CURSOR_EXPIRED',
        'TRANSACTION_RETRY_EXCEEDED',
      ],
      handle: async ({ caller, params, body, requestId }) => {
        await sendSince(service, managerOf(caller, requestId), params.webhookEndpointId, body);
        return replyEmpty();
      },
    }),

    endpoint({
      ...shared,
      id: 'testWebhookEndpoint',
      method: 'POST',
      path: '/api/v1/webhook-endpoints/{webhookEndpointId}/test',
      kind: 'write',
      namesNoContact: true,
      summary: 'Send a test event',
      description: webhookWords.test,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      success: {
        status: 201,
        data: WebhookDelivery,
        description: 'The delivery, which waits to be sent',
        example: testedExample,
      },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, requestId }) =>
        reply(shownDelivery(await sendTest(service, managerOf(caller, requestId), params.webhookEndpointId))),
    }),
  ];
}
