import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import { type Reply, reply, replyEmpty } from '../../platform/http/endpoint.ts';
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
import { selectWebhookEndpoints, type WebhookEndpointRow } from './webhook-queries.ts';
import {
  DeliveryPage,
  deliveryExample,
  endpointExample,
  SendSinceBody,
  secretExample,
  shownDelivery,
  testedExample,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
} from './webhook-schemas.ts';
import { ofDelivery, ofEndpoint, webhookWords } from './webhook-words.ts';

/** What integrators and staff do not share: which endpoints they manage, and what they see and send of one. */
export interface WebhookAudience {
  readonly data: TSchema;
  readonly dataWithSecret: TSchema;
  /** Fields of examples beside those of the endpoint itself. */
  readonly example: object;
  readonly createBody: TObject;
  readonly createExample: object;
  readonly createWords: string;
  readonly createFailures: readonly ErrorCode[];
  readonly updateUrl: string;
  readonly listWords: string;
  readonly endpointsMax: number;
  shown(row: WebhookEndpointRow, nowMs: number): object;
}

/** A request of either audience. */
interface WebhookRequest<Params, Query, Body> {
  readonly manager: WebhookManager;
  /** The key that creates an endpoint, if the body names none. */
  readonly clientKeyId: number | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

interface Operation<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  /** For integrators; staff's begins with `staff`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Behind `/webhook-endpoints`. */
  readonly path: string;
  readonly kind: 'read' | 'write';
  readonly answersSecret?: true;
  readonly readsFrom?: { readonly primary: string };
  readonly emptyInDemo?: string;
  readonly list?: { readonly staysSmall: string };
  readonly summary: string;
  readonly description: string;
  readonly params?: Params;
  readonly resourceParams?: Readonly<Record<string, ErrorCode>>;
  readonly query?: Query;
  readonly body?: Body;
  readonly requestExample?: object;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly data?: TSchema;
    readonly description: string;
    readonly example?: unknown;
  };
  readonly failures: readonly ErrorCode[];
  handle(request: WebhookRequest<Static<Params>, Static<Query>, Static<Body>>): Promise<Reply>;
}

/** An operation on webhook endpoints that both audiences have. */
// biome-ignore lint/suspicious/noExplicitAny: each handler takes what its schemas allow.
export type WebhookOperation = Operation<any, any, any>;

function operation<
  Params extends TSchema = TObject<Record<never, never>>,
  Query extends TSchema = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
>(declaration: Operation<Params, Query, Body>): WebhookOperation {
  return declaration;
}

/** What both lists share. */
const ofList = {
  readsFrom: { primary: 'what the sender of webhooks goes by' },
  emptyInDemo: 'integrators register their addresses',
} as const;

const writeFailures = ['TRANSACTION_RETRY_EXCEEDED'] as const;

/** The operations on webhook endpoints, for one audience. */
export function webhookOperations(service: WebhookService, audience: WebhookAudience): WebhookOperation[] {
  const { context } = service;
  const { data, dataWithSecret, example } = audience;
  const shown = (row: WebhookEndpointRow) => audience.shown(row, context.clock.now());
  return [
    operation({
      ...ofList,
      id: 'listWebhookEndpoints',
      method: 'GET',
      path: '',
      kind: 'read',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List webhook endpoints',
      description: audience.listWords,
      success: {
        status: 200,
        data: List(data, { max: audience.endpointsMax }),
        description: 'The endpoints',
        example: [{ ...endpointExample, ...example }],
      },
      failures: [],
      handle: async ({ manager: { organization, integratorId } }) => {
        const [rows] = await context.database.read(organization, selectWebhookEndpoints({ integratorId }));
        return reply(rows.map(shown));
      },
    }),
    operation({
      id: 'createWebhookEndpoint',
      method: 'POST',
      path: '',
      kind: 'write',
      answersSecret: true,
      summary: 'Create a webhook endpoint',
      description: `${webhookWords.create} ${audience.createWords}`,
      body: audience.createBody,
      requestExample: {
        ...audience.createExample,
        url: endpointExample.url,
        types: endpointExample.types,
      },
      success: {
        status: 201,
        data: dataWithSecret,
        description: 'The endpoint with its secret',
        example: { ...secretExample, ...example },
      },
      failures: [...audience.createFailures, 'WEBHOOK_ENDPOINT_LIMIT', ...writeFailures],
      handle: async ({ manager, clientKeyId, body }) => {
        const sent = body as { clientKeyId?: number; url: string; types?: string[] };
        const { row, secret } = await createWebhookEndpoint(service, manager, {
          clientKeyId: clientKeyId ?? sent.clientKeyId!,
          url: sent.url,
          types: sent.types ?? [],
        });
        return reply({ ...shown(row), secret });
      },
    }),
    ...changeOperations(service, audience),
    ...deliveryOperations(service),
  ];
}

