import Type from 'typebox';
import { staffOrigin } from '../../platform/database/context.ts';
import {
  reply,
  replyEmpty,
  type StaffCaller,
  type StaffEndpoint,
  staffEndpoint,
} from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { List, Text } from '../../platform/http/schemas.ts';
import { readTotal } from '../../platform/lists/read-total.ts';
import { publicEventOf } from '../changes/changes.ts';
import { codeEventType } from './code-endpoints.ts';
import { countDeliveries, deliveriesPerPage, deliveryList } from './delivery-queries.ts';
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
  DeliveryPage,
  deliveryExample,
  endpointExample,
  ownerExample,
  SendSinceBody,
  StaffCreateWebhookEndpointBody,
  StaffWebhookEndpoint,
  StaffWebhookEndpointWithSecret,
  secretExample,
  shownDelivery,
  shownToStaff,
  testedExample,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookDeliveryParams,
  WebhookEndpointParams,
} from './webhook-schemas.ts';
import { strangerDelivery, strangerEndpoint, webhookWords } from './webhook-words.ts';

/** Endpoints of all integrators. */
const shownMax = 10_000;

/** Staff's operations on the webhook endpoints of all integrators. */
export function webhookStaffRoutes(service: WebhookService): StaffEndpoint[] {
  const { context } = service;
  const managerOf = (staff: StaffCaller, requestId: string): WebhookManager => ({
    origin: staffOrigin(staff, requestId),
    organization: staff.organizationId,
    integratorId: null,
    mayCarryCodes: staff.role === 'owner',
    permissions: null,
  });
  const shared = { roles: ['manager'], source: ['D66'], tag: 'Webhooks' } as const;
  const types = service.eventTypes.filter((type) => publicEventOf(type) !== null);
  const endpointFailures = ['WEBHOOK_ENDPOINT_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'] as const;
  return [
    staffEndpoint({
      ...shared,
      id: 'staffListWebhookEndpoints',
      method: 'GET',
      path: '/staff/v1/webhook-endpoints',
      kind: 'read',
      readsFrom: { primary: 'what the sender of webhooks goes by' },
      list: { staysSmall: 'settings of the shop' },
      exported: { not: 'settings of integrators; their secrets cannot be exported' },
      emptyInDemo: 'integrators register their addresses',
      summary: 'List webhook endpoints',
      description:
        'The endpoints of all integrators. `meta.types` lists the events that an endpoint may get.',
      sorts: {
        id: 'ascending',
        url: 'ascending',
        integratorName: 'ascending',
        createdAt: 'descending',
        lastSuccessAt: 'descending',
      },
      success: {
        status: 200,
        data: List(StaffWebhookEndpoint, { max: shownMax }),
        meta: Type.Object({ types: List(Text({ max: 100 }), { max: 500 }) }),
        description: 'The endpoints',
        example: [{ ...endpointExample, ...ownerExample }],
        metaExample: { types: ['order.placed', 'product.updated'] },
      },
      failures: [],
      handle: async ({ staff }) => {
        const statement = selectWebhookEndpoints({ integratorId: null });
        const [rows] = await context.database.read(staff.organizationId, statement);
        const shown = rows.map((row) => shownToStaff(row, context.clock.now()));
        const ofOwners = staff.role === 'owner' ? [codeEventType] : [];
        return reply(shown, { meta: { types: [...types, ...ofOwners] } });
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffCreateWebhookEndpoint',
      method: 'POST',
      path: '/staff/v1/webhook-endpoints',
      kind: 'write',
      answersSecret: true,
      summary: 'Create a webhook endpoint',
      description: `${webhookWords.create} ${webhookWords.codes}`,
      body: StaffCreateWebhookEndpointBody,
      requestExample: { clientKeyId: 1_001, url: endpointExample.url, types: endpointExample.types },
      success: {
        status: 201,
        data: StaffWebhookEndpointWithSecret,
        description: 'The endpoint with its secret',
        example: { ...secretExample, ...ownerExample },
      },
      failures: ['CLIENT_KEY_NOT_FOUND', 'WEBHOOK_ENDPOINT_LIMIT', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, body, requestId }) => {
        const { row, secret } = await createWebhookEndpoint(service, managerOf(staff, requestId), {
          clientKeyId: body.clientKeyId,
          url: body.url,
          types: body.types ?? [],
        });
        return reply({ ...shownToStaff(row, context.clock.now()), secret });
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffUpdateWebhookEndpoint',
      method: 'PATCH',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}',
      kind: 'write',
      summary: 'Update a webhook endpoint',
      description: webhookWords.update,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      body: UpdateWebhookEndpointBody,
      requestExample: { url: 'https://hooks.example.com/moved', types: endpointExample.types, enabled: true },
      success: {
        status: 200,
        data: StaffWebhookEndpoint,
        description: 'The endpoint',
        example: { ...endpointExample, ...ownerExample },
      },
      failures: endpointFailures,
      handle: async ({ staff, params, body, requestId }) => {
        const manager = managerOf(staff, requestId);
        const row = await updateWebhookEndpoint(service, manager, params.webhookEndpointId, body);
        return reply(shownToStaff(row, context.clock.now()));
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffDeleteWebhookEndpoint',
      method: 'DELETE',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}',
      kind: 'write',
      summary: 'Delete a webhook endpoint',
      description: webhookWords.delete,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      success: { status: 204, description: 'Deleted' },
      failures: endpointFailures,
      handle: async ({ staff, params, requestId }) => {
        await deleteWebhookEndpoint(service, managerOf(staff, requestId), params.webhookEndpointId);
        return replyEmpty();
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffRotateWebhookSecret',
      method: 'POST',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret',
      kind: 'write',
      answersSecret: true,
      summary: 'Rotate the secret of a webhook endpoint',
      description: webhookWords.rotate,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      success: {
        status: 200,
        data: StaffWebhookEndpointWithSecret,
        description: 'The endpoint with its new secret',
        example: { ...secretExample, ...ownerExample, previousSecretEndsAt: '2026-03-02T17:05:09.123Z' },
      },
      failures: endpointFailures,
      handle: async ({ staff, params, requestId }) => {
        const manager = managerOf(staff, requestId);
        const { row, secret } = await rotateWebhookSecret(service, manager, params.webhookEndpointId);
        return reply({ ...shownToStaff(row, context.clock.now()), secret });
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffListWebhookDeliveries',
      method: 'GET',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}/deliveries',
      kind: 'read',
      readsFrom: { primary: 'what the sender of webhooks goes by' },
      exported: { not: 'a log with a retention of 30 days' },
      emptyInDemo: 'integrators register their addresses',
      summary: 'List deliveries of a webhook endpoint',
      description: webhookWords.deliveries,
      source: ['D66', 'D76'],
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      query: Type.Object({ ...sortFields(deliveryList.sorts), ...DeliveryPage }),
      success: {
        status: 200,
        data: List(WebhookDelivery, { max: deliveriesPerPage }),
        meta: ListTotal,
        description: 'A page of deliveries',
        example: [deliveryExample],
        metaExample: listTotalExample,
      },
      failures: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_CURSOR'],
      handle: async ({ staff, params, query }) => {
        const of = { integratorId: null, permissions: null, endpointId: params.webhookEndpointId };
        const rows = await deliveryPage(context, staff.organizationId, of, query);
        const count = countDeliveries({ endpointId: of.endpointId });
        return reply(rows.map(shownDelivery), {
          meta: await readTotal(context.database, staff.organizationId, count),
        });
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffSendWebhookAgain',
      method: 'POST',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{webhookDeliveryId}/send',
      kind: 'write',
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
      failures: [...endpointFailures, 'WEBHOOK_DELIVERY_NOT_FOUND'],
      handle: async ({ staff, params, requestId }) => {
        const { webhookEndpointId, webhookDeliveryId } = params;
        const manager = managerOf(staff, requestId);
        return reply(shownDelivery(await sendAgain(service, manager, webhookEndpointId, webhookDeliveryId)));
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffSendWebhooksSince',
      method: 'POST',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}/send-since',
      kind: 'write',
      summary: 'Send all events since a cursor again',
      description: webhookWords.sendSince,
      params: WebhookEndpointParams,
      resourceParams: strangerEndpoint,
      body: SendSinceBody,
      requestExample: { cursor: '0-0' },
      success: { status: 204, description: 'The events will be sent' },
      failures: [...endpointFailures, 'INVALID_CURSOR', 'CURSOR_EXPIRED'],
      handle: async ({ staff, params, body, requestId }) => {
        await sendSince(service, managerOf(staff, requestId), params.webhookEndpointId, body);
        return replyEmpty();
      },
    }),

    staffEndpoint({
      ...shared,
      id: 'staffTestWebhookEndpoint',
      method: 'POST',
      path: '/staff/v1/webhook-endpoints/{webhookEndpointId}/test',
      kind: 'write',
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
      failures: endpointFailures,
      handle: async ({ staff, params, requestId }) =>
        reply(shownDelivery(await sendTest(service, managerOf(staff, requestId), params.webhookEndpointId))),
    }),
  ];
}
