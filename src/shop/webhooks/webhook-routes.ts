import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { WebhookService } from './manage-endpoints.ts';
import { webhookOperations } from './webhook-operations.ts';
import {
  CreateWebhookEndpointBody,
  endpointExample,
  endpointsMax,
  shownEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './webhook-schemas.ts';

/** Integrators' operations on their own webhook endpoints. */
export function webhookRoutes(service: WebhookService): Endpoint[] {
  const operations = webhookOperations(service, {
    data: WebhookEndpoint,
    dataWithSecret: WebhookEndpointWithSecret,
    example: {},
    createBody: CreateWebhookEndpointBody,
    createExample: {},
    createWords: 'It gets the events that this client key may read.',
    createFailures: [],
    updateUrl: endpointExample.url,
    listWords: 'The endpoints of the integrator in this organization.',
    endpointsMax,
    shown: shownEndpoint,
  });
  return operations.map(({ handle, path, ...operation }) =>
    endpoint({
      address: 'base',
      permission: null,
      publishableKey: 'refused',
      tag: 'Webhooks',
      namesNoContact: true,
      ...(operation.id === 'listWebhookDeliveries' && {
        list: { order: { descending: ['createdAt', 'id'] } } as const,
      }),
      ...operation,
      path: `/api/v1/webhook-endpoints${path}`,
      handle: ({ caller, requestId, ...sent }) =>
        handle({
          ...sent,
          clientKeyId: caller.clientKeyId,
          manager: {
            origin: { actor: `key:${caller.clientKeyId}`, requestId },
            organization: caller.organizationId,
            integratorId: caller.integratorId,
            mayCarryCodes: false,
            permissions: caller.permissions,
          },
        }),
    }),
  );
}