function changeOperations(service: WebhookService, audience: WebhookAudience): WebhookOperation[] {
  const { data, dataWithSecret, example } = audience;
  const shown = (row: WebhookEndpointRow) => audience.shown(row, service.context.clock.now());
  return [
    operation({
      ...ofEndpoint,
      id: 'updateWebhookEndpoint',
      method: 'PATCH',
      kind: 'write',
      summary: 'Update a webhook endpoint',
      description: webhookWords.update,
      body: UpdateWebhookEndpointBody,
      requestExample: { url: audience.updateUrl, types: endpointExample.types, enabled: true },
      success: {
        status: 200,
        data,
        description: 'The endpoint',
        example: { ...endpointExample, ...example },
      },
      failures: writeFailures,
      handle: async ({ manager, params, body }) =>
        reply(shown(await updateWebhookEndpoint(service, manager, params.webhookEndpointId, body))),
    }),
    operation({
      ...ofEndpoint,
      id: 'deleteWebhookEndpoint',
      method: 'DELETE',
      kind: 'write',
      summary: 'Delete a webhook endpoint',
      description: webhookWords.delete,
      success: { status: 204, description: 'Deleted' },
      failures: writeFailures,
      handle: async ({ manager, params }) => {
        await deleteWebhookEndpoint(service, manager, params.webhookEndpointId);
        return replyEmpty();
      },
    }),
    operation({
      ...ofEndpoint,
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: `${ofEndpoint.path}/rotate-secret`,
      kind: 'write',
      answersSecret: true,
      summary: 'Rotate the secret of a webhook endpoint',
      description: webhookWords.rotate,
      success: {
        status: 200,
        data: dataWithSecret,
        description: 'The endpoint with its new secret',
        example: { ...secretExample, ...example, previousSecretEndsAt: '2026-03-02T17:05:09.123Z' },
      },
      failures: writeFailures,
      handle: async ({ manager, params }) => {
        const { row, secret } = await rotateWebhookSecret(service, manager, params.webhookEndpointId);
        return reply({ ...shown(row), secret });
      },
    }),
  ];
}

function deliveryOperations(service: WebhookService): WebhookOperation[] {
  const success = {
    status: 200,
    data: WebhookDelivery,
    description: 'The delivery, which waits to be sent',
  } as const;
  return [
    operation({
      ...ofList,
      ...ofEndpoint,
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: `${ofEndpoint.path}/deliveries`,
      kind: 'read',
      summary: 'List deliveries of a webhook endpoint',
      description: webhookWords.deliveries,
      query: Type.Object(DeliveryPage),
      success: {
        status: 200,
        data: List(WebhookDelivery, { max: deliveriesPerPage }),
        description: 'A page of deliveries',
        example: [deliveryExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ manager, params, query }) => {
        const of = { ...manager, endpointId: params.webhookEndpointId };
        const rows = await deliveryPage(service.context, manager.organization, of, query);
        return reply(rows.map(shownDelivery));
      },
    }),
    operation({
      ...ofDelivery,
      id: 'sendWebhookAgain',
      method: 'POST',
      path: `${ofDelivery.path}/send`,
      kind: 'write',
      summary: 'Send a delivery again',
      description: webhookWords.sendAgain,
      success: {
        ...success,
        example: { ...deliveryExample, status: 'pending', nextAttemptAt: deliveryExample.createdAt },
      },
      failures: writeFailures,
      handle: async ({ manager, params: { webhookEndpointId, webhookDeliveryId } }) =>
        reply(shownDelivery(await sendAgain(service, manager, webhookEndpointId, webhookDeliveryId))),
    }),
    operation({
      ...ofEndpoint,
      id: 'sendWebhooksSince',
      method: 'POST',
      path: `${ofEndpoint.path}/send-since`,
      kind: 'write',
      summary: 'Send all events since a cursor again',
      description: webhookWords.sendSince,
      body: SendSinceBody,
      requestExample: { cursor: '0-0' },
      success: { status: 204, description: 'The events will be sent' },
      failures: ['INVALID_CURSOR', 'CURSOR_EXPIRED', ...writeFailures],
      handle: async ({ manager, params, body }) => {
        await sendSince(service, manager, params.webhookEndpointId, body);
        return replyEmpty();
      },
    }),
    operation({
      ...ofEndpoint,
      id: 'testWebhookEndpoint',
      method: 'POST',
      path: `${ofEndpoint.path}/test`,
      kind: 'write',
      summary: 'Send a test event',
      description: webhookWords.test,
      success: { ...success, status: 201, example: testedExample },
      failures: writeFailures,
      handle: async ({ manager, params }) =>
        reply(shownDelivery(await sendTest(service, manager, params.webhookEndpointId))),
    }),
  ];
}
